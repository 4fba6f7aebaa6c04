import { engineBuild } from "../data/index.js";
import type { WasmModule } from "./door.js";
import { describe, HeadscopeError } from "./errors.js";
import { inNode } from "./in-node.js";

/** Loads the wasm package: the build with SIMD where the machine has it, else the portable one. */
export async function loadWasm(): Promise<WasmModule> {
  try {
    const { module, url } = engineBuild() === "simd128" ? await simd128() : await portable();
    await module.default({ module_or_path: inNode ? await readBytes(url) : url });
    return module;
  } catch (thrown) {
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

interface Build {
  module: WasmModule;
  url: URL;
}

async function simd128(): Promise<Build> {
  return {
    module: await import("./wasm/simd128/headscope.js"),
    url: new URL("./wasm/simd128/headscope_bg.wasm", import.meta.url),
  };
}

async function portable(): Promise<Build> {
  return {
    module: await import("./wasm/portable/headscope.js"),
    url: new URL("./wasm/portable/headscope_bg.wasm", import.meta.url),
  };
}

/** Node has no fetch for files. */
async function readBytes(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const { readFile } = await import("node:fs/promises");
  return readFile(url);
}
