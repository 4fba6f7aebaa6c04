// A built site on a host of its own, beside other pages, and as its next build would be.
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesOf } from "../../tools/serve/files.js";
import { expect, test, type Locator, type Page } from "./page.js";

/**
 * Serves a built site in a folder of its own, as a host of project pages does, until it is killed.
 */
export class SiteServer {
  readonly asked: string[] = [];
  private server: Server | undefined;
  private port = 0;

  constructor(
    public folder: string,
    private readonly path = "/project/headscope/",
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  async start(): Promise<void> {
    const headers = { "Cache-Control": "max-age=600", ...this.headers };
    this.server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", this.address);
      if (!pathname.startsWith(this.path)) {
        response.setHeader("Content-Type", "text/html");
        response.end("<!doctype html><title>Another page</title>");
        return;
      }
      this.asked.push(pathname.slice(this.path.length));
      request.url = (request.url ?? "").slice(this.path.length - 1);
      // The folder may be another one by now.
      filesOf([this.folder], { headers })(request, response);
    });
    const { server, port } = this;
    await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
    this.port = (server.address() as AddressInfo).port;
  }

  /** Nothing answers any more, not even on open connections. */
  async kill(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  get address(): string {
    return `http://localhost:${this.port}${this.path}`;
  }

  get elsewhere(): string {
    return `http://localhost:${this.port}/elsewhere`;
  }
}

/** The policy that the elements document for a host of scripts, to the letter. */
function documentedPolicy(scripts: string): string {
  const lines = readFileSync("www/elements/README.md", "utf8").match(/^default-src .+$/gm) ?? [];
  const found = lines.find((line) => line.includes(`script-src ${scripts} `));
  if (found === undefined) throw new Error(`No policy is documented for scripts of ${scripts}.`);
  return found;
}

/**
 * Nothing but what the site itself holds; no inline script or style, and no code from strings but
 * WebAssembly.
 */
export const STRICT = documentedPolicy("'self'");

const ELSEWHERE = "https://figures.example";

/** Nothing but what another host holds. */
export const strictFor = (origin: string): string =>
  documentedPolicy(ELSEWHERE).replaceAll(ELSEWHERE, origin);

export const SCRIPT = '<script type="module" src="embed.js"></script>';

/** The site in a folder of its own, under a strict policy, and another page beside it. */
export class EmbedSite {
  folder = "";
  server = new SiteServer("", "");
  private pages = 0;

  constructor() {
    test.beforeAll(async () => {
      this.folder = mkdtempSync(join(tmpdir(), "headscope-embed-"));
      cpSync("dist/site", this.folder, { recursive: true });
      this.server = new SiteServer(this.folder, "/articles/", {
        "Content-Security-Policy": STRICT,
      });
      await this.server.start();
    });
    test.beforeEach(() => {
      this.server.asked.length = 0;
    });
    test.afterAll(async () => {
      await this.server.kill();
      rmSync(this.folder, { recursive: true });
    });
  }

  count(path: string): number {
    return this.server.asked.filter((one) => one.includes(path)).length;
  }

  async write(page: Page, body: string, head = "", server = this.server): Promise<void> {
    writeFileSync(
      join(this.folder, "own.html"),
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Another page</title><meta name="viewport" content="width=device-width">${head}</head><body><main><h1>Another page</h1>${body}</main></body></html>`,
    );
    // The server lets the browser cache a page: each has an address of its own.
    this.pages += 1;
    await page.goto(`${server.address}own.html?${this.pages}`);
  }
}

export async function ready(figure: Locator): Promise<void> {
  await figure.scrollIntoViewIfNeeded();
  await expect(figure).toHaveAttribute("state", "ready", { timeout: 60_000 });
}

/** A figure's name, and the number that it speaks of first. */
export async function described(figure: Locator): Promise<string[]> {
  const pad = figure.getByRole("application");
  await pad.focus();
  const spoken = (await figure.locator("[aria-live]").textContent()) ?? "";
  return [(await pad.getAttribute("aria-label")) ?? "", spoken.trim()];
}

/** The script of a build after this one is marked, so that a test sees which one runs. */
export const NEXT_MARK = "next-build";

/**
 * A copy of a built site as the build after the next change would write it: another script, and
 * another version of the models.
 */
export function nextBuild(site: string): string {
  const folder = test.info().outputPath("next-site");
  cpSync(site, folder, { recursive: true });
  const read = (path: string): string => readFileSync(join(folder, path), "utf8");
  const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64");
  const page = read("index.html");
  const script = /assets\/index-[\w-]+\.js/.exec(page)?.[0] ?? "";
  const models = /name="headscope-models" content="([^"]+)"/.exec(page)?.[1] ?? "";
  const version = /models\/en-fr=(\w+)/.exec(models)?.[1] ?? "";
  const nextScript = "assets/index-nextbuild.js";
  const source = `document.documentElement.dataset.build = "${NEXT_MARK}";\n${read(script)}`;
  const next = (text: string): string =>
    text.replaceAll(script, nextScript).replaceAll(version, "0123456789abcdef");
  const worker = next(read("service-worker.js"))
    .replaceAll(hashOf(page), hashOf(next(page)))
    .replaceAll(hashOf(read(script)), hashOf(source));
  rmSync(join(folder, script));
  writeFileSync(join(folder, nextScript), source);
  writeFileSync(join(folder, "index.html"), next(page));
  writeFileSync(join(folder, "service-worker.js"), worker);
  return folder;
}
