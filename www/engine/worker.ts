import { findAdapter } from "./backend.js";
import { Host, type Surroundings } from "./host.js";
import { builtin, inNode } from "./in-node.js";
import type { Build, Files, FromThread, Message, WasmGradients, WasmModule } from "./protocol.js";
import { started } from "./start-wasm.js";

const importGradients = (): Promise<WasmGradients> =>
  import("./wasm/gradients/headscope_gradients.js");

const BUILDS: Record<Build, () => Promise<WasmModule | WasmGradients>> = {
  cpu: () => import("./wasm/simd128/headscope.js"),
  webgpu: () => import("./wasm/webgpu/headscope_gpu.js"),
  gradients: importGradients,
};

/**
 * The pause between two pieces of work: two frames of the page, one for the pattern, one for the
 * first token.
 */
const REST_MILLIS = 33;

function serve(post: Surroundings["post"]): (message: Files | Message) => void {
  let host: Host | undefined;
  return (message) => {
    if (message.kind !== "files") host?.receive(message);
    else {
      const pause = pauseByMessage();
      host = new Host({
        findAdapter,
        loadWasm: (build) => started(BUILDS[build], message.wasm[build]),
        loadDemos: () =>
          started(() => import("./wasm/demos/headscope_demos.js"), message.wasm.demos),
        loadTraining: async () => {
          const { TrainingHost } = await import("./training-host.js");
          return new TrainingHost(() => started(importGradients, message.wasm.gradients), pause);
        },
        post,
        pause,
        rest: () => new Promise((resolve) => setTimeout(resolve, REST_MILLIS)),
      });
    }
  };
}

/**
 * A pause by a message to this thread, which queues behind those that have arrived, and unlike a
 * timer is never delayed.
 */
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
  // The thread holds the lock of its name as long as it lives. An insecure address has no locks,
  // and a frame without an origin may not request one.
  const holding = (): Promise<never> => {
    tell({ kind: "alive" });
    return new Promise(() => undefined);
  };
  const { locks } = navigator as Partial<Navigator>;
  if (self.name !== "") locks?.request(self.name, holding).catch(() => undefined);
}
