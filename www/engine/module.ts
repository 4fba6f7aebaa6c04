import type { WasmModule } from "./door.js";
import { describe, HeadscopeError } from "./errors.js";
import { inNode } from "./in-node.js";

// The smallest module that uses a 128-bit vector: () -> v128 { i32.const 0; i8x16.splat; i8x16.popcnt }.
const SIMD_PROBE = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
);

/** Loads the wasm package: the build with SIMD where the machine has it, else the portable one. */
export async function loadWasm(): Promise<WasmModule> {
  try {
    const { module, url } = WebAssembly.validate(SIMD_PROBE) ? await simd128() : await portable();
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
