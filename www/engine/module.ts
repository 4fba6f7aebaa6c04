import { engineBuild } from "../data/index.js";
import type { Engine } from "./engage.js";
import type { Starts, WasmLab, WasmModule } from "./door.js";
import { describe, HeadscopeError } from "./errors.js";
import { attempt, blocked, fetchEngineFile } from "./fetch-file.js";
import { inNode } from "./in-node.js";

/** Loads what runs models: for a CPU the build with SIMD where the machine has it, else the portable one. */
export function loadWasm(engine: Engine): Promise<WasmModule> {
  if (engine === "webgpu") return started(webgpu);
  return started(engineBuild() === "simd128" ? simd128 : portable);
}

/** Loads the laboratories, which need no model and are a file of their own. */
export function loadLab(): Promise<WasmLab> {
  return started(laboratories);
}

interface Build<M extends Starts> {
  module: M;
  url: URL;
}

/** A module that runs is not fetched again. */
const running = new WeakSet<Starts>();

async function started<M extends Starts>(imports: () => Promise<Build<M>>): Promise<M> {
  try {
    const { module, url } = await imported(imports);
    if (running.has(module)) return module;
    await module.default({
      module_or_path: inNode ? await readBytes(url) : await fetchEngineFile(url),
    });
    running.add(module);
    return module;
  } catch (thrown) {
    if (thrown instanceof HeadscopeError) throw thrown;
    // Chromium, Firefox and Safari say so only in their sentences.
    if (/Content Security Policy|CSP|unsafe-eval/.test(describe(thrown)))
      throw blocked("WebAssembly ('wasm-unsafe-eval')", "script-src");
    throw new HeadscopeError(
      {
        code: "load/wasm",
        doing: "starting the engine",
        expected: "a browser that runs WebAssembly, and the engine's .wasm file beside the page",
        got: describe(thrown),
        message: `The engine could not start: ${describe(thrown)}. Use a current browser, and check that the .wasm files were deployed with the page.`,
      },
      { cause: thrown },
    );
  }
}

/** Imports the engine's scripts. An import that fails gives no reason, so the address in its message is asked for one. */
async function imported<T>(imports: () => Promise<T>): Promise<T> {
  try {
    return await attempt({ name: "a script", url: new URL(import.meta.url) }, imports);
  } catch (thrown) {
    const [address] = /https?:\/\/\S+/.exec(describe(thrown)) ?? [];
    if (address !== undefined && !(thrown instanceof HeadscopeError))
      await fetchEngineFile(new URL(address));
    throw thrown;
  }
}

async function simd128(): Promise<Build<WasmModule>> {
  return {
    module: await import("./wasm/simd128/headscope.js"),
    url: new URL("./wasm/simd128/headscope_bg.wasm", import.meta.url),
  };
}

async function portable(): Promise<Build<WasmModule>> {
  return {
    module: await import("./wasm/portable/headscope.js"),
    url: new URL("./wasm/portable/headscope_bg.wasm", import.meta.url),
  };
}

async function webgpu(): Promise<Build<WasmModule>> {
  return {
    module: await import("./wasm/webgpu/headscope_gpu.js"),
    url: new URL("./wasm/webgpu/headscope_gpu_bg.wasm", import.meta.url),
  };
}

async function laboratories(): Promise<Build<WasmLab>> {
  return {
    module: await import("./wasm/lab/headscope_lab.js"),
    url: new URL("./wasm/lab/headscope_lab_bg.wasm", import.meta.url),
  };
}

/** Node has no fetch for files. */
async function readBytes(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const { readFile } = await import("node:fs/promises");
  return readFile(url);
}
