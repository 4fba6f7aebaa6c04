import type { Worker as NodeWorker } from "node:worker_threads";
import { inNode } from "./in-node.js";
import { watchEnd, type Alive } from "./life.js";
import type { Message, Reply } from "./protocol.js";
import workerUrl from "./worker.ts?worker&url";

/** A connection to a thread that runs the engine. */
export interface Port {
  post(message: Message): void;
  onReply(listener: (reply: Reply) => void): void;
  /** The thread died by itself. */
  onFailure(listener: (reason: string) => void): void;
  /** Whether an answer is awaited: only then does it keep a Node process alive. */
  setBusy(busy: boolean): void;
  close(): void;
}

/** How to start a thread; asked for once, so that a restart need not wait. */
export async function portFactory(): Promise<() => Port> {
  if (!inNode) return browserPort;
  const threads = await import("node:worker_threads");
  return () => nodePort(new threads.Worker(new URL(workerUrl)));
}

/** Locks are shared by all pages of a host: no two threads may have one name. */
let started = 0;

function browserPort(): Port {
  const address = ownAddress(workerUrl);
  started += 1;
  const name = `headscope ${performance.timeOrigin} ${started}`;
  const worker = new Worker(address, { type: "module", name });
  const end = new AbortController();
  // Until its first word the script may still be on its way from there.
  const forget = (): void => URL.revokeObjectURL(address);
  worker.addEventListener("message", forget, { once: true });
  worker.addEventListener("error", forget, { once: true });
  return {
    post: (message) => worker.postMessage(message),
    onReply: (listener) =>
      worker.addEventListener("message", ({ data }: MessageEvent<Reply | Alive>) => {
        if (data.kind !== "alive") listener(data);
      }),
    onFailure: (listener) => {
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        listener(event.message || "its script could not be loaded");
      });
      worker.addEventListener("messageerror", () => listener("a message could not be read"));
      worker.addEventListener("message", ({ data }: MessageEvent<Reply | Alive>) => {
        if (data.kind === "alive")
          watchEnd(name, end.signal, () => listener("it was ended from outside"));
      });
    },
    setBusy: () => undefined,
    close: () => {
      forget();
      end.abort();
      worker.terminate();
    },
  };
}

/** Browsers start a thread only from the page's own host; one that imports the script may come from another. */
function ownAddress(script: string): string {
  const { href, origin } = new URL(script, self.location.href);
  if (origin === self.location.origin) return script;
  return URL.createObjectURL(
    new Blob([`import ${JSON.stringify(href)};`], { type: "text/javascript" }),
  );
}

function nodePort(worker: NodeWorker): Port {
  worker.unref();
  return {
    post: (message) => worker.postMessage(message),
    onReply: (listener) => void worker.on("message", listener),
    onFailure: (listener) => {
      worker.on("error", (error) =>
        listener(error instanceof Error ? error.message : String(error)),
      );
      worker.on("exit", (code) => listener(`exit code ${code}`));
    },
    setBusy: (busy) => (busy ? worker.ref() : worker.unref()),
    close: () => {
      worker.removeAllListeners();
      void worker.terminate();
    },
  };
}
