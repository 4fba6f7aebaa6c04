import type { Backend, Restart } from "./contract.js";
import {
  aborted,
  crashed,
  disposed,
  HeadscopeError,
  lostGpu,
  notRestarted,
  refuse,
} from "./errors.js";
import { Exchange, type CallOptions } from "./exchange.js";
import type { Port } from "./port.js";
import type { Calls, LoadedInfo, Query, RunState } from "./protocol.js";

/** What a model is made of; kept, so that a crashed engine can load it again. */
export interface ModelFiles {
  config: string;
  checkpoint: Blob;
  backend: Backend;
}

/**
 * The page's side of the protocol: one thread with one model. Starts a new thread when the old one dies; one that
 * computed on a GPU is followed by one that does not, since whatever it was, the GPU may have been the cause.
 */
export class Client {
  #exchange: Exchange | null = null;
  /** Settles when the present thread has its model. */
  #ready: Promise<LoadedInfo>;
  /** What is known of the model, as long as a thread has it. */
  #loaded: LoadedInfo | null = null;
  #backend: Backend;
  /** Counts threads: a run belongs to the one that computed it. */
  #epoch = 0;
  #disposed = false;
  /** The thread that was the last on a GPU, once that failed; 0 before. */
  #leftGpuWith = 0;
  /** Why it was started again last. */
  #last: Restart = { code: "engine/crashed", reason: "", leftGpu: false };
  readonly #restartListeners = new Set<(restart: Restart, info: LoadedInfo) => void>();

  private constructor(
    private readonly spawn: () => Port,
    private readonly files: ModelFiles,
  ) {
    this.#backend = files.backend;
    this.#ready = this.#start();
  }

  /** Starts a thread and loads the model there. */
  static async load(
    spawn: () => Port,
    files: ModelFiles,
    signal?: AbortSignal,
  ): Promise<{ client: Client; info: LoadedInfo }> {
    if (signal?.aborted === true) throw aborted("load");
    const client = new Client(spawn, files);
    const stop = (): void => client.#end(aborted("load"));
    signal?.addEventListener("abort", stop);
    try {
      return { client, info: await client.#ready };
    } catch (thrown) {
      client.dispose();
      throw thrown;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** Starts a run, under a name by which it can be read until it is released, even if it is stopped. */
  async begin(ask: Calls["begin"]["ask"], options: CallOptions): Promise<RunState> {
    if (options.signal?.aborted === true) throw aborted("run");
    if (this.#disposed) throw disposed();
    if (this.#exchange === null) this.#startAgain(this.#last);
    await this.#ready;
    return this.#open().send("begin", ask, options);
  }

  /** Asks a run of this epoch. */
  async query(epoch: number, run: number, query: Query): Promise<object> {
    if (this.#disposed) throw disposed();
    if (epoch !== this.#epoch)
      throw this.#lost(
        "the run was lost with the thread that computed it",
        epoch <= this.#leftGpuWith,
      );
    return this.#open().send("query", { run, query });
  }

  release(epoch: number, run: number): void {
    if (epoch === this.#epoch) this.#exchange?.post({ kind: "release", run });
  }

  /** Calls the listener after each restart; gives back how to stop that. */
  onRestart(listener: (restart: Restart, info: LoadedInfo) => void): () => void {
    this.#restartListeners.add(listener);
    return () => this.#restartListeners.delete(listener);
  }

  dispose(): void {
    this.#end(disposed());
  }

  #end(reason: HeadscopeError): void {
    this.#disposed = true;
    this.#close(reason);
  }

  /** What is said now goes to the present thread. */
  #open(): Exchange {
    if (this.#exchange === null) throw disposed();
    return this.#exchange;
  }

  async #start(): Promise<LoadedInfo> {
    const backend = this.#backend;
    try {
      return await this.#startOnce();
    } catch (thrown) {
      if (
        backend === "cpu" ||
        !(thrown instanceof HeadscopeError) ||
        thrown.code !== "engine/crashed"
      )
        throw thrown;
      if (backend === "webgpu")
        throw refuse(
          "gpu/unavailable",
          "the GPU",
          `a device that takes the model; use the backend "cpu" or "auto" instead`,
          thrown.got,
        );
      // Others may have begun anew meanwhile.
      if (this.#disposed || this.#exchange !== null) throw thrown;
      this.#backend = "cpu";
      return this.#startOnce();
    }
  }

  async #startOnce(): Promise<LoadedInfo> {
    // Counted first: the runs of the thread before are lost, whatever becomes of this one.
    this.#epoch += 1;
    const exchange = new Exchange(this.spawn(), (reason, silent) => this.#crash(reason, silent));
    this.#exchange = exchange;
    try {
      const info = await exchange.send("load", { ...this.files, backend: this.#backend });
      this.#loaded = info;
      return info;
    } catch (thrown) {
      // A thread without a model is of no use.
      if (exchange === this.#exchange) this.#close(disposed());
      throw thrown;
    }
  }

  /** A new thread with the same model, after the one before died. */
  #startAgain(restart: Restart): void {
    this.#last = restart;
    this.#ready = this.#start().catch((thrown: unknown) => {
      throw this.#disposed ? disposed() : notRestarted(thrown);
    });
    this.#ready.then(
      (info) => this.#restartListeners.forEach((listener) => listener(restart, info)),
      () => undefined, // Whoever waits is told by `#ready` itself, and the next run tries again.
    );
  }

  /** What was being computed is lost; the model is loaded again, unless loading is what failed: then it is for who loads to go on. */
  #crash(reason: string | HeadscopeError, silent: boolean): void {
    const loaded = this.#loaded;
    if (loaded === null || typeof reason !== "string") {
      this.#close(crashed(reason, false));
      return;
    }
    const leftGpu = loaded.adapter !== null;
    this.#close(this.#lost(reason, leftGpu));
    if (leftGpu) {
      this.#backend = "cpu";
      this.#leftGpuWith = this.#epoch;
    }
    this.#startAgain({
      code: leftGpu ? (silent ? "gpu/silent" : "gpu/lost") : "engine/crashed",
      reason,
      leftGpu,
    });
  }

  /** What is told to whoever waits for a thread that died, or asks for what it had. */
  #lost(reason: string, onGpu: boolean): HeadscopeError {
    return onGpu ? lostGpu(reason) : crashed(reason, true);
  }

  /** Ends what is said with the present thread; whoever waits is told why. */
  #close(reason: HeadscopeError): void {
    this.#loaded = null;
    this.#exchange?.end(reason);
    this.#exchange = null;
  }
}
