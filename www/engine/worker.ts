import { findAdapter } from "./adapter.js";
import { Host } from "./host.js";
import { inNode } from "./in-node.js";
import { live, type Started } from "./life.js";
import { loadLab, loadWasm } from "./module.js";
import type { Message, Reply } from "./protocol.js";

type Post = (reply: Reply, transfer: ArrayBuffer[]) => void;

function serve(post: Post): (message: Message) => void {
  const host = new Host({ findAdapter, loadWasm, loadLab, post, pause: pauseByMessage(), rest });
  return (message) => host.receive(message);
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
  void import("node:worker_threads").then(({ parentPort }) => {
    parentPort?.on(
      "message",
      serve((reply, transfer) => parentPort.postMessage(reply, transfer)),
    );
  });
} else {
  const receive = serve((reply, transfer) => self.postMessage(reply, { transfer }));
  self.addEventListener("message", (event: MessageEvent<Message>) => receive(event.data));
  self.postMessage({ kind: "started" } satisfies Started);
  live(self.name, (alive) => self.postMessage(alive));
}
