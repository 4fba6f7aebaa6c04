import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { TRAP_MODULE } from "../../www/engine/testing/fake-wasm.js";
import type * as Headscope from "../../www/headscope.js";
import { folder as packageFolder } from "./package.js";
import { caseNamed, folderOf } from "./reference.js";

const { ids, read_ids: read } = caseNamed("marian-tiny", "written-to-the-end-token");
const HEAD = { stack: "encoder", layer: 0, head: 0 } as const;

/**
 * Makes the thread trap once where the core's futures are driven on, as soon as the file
 * `armed` lies beside it: the promise that waits for the future is then never settled.
 */
const SABOTAGE = `
import { existsSync as armedBy, rmSync as disarm } from "node:fs";
const trap = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.of(${TRAP_MODULE.join(", ")}))).exports.t;
const schedule = globalThis.queueMicrotask;
const fuse = new URL("./armed", import.meta.url);
globalThis.queueMicrotask = (task) => schedule(() => {
  if (armedBy(fuse)) {
    disarm(fuse);
    trap();
  }
  task();
});
`;

describe("when wasm traps", () => {
  const folder = mkdtempSync(join(tmpdir(), "headscope-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const trapNext = (): void => writeFileSync(join(folder, "armed"), "");

  it("what waits is rejected, what is read of lost runs too, and the next run goes on", async () => {
    cpSync(fileURLToPath(packageFolder), folder, { recursive: true });
    const worker = join(folder, "worker.js");
    writeFileSync(worker, SABOTAGE + readFileSync(worker, "utf8"));
    const { loadModel } = (await import(
      pathToFileURL(join(folder, "headscope.js")).href
    )) as typeof Headscope;
    const model = await loadModel(folderOf("marian-tiny"));
    const restarted = vi.fn();
    model.onRestart(restarted);
    const trapped = { code: "engine/crashed", got: "unreachable" };
    const run = await model.run({ ids });
    trapNext();
    await expect(run.attention(HEAD)).rejects.toMatchObject(trapped);
    await expect(run.attention(HEAD)).rejects.toMatchObject({ code: "engine/crashed" });
    await vi.waitFor(() => expect(restarted).toHaveBeenCalledTimes(1));
    trapNext();
    await expect(model.run({ ids })).rejects.toMatchObject(trapped);
    const next = await model.run({ ids });
    expect(next.targetTokens.map(({ id }) => id)).toEqual(read);
    expect(restarted).toHaveBeenCalledTimes(2);
    model.dispose();
  });
});
