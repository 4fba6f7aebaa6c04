import type { Engine } from "./engage.js";
import type { WasmPackage, WasmLab, WasmModule } from "./protocol.js";
import { describe, HeadscopeError } from "./errors.js";
import { attempt, blocked, fetchEngineFile } from "./fetch-file.js";
import { inNode } from "./in-node.js";
import type { WasmFiles } from "./protocol.js";

/** Loads the wasm that runs models on a CPU or on WebGPU. */
export function loadWasm(engine: Engine, files: WasmFiles): Promise<WasmModule> {
  return started(BUILDS[engine], files[engine]);
}

/** Loads the laboratories, which need no model and are a file of their own. */
export function loadLab(files: WasmFiles): Promise<WasmLab> {
  return started(() => import("./wasm/lab/headscope_lab.js"), files.lab);
}

const BUILDS: Record<Engine, () => Promise<WasmModule>> = {
  cpu: () => import("./wasm/simd128/headscope.js"),
  webgpu: () => import("./wasm/webgpu/headscope_gpu.js"),
};

/** A module that runs is not fetched again. */
const running = new WeakSet<WasmPackage>();

async function started<M extends WasmPackage>(
  imports: () => Promise<M>,
  address: string,
): Promise<M> {
  try {
    const module = await imported(imports);
    if (running.has(module)) return module;
    const url = new URL(address);
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
        expected:
          "a browser that runs WebAssembly with SIMD, and the engine's .wasm file beside the page",
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

/** Node has no fetch for files. */
function readBytes(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  return process.getBuiltinModule("fs/promises").readFile(url);
}
