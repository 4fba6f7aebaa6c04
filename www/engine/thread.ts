import { hasRelaxedSimd } from "../data/browser.js";
import { trustedScript } from "../data/index.js";
import { describe, HeadscopeError } from "./errors.js";
import {
  attempt,
  blocked,
  fetchEngineFile,
  named,
  REPORT_MILLIS,
  type RemoteFile,
} from "./fetch-file.js";
import { builtin, inNode } from "./in-node.js";
import type { Files, FromThread, Message, Reply } from "./protocol.js";
import workerUrl from "./worker.ts?worker&url";

/** A connection to a thread that runs the engine. */
export interface Thread {
  post(message: Message): void;
  /** Sets whether an answer is awaited: only then does the thread keep a Node process alive. */
  setBusy(busy: boolean): void;
  close(): void;
}

interface Listeners {
  onReply: (reply: Reply) => void;
  /**
   * Called when the thread has died, or its script could not be loaded: then the reason has a code.
   */
  onFailure: (reason: string | HeadscopeError) => void;
}

export type Spawn = (listeners: Listeners) => Thread;

export const startThread: Spawn = (listeners) => {
  const plain = new URL("./wasm/simd128/headscope_bg.wasm?no-inline", import.meta.url);
  const relaxed = new URL("./wasm/relaxed/headscope_relaxed_bg.wasm?no-inline", import.meta.url);
  const gpu = new URL("./wasm/webgpu/headscope_gpu_bg.wasm?no-inline", import.meta.url);
  const demos = new URL("./wasm/demos/headscope_demos_bg.wasm?no-inline", import.meta.url);
  const gradients = new URL(
    "./wasm/gradients/headscope_gradients_bg.wasm?no-inline",
    import.meta.url,
  );
  const files: Files = {
    kind: "files",
    // One script loads either.
    wasm: {
      cpu: addressOf(hasRelaxedSimd() ? relaxed : plain),
      webgpu: addressOf(gpu),
      gradients: addressOf(gradients),
      demos: addressOf(demos),
    },
  };
  return inNode ? nodeThread(files, listeners) : browserThread(files, listeners);
};

/**
 * An absolute address: some bundlers, such as Turbopack, give one without a host, which a thread
 * cannot complete.
 */
function addressOf({ href }: URL): string {
  return inNode ? href : new URL(href, self.location.href).href;
}

/** The number of threads started, for the names of locks, which all pages of a host share. */
let started = 0;

function browserThread(files: Files, { onReply, onFailure }: Listeners): Thread {
  const script = addressOf(new URL(workerUrl, self.location.href));
  const address = ownAddress(script);
  const name = `headscope ${performance.timeOrigin} ${++started}`;
  const closed = new AbortController();
  let worker: Worker | undefined;
  let hasStarted = false;
  // A script that imports the engine's loses messages that arrive before the engine listens.
  let waiting: (Files | Message)[] | null = address === script ? null : [];
  const post = (message: Files | Message): void => {
    if (waiting) waiting.push(message);
    else worker?.postMessage(message);
  };
  const isStarted = new Promise<void>((resolve, reject) => {
    // Until the first message or error the script may still be loading.
    const settle = (failure?: Error): void => {
      URL.revokeObjectURL(address);
      if (failure) reject(failure);
      else resolve();
    };
    closed.signal.addEventListener("abort", () => settle());
    try {
      worker = new Worker(trustedScript(address), { type: "module", name });
      post(files);
    } catch (thrown) {
      settle(new Error(describe(thrown)));
      return;
    }
    worker.addEventListener("message", ({ data }: MessageEvent<FromThread>) => {
      if (data.kind === "started") {
        hasStarted = true;
        settle();
        const sent = waiting ?? [];
        waiting = null;
        sent.forEach(post);
      } else if (data.kind === "blocked") {
        const what = script.startsWith(data.uri) ? named(workerFile(script)) : data.uri;
        settle(blocked(what, data.directive));
      } else if (data.kind === "alive")
        void whenFree(name, closed.signal).then(onFailure, () => undefined);
      else onReply(data);
    });
    worker.addEventListener("messageerror", () => onFailure("a message could not be read"));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      // An error without a message does not come from the script itself.
      const message = event.message || "its script could not be loaded";
      if (hasStarted) onFailure(message);
      else settle(new Error(message));
    });
  });
  void startFailure(script, address, isStarted).then((reason) => reason && onFailure(reason));
  return {
    post,
    setBusy: () => undefined,
    close: () => {
      closed.abort();
      worker?.terminate();
    },
  };
}

/**
 * Resolves when a thread has ended, in whatever way, since its lock is then free: a browser does
 * not report a thread that was ended from outside.
 */
async function whenFree(name: string, signal: AbortSignal): Promise<string> {
  const { locks } = navigator as Partial<Navigator>;
  if (!locks) return new Promise(() => undefined);
  return locks.request(name, { signal }, () => "it was ended from outside");
}

const workerFile = (script: string): RemoteFile => ({ name: "the worker", url: new URL(script) });

/** The reason why the worker with a script does not start from an address; null if it does. */
async function startFailure(
  script: string,
  address: string,
  isStarted: Promise<void>,
): Promise<string | HeadscopeError | null> {
  const file = workerFile(script);
  const { protocol } = new URL(address);
  try {
    await attempt(
      file,
      () => isStarted,
      (uri) => {
        if (script.startsWith(uri)) return named(file);
        // For an object URL browsers report the scheme alone, which is also the form in a policy.
        return address.startsWith(uri) ? `${protocol} (${file.name})` : null;
      },
    );
    return null;
  } catch (thrown) {
    if (thrown instanceof HeadscopeError) return thrown;
    const { message } = thrown as Error;
    // A worker gives no reason why its script cannot be loaded; a fetch of the script does, unless
    // that is forbidden.
    return fetchEngineFile(file.url).then(
      () => message,
      (refusal: unknown) =>
        refusal instanceof HeadscopeError && refusal.code !== "load/blocked" ? refusal : message,
    );
  }
}

/**
 * The address from which a thread is started. Browsers start threads only from the page's own
 * origin; a thread from an object URL can import a script of another origin by `import()`. That
 * needs the policy's `script-src`, which has the host already, as the page's own scripts come from
 * it. A violation is reported in the thread alone, some moments after the import has failed. A page
 * without an origin, as in a sandboxed frame, cannot start a thread from an object URL.
 */
function ownAddress(script: string): string {
  if (new URL(script).origin === self.origin) return script;
  const code = `
    addEventListener("securitypolicyviolation", ({ blockedURI: uri, effectiveDirective: directive }) =>
      postMessage({ kind: "blocked", uri, directive }));
    import(${JSON.stringify(script)}).catch((error) => setTimeout(reportError, ${REPORT_MILLIS}, error));`;
  return self.origin === "null"
    ? `data:text/javascript,${encodeURIComponent(code)}`
    : URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
}

function nodeThread(files: Files, { onReply, onFailure }: Listeners): Thread {
  const { Worker } = builtin("worker_threads");
  // Options of the process, such as --input-type, may be invalid for a worker.
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
