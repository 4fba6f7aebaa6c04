import { findAdapter } from "./adapter.js";
import { Host } from "./host.js";
import { inNode } from "./in-node.js";
import { live, type Started } from "./life.js";
import { loadLab, loadWasm } from "./module.js";
import type { Files, Message, Reply } from "./protocol.js";

type Post = (reply: Reply, transfer: ArrayBuffer[]) => void;

function serve(post: Post): (message: Files | Message) => void {
  let host: Host | undefined;
  return (message) => {
    if (message.kind !== "files") host?.receive(message);
    else
      host = new Host({
        findAdapter,
        loadWasm: (engine) => loadWasm(engine, message.wasm),
        loadLab: () => loadLab(message.wasm),
        post,
        pause: pauseByMessage(),
        rest,
      });
  };
}

/** Two frames of the page: one for the pattern, one for the first word. */
const REST_MILLIS = 33;

function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, REST_MILLIS));
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
  const { parentPort } = process.getBuiltinModule("worker_threads");
  parentPort?.on(
    "message",
    serve((reply, transfer) => parentPort.postMessage(reply, transfer)),
  );
} else {
  const receive = serve((reply, transfer) => self.postMessage(reply, { transfer }));
  self.addEventListener("message", (event: MessageEvent<Files | Message>) => receive(event.data));
  self.postMessage({ kind: "started" } satisfies Started);
  live(self.name, (alive) => self.postMessage(alive));
}
