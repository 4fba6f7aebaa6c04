/** The engine's wasm in this thread of Node, without a worker. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import type { RunRequest } from "../../www/data/index.js";
import { hasRelaxedSimd } from "../../www/data/browser.js";
import type { Query, WasmModel, WasmModule, WasmRun } from "../../www/engine/protocol.js";
import { openWeights } from "../../www/engine/weight-file.js";

// Node below 22 has relaxed SIMD behind a flag.
setFlagsFromString("--experimental-wasm-relaxed-simd");
export const isRelaxed = hasRelaxedSimd();

const WASM = resolve("www/engine/wasm");
let opened = 0;

export class Engine {
  private constructor(
    readonly model: WasmModel,
    private readonly memory: WebAssembly.Memory,
  ) {}

  /** Opens a model in a separate wasm memory. */
  static async open(folder: string, isNarrow = false): Promise<Engine> {
    // Each import is a separate module instance, with its own memory.
    const script = `${pathToFileURL(join(WASM, "simd128/headscope.js")).href}?${++opened}`;
    const module = (await import(script)) as WasmModule;
    const file = isRelaxed ? "relaxed/headscope_relaxed_bg.wasm" : "simd128/headscope_bg.wasm";
    const exports = await module.default({ module_or_path: readFileSync(join(WASM, file)) });
    const { memory } = exports as { memory: WebAssembly.Memory };
    const config = readFileSync(join(folder, "config.json"), "utf8");
    const weights = await openWeights("weights", join(folder, "model.safetensors"));
    const model = await module.WasmModel.load(config, [weights], isNarrow, undefined);
    return new Engine(model, memory);
  }

  get bytes(): number {
    return this.memory.buffer.byteLength;
  }

  /**
   * Runs a request; returns the finished run, its milliseconds, and those of the generated text.
   */
  async run(
    request: RunRequest,
    earlier?: WasmRun,
  ): Promise<{ run: WasmRun; took: number; wrote: number }> {
    const start = performance.now();
    const run = earlier ? this.model.beginAfter(request, earlier) : this.model.begin(request);
    let read = 0;
    for (;;) {
      const { finished, sourceReady } = await run.step();
      const now = performance.now();
      if (sourceReady && read === 0) read = now;
      if (finished) return { run, took: now - start, wrote: now - read };
    }
  }

  /** The milliseconds of a run, which is disposed of. */
  async time(request: RunRequest, earlier?: WasmRun): Promise<number> {
    const { run, took } = await this.run(request, earlier);
    run.free();
    return took;
  }

  async ask(run: WasmRun, query: Query): Promise<number> {
    const start = performance.now();
    await this.answer(run, query);
    return performance.now() - start;
  }

  async answer(run: WasmRun, query: Query, other = run): Promise<unknown> {
    const work = run.query(query, other);
    for (;;) {
      const answer: unknown = await work.step();
      if (answer === undefined) continue;
      work.free();
      return answer;
    }
  }
}
