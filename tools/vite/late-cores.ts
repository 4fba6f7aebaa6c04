/**
 * Leaves the Rust core out of the bundle: the server provides each of its files once it is built
 * (`tools/serve/main.js --cores`). On the CPU, that is the quick build, with relaxed SIMD or
 * without.
 */

import type { Plugin } from "vite";

const SCRIPT = /^\.{1,2}\/(?:engine\/)?wasm\/(\w+)\/(\w+\.js)$/;
/** The address of a file of a core, on one line or on several. */
const FILE =
  /new URL\(\s*"\.{1,2}\/wasm\/(\w+)\/(\w+\.wasm)\?no-inline",\s*import\.meta\.url,?\s*\)/g;

export function lateCores(): Plugin {
  return {
    name: "headscope-late-cores",
    apply: "build",
    enforce: "pre",
    resolveId(source) {
      const [, core, file] = SCRIPT.exec(source) ?? [];
      if (core === undefined || file === undefined) return null;
      return { id: addressOf(core, file), external: "absolute" };
    },
    transform: {
      filter: { code: FILE },
      handler: (code) => ({
        code: code.replaceAll(FILE, (_, core: string, file: string) => {
          const address = JSON.stringify(addressOf(core, file));
          return `new URL(/* @vite-ignore */ ${address}, import.meta.url)`;
        }),
        map: null,
      }),
    },
  };
}

function addressOf(core: string, file: string): string {
  return core === "simd128" || core === "relaxed"
    ? `/cores/quick/${file.replace("_relaxed", "")}`
    : `/cores/${core}/${file}`;
}
