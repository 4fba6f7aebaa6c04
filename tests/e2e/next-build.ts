import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The script of a build after this one is marked, so that a test sees which one runs. */
export const NEXT_MARK = "next-build";

/** A copy of a built site as the build after the next change would write it: another script, and another version of the models. */
export function nextBuild(site: string): string {
  const folder = join(mkdtempSync(join(tmpdir(), "headscope-next-")), "site");
  cpSync(site, folder, { recursive: true });
  const read = (path: string): string => readFileSync(join(folder, path), "utf8");
  const page = read("index.html");
  const worker = read("service-worker.js");
  const script = /assets\/index-[\w-]+\.js/.exec(page)?.[0] ?? "";
  const models = /name="headscope-models" content="([^"]+)"/.exec(page)?.[1] ?? "";
  const version = /models\/en-fr=(\w+)/.exec(models)?.[1] ?? "";

  const nextScript = "assets/index-nextbuild.js";
  const source = `document.documentElement.dataset.build = "${NEXT_MARK}";\n${read(script)}`;
  const nextPage = page.replaceAll(script, nextScript).replaceAll(version, "0123456789abcdef");
  const nextWorker = worker
    .replaceAll(script, nextScript)
    .replaceAll(version, "0123456789abcdef")
    .replaceAll(hashOf(page), hashOf(nextPage))
    .replaceAll(hashOf(read(script)), hashOf(source))
    .replace(/version:`\w+`/, "version:`fedcba9876543210`");
  rmSync(join(folder, script));
  writeFileSync(join(folder, nextScript), source);
  writeFileSync(join(folder, "index.html"), nextPage);
  writeFileSync(join(folder, "service-worker.js"), nextWorker);
  return folder;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
