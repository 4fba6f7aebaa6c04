import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { TRAP_MODULE } from "../../www/engine/testing/fake-wasm.js";
import type * as Headscope from "../../www/headscope.js";
import type { Model } from "../../www/headscope.js";
import { folder as packageFolder } from "./package.js";
import { caseNamed, folderOf } from "./reference.js";

const { ids, read_ids: read } = caseNamed("marian-tiny", "written-to-the-end-token");

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
  let loadModel: typeof Headscope.loadModel;
  let model: Model;

  const trapNext = (): void => writeFileSync(join(folder, "armed"), "");

  beforeAll(async () => {
    cpSync(fileURLToPath(packageFolder), folder, { recursive: true });
    const worker = join(folder, "worker.js");
    writeFileSync(worker, SABOTAGE + readFileSync(worker, "utf8"));
    ({ loadModel } = (await import(
      pathToFileURL(join(folder, "headscope.js")).href
    )) as typeof Headscope);
  });
  beforeEach(async () => {
    model = await loadModel(folderOf("marian-tiny"));
    return () => model.dispose();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("the run that waits is rejected, and the next one runs", async () => {
    const restarted = vi.fn();
    model.onRestart(restarted);
    trapNext();
    await expect(model.run({ ids })).rejects.toMatchObject({
      code: "engine/crashed",
      got: "unreachable",
    });
    const next = await model.run({ ids });
    expect(next.targetTokens.map(({ id }) => id)).toEqual(read);
    expect(restarted).toHaveBeenCalledTimes(1);
  });

  it("the reading that waits is rejected, and so is what is read of lost runs", async () => {
    const run = await model.run({ ids });
    trapNext();
    await expect(run.attention({ stack: "encoder", layer: 0, head: 0 })).rejects.toMatchObject({
      code: "engine/crashed",
      got: "unreachable",
    });
    await expect(run.hidden({ stack: "encoder", layer: 0 })).rejects.toMatchObject({
      code: "engine/crashed",
    });
    await expect(model.run({ ids })).resolves.toBeDefined();
  });
});
