import { trustedScript } from "../data/index.js";
import { describe, HeadscopeError } from "./errors.js";
import { attempt, fetchEngineFile } from "./fetch-file.js";
import { builtin, inNode } from "./in-node.js";
import type { Files, FromThread, Message, Reply } from "./protocol.js";
import workerUrl from "./worker.ts?worker&url";

/** A connection to a thread that runs the engine. */
export interface Thread {
  post(message: Message): void;
  onReply(listener: (reply: Reply) => void): void;
  /** The thread died by itself, or its script could not be loaded: then the reason has a code. */
  onFailure(listener: (reason: string | HeadscopeError) => void): void;
  /** Whether an answer is awaited: only then does it keep a Node process alive. */
  setBusy(busy: boolean): void;
  close(): void;
}

/** Starts a thread. */
export function startThread(): Thread {
  const files: Files = {
    kind: "files",
    wasm: {
      cpu: new URL("./wasm/simd128/headscope_bg.wasm?no-inline", import.meta.url).href,
      webgpu: new URL("./wasm/webgpu/headscope_gpu_bg.wasm?no-inline", import.meta.url).href,
      lab: new URL("./wasm/lab/headscope_lab_bg.wasm?no-inline", import.meta.url).href,
    },
  };
  return inNode ? nodeThread(files) : browserThread(files);
}

/** Locks are shared by all pages of a host: no two threads may have one name. */
let started = 0;

type Failure = string | HeadscopeError | null;

function browserThread(files: Files): Thread {
  const address = ownAddress(workerUrl);
  const name = `headscope ${performance.timeOrigin} ${++started}`;
  const closed = new AbortController();
  // Until its first message the script may still be on its way.
  const revoke = (): void => URL.revokeObjectURL(address);
  const none = (): void => undefined;
  let worker: Worker;
  try {
    worker = new Worker(trustedScript(address), { type: "module", name });
    worker.postMessage(files);
  } catch (thrown) {
    revoke();
    const failure = startFailure(address, Promise.reject(new Error(describe(thrown))));
    const onFailure: Thread["onFailure"] = (listener) =>
      void failure.then((reason) => reason !== null && listener(reason));
    return { post: none, onReply: none, onFailure, setBusy: none, close: none };
  }
  worker.addEventListener("message", revoke, { once: true });
  worker.addEventListener("error", revoke, { once: true });
  const failure = startFailure(address, firstMessage(worker, closed.signal));
  const receive = (listener: (message: FromThread) => void): void =>
    worker.addEventListener("message", ({ data }: MessageEvent<FromThread>) => listener(data));
  return {
    post: (message) => worker.postMessage(message),
    onReply: (listener) =>
      receive((message) => {
        if (message.kind !== "alive" && message.kind !== "started") listener(message);
      }),
    onFailure: (listener) => {
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        if (event.message) listener(event.message);
      });
      void failure.then((reason) => reason !== null && listener(reason));
      worker.addEventListener("messageerror", () => listener("a message could not be read"));
      receive(({ kind }) => {
        // A browser does not report a thread that was ended from outside. Its lock is released in whatever way it ended.
        if (kind === "alive")
          void (navigator as Partial<Navigator>).locks
            ?.request(name, { signal: closed.signal }, () => listener("it was ended from outside"))
            .catch(none);
      });
    },
    setBusy: none,
    close: () => {
      revoke();
      closed.abort();
      worker.terminate();
    },
  };
}

/** Settles with a worker's first message or error, or when it is closed; rejects if its script was not loaded. */
function firstMessage(worker: Worker, closed: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", () => resolve(), { once: true });
    closed.addEventListener("abort", () => resolve());
    // An error without a message is none of the script's own.
    worker.addEventListener(
      "error",
      ({ message }) => (message ? resolve() : reject(new Error("its script could not be loaded"))),
      { once: true },
    );
  });
}

/** Why the worker at an address does not start; null if it does. */
async function startFailure(address: string, first: Promise<void>): Promise<Failure> {
  const url = new URL(workerUrl, self.location.href);
  try {
    await attempt(
      { name: "the worker", url },
      () => first,
      (uri) => address.startsWith(uri) || url.href.startsWith(uri),
    );
    return null;
  } catch (thrown) {
    if (thrown instanceof HeadscopeError) return thrown;
    const { message } = thrown as Error;
    // A worker does not say why its script cannot be loaded; a fetch of it does, unless that is forbidden.
    return fetchEngineFile(url).then(
      () => message,
      (refusal: unknown) =>
        refusal instanceof HeadscopeError && refusal.code !== "load/blocked" ? refusal : message,
    );
  }
}

/**
 * The address that a thread is started from. Browsers start one only from the page's own origin; one that imports the
 * script may come from another. A page without an origin, as in a sandboxed frame, may start none from an object URL.
 */
function ownAddress(script: string): string {
  const { href, origin } = new URL(script, self.location.href);
  if (origin === self.origin) return href;
  const code = `import ${JSON.stringify(href)};`;
  return self.origin === "null"
    ? `data:text/javascript,${encodeURIComponent(code)}`
    : URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
}

function nodeThread(files: Files): Thread {
  const { Worker } = builtin("worker_threads");
  const worker = new Worker(new URL(workerUrl));
  worker.unref();
  worker.postMessage(files);
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
