/**
 * Starting of a wasm package of the engine, in a thread or on the page: its scripts are imported
 * and its file is fetched, once.
 */

import { describe, HeadscopeError, refuse } from "./errors.js";
import { attempt, blocked, fetchEngineFile } from "./fetch-file.js";
import { builtin, inNode } from "./in-node.js";
import type { WasmPackage } from "./protocol.js";

/** The packages that run; a running one is not fetched again. */
const running = new WeakSet<WasmPackage>();

/**
 * A running wasm package.
 * @throws load/wasm, load/blocked, load/engine-not-found, and what fetching a file of the engine
 *   throws
 */
export async function started<M extends WasmPackage>(
  imports: () => Promise<M>,
  address: string,
): Promise<M> {
  try {
    const module = await imported(imports);
    if (running.has(module)) return module;
    const url = new URL(address);
    await module.default({
      // Node has no fetch for files.
      module_or_path: inNode
        ? await builtin("fs/promises").readFile(url)
        : await fetchEngineFile(url),
    });
    running.add(module);
    return module;
  } catch (thrown) {
    if (thrown instanceof HeadscopeError) throw thrown;
    const got = describe(thrown);
    // Chromium, Firefox and Safari name the policy only in their error messages.
    if (/Content Security Policy|CSP|unsafe-eval/.test(got))
      throw blocked("WebAssembly ('wasm-unsafe-eval')", "script-src");
    throw refuse(
      "load/wasm",
      "starting the engine",
      "a browser that runs WebAssembly with SIMD, and the engine's .wasm file beside the page",
      got,
      `The engine could not start: ${got}. Use a current browser, and check that the .wasm files were deployed with the page.`,
      { cause: thrown },
    );
  }
}

/**
 * Imports the engine's scripts. A failed import gives no reason, so the address in its message is
 * fetched to find one.
 */
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
