import { hasRelaxedSimd } from "../data/browser.js";
import { trustedScript } from "../data/index.js";
import { describe, HeadscopeError } from "./errors.js";
import { attempt, fetchEngineFile } from "./fetch-file.js";
import { builtin, inNode } from "./in-node.js";
import type { Files, FromThread, Message, Reply } from "./protocol.js";
import workerUrl from "./worker.ts?worker&url";

/** A connection to a thread that runs the engine. */
export interface Thread {
  post(message: Message): void;
  /** Whether an answer is awaited: only then does it keep a Node process alive. */
  setBusy(busy: boolean): void;
  close(): void;
}

interface Listeners {
  onReply: (reply: Reply) => void;
  /** The thread died by itself, or its script could not be loaded: then the reason has a code. */
  onFailure: (reason: string | HeadscopeError) => void;
}

export type Spawn = (listeners: Listeners) => Thread;

export const startThread: Spawn = (listeners) => {
  const plain = new URL("./wasm/simd128/headscope_bg.wasm?no-inline", import.meta.url);
  const relaxed = new URL("./wasm/relaxed/headscope_relaxed_bg.wasm?no-inline", import.meta.url);
  const files: Files = {
    kind: "files",
    wasm: {
      // One script loads either.
      cpu: (hasRelaxedSimd() ? relaxed : plain).href,
      webgpu: new URL("./wasm/webgpu/headscope_gpu_bg.wasm?no-inline", import.meta.url).href,
      lab: new URL("./wasm/lab/headscope_lab_bg.wasm?no-inline", import.meta.url).href,
    },
  };
  return inNode ? nodeThread(files, listeners) : browserThread(files, listeners);
};

/** Locks are shared by all pages of a host: no two threads may have one name. */
let started = 0;

function browserThread(files: Files, { onReply, onFailure }: Listeners): Thread {
  const address = ownAddress(workerUrl);
  const name = `headscope ${performance.timeOrigin} ${++started}`;
  const closed = new AbortController();
  let worker: Worker | undefined;
  const isStarted = new Promise<void>((resolve, reject) => {
    // Until the first message or error the script may still be on its way.
    const settle = (failure?: string): void => {
      URL.revokeObjectURL(address);
      if (failure === undefined) resolve();
      else reject(new Error(failure));
    };
    closed.signal.addEventListener("abort", () => settle());
    try {
      worker = new Worker(trustedScript(address), { type: "module", name });
      worker.postMessage(files);
    } catch (thrown) {
      settle(describe(thrown));
      return;
    }
    worker.addEventListener("message", () => settle(), { once: true });
    worker.addEventListener("message", ({ data }: MessageEvent<FromThread>) => {
      if (data.kind === "alive")
        void whenFree(name, closed.signal).then(onFailure, () => undefined);
      else if (data.kind !== "started") onReply(data);
    });
    worker.addEventListener("messageerror", () => onFailure("a message could not be read"));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      // An error without a message is none of the script's own.
      settle(event.message ? undefined : "its script could not be loaded");
      if (event.message) onFailure(event.message);
    });
  });
  void startFailure(address, isStarted).then((reason) => reason !== null && onFailure(reason));
  return {
    post: (message) => worker?.postMessage(message),
    setBusy: () => undefined,
    close: () => {
      closed.abort();
      worker?.terminate();
    },
  };
}

/** A browser does not report a thread that was ended from outside. Its lock is released in whatever way it ended. */
async function whenFree(name: string, signal: AbortSignal): Promise<string> {
  const { locks } = navigator as Partial<Navigator>;
  if (!locks) return new Promise(() => undefined);
  return locks.request(name, { signal }, () => "it was ended from outside");
}

/** Why the worker at an address does not start; null if it does. */
async function startFailure(
  address: string,
  isStarted: Promise<void>,
): Promise<string | HeadscopeError | null> {
  const url = new URL(workerUrl, self.location.href);
  try {
    await attempt(
      { name: "the worker", url },
      () => isStarted,
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

function nodeThread(files: Files, { onReply, onFailure }: Listeners): Thread {
  const { Worker } = builtin("worker_threads");
  // Options of the process, such as --input-type, may be none of a worker's.
  const worker = new Worker(new URL(workerUrl), { execArgv: [] });
  worker.unref();
  worker.postMessage(files);
  worker.on("message", onReply);
  worker.on("error", (error) => onFailure(error instanceof Error ? error.message : String(error)));
  worker.on("exit", (code) => onFailure(`exit code ${code}`));
  return {
    post: (message) => worker.postMessage(message),
    setBusy: (busy) => (busy ? worker.ref() : worker.unref()),
    close: () => {
      worker.removeAllListeners();
      void worker.terminate();
    },
  };
}
