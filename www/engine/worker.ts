import { findAdapter } from "./backend.js";
import { describe, HeadscopeError, refuse } from "./errors.js";
import { attempt, blocked, fetchEngineFile } from "./fetch-file.js";
import { Host, type Surroundings } from "./host.js";
import { builtin, inNode } from "./in-node.js";
import type { Build, Files, FromThread, Message, WasmModule, WasmPackage } from "./protocol.js";

const BUILDS: Record<Build, () => Promise<WasmModule>> = {
  cpu: () => import("./wasm/simd128/headscope.js"),
  webgpu: () => import("./wasm/webgpu/headscope_gpu.js"),
};

/** Two frames of the page: one for the pattern, one for the first word. */
const REST_MILLIS = 33;

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
    // Chromium, Firefox and Safari say so only in their sentences.
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

function serve(post: Surroundings["post"]): (message: Files | Message) => void {
  let host: Host | undefined;
  return (message) => {
    if (message.kind !== "files") host?.receive(message);
    else
      host = new Host({
        findAdapter,
        loadWasm: (build) => started(BUILDS[build], message.wasm[build]),
        loadLab: () => started(() => import("./wasm/lab/headscope_lab.js"), message.wasm.lab),
        post,
        pause: pauseByMessage(),
        rest: () => new Promise((resolve) => setTimeout(resolve, REST_MILLIS)),
      });
  };
}

/** A message to oneself queues behind those that have arrived, and unlike a timer is never delayed. */
function pauseByMessage(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
}

if (inNode) {
  const { parentPort } = builtin("worker_threads");
  const receive = serve((reply, transfer) => parentPort?.postMessage(reply, transfer));
  parentPort?.on("message", receive);
} else {
  const tell = (message: FromThread, transfer: ArrayBuffer[] = []): void =>
    self.postMessage(message, { transfer });
  const receive = serve(tell);
  self.addEventListener("message", (event: MessageEvent<Files | Message>) => receive(event.data));
  tell({ kind: "started" });
  // The lock of the thread's name is held for as long as it lives. An address that is not safe has no locks, and a frame
  // without an origin may not ask for one.
  const holding = (): Promise<never> => {
    tell({ kind: "alive" });
    return new Promise(() => undefined);
  };
  const { locks } = navigator as Partial<Navigator>;
  if (self.name !== "") locks?.request(self.name, holding).catch(() => undefined);
}
