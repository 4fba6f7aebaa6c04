import type { CoreInfo } from "../data/index.js";
import { aborted, crashed, disposed, HeadscopeError, notRestarted, refuse } from "./errors.js";
import type { Port } from "./port.js";
import type { Call, CallKind, Calls, ReadKind, Reads, Reply, RunState } from "./protocol.js";

interface Pending {
  resolve(value: Calls[CallKind]["answer"]): void;
  reject(error: HeadscopeError): void;
  onProgress: ((state: RunState) => void) | undefined;
}

interface CallOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((state: RunState) => void) | undefined;
}

/** What a model is made of; kept, so that a crashed engine can load it again. */
export interface ModelFiles {
  config: string;
  checkpoint: Blob;
}

/**
 * The page's side of the protocol: one thread with one model. Matches answers to questions,
 * stops what is aborted, and starts a new thread when the old one dies.
 */
export class Client {
  #port: Port | null = null;
  /** Settles when the present thread has its model. */
  #ready: Promise<CoreInfo>;
  #loaded = false;
  /** Counts threads: a run belongs to the one that computed it. */
  #epoch = 0;
  #nextId = 1;
  #disposed = false;
  readonly #pending = new Map<number, Pending>();
  readonly #restartListeners = new Set<() => void>();

  private constructor(
    private readonly spawn: () => Port,
    private readonly files: ModelFiles,
  ) {
    this.#ready = this.#start();
  }

  /** Starts a thread and loads the model there. */
  static async load(spawn: () => Port, files: ModelFiles, signal?: AbortSignal): Promise<{ client: Client; info: CoreInfo }> {
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
    if (this.#port === null) this.#startAgain();
    await this.#ready;
    return this.#send("begin", ask, options);
  }

  /** Reads from a run of this epoch. */
  async read<K extends ReadKind>(epoch: number, run: number, what: K, ask: Reads[K]["ask"]): Promise<Reads[K]["answer"]> {
    if (this.#disposed) throw disposed();
    if (epoch !== this.#epoch) throw crashed("the run was lost with the thread that computed it", true);
    // The protocol pairs each question with its answer; what crosses a thread has lost its type.
    return this.#send("read", { run, read: { what, ...ask } as Calls["read"]["ask"]["read"] }, {});
  }

  release(epoch: number, run: number): void {
    if (epoch === this.#epoch) this.#port?.post({ kind: "release", run });
  }

  /** Calls the listener after each restart; gives back how to stop that. */
  onRestart(listener: () => void): () => void {
    this.#restartListeners.add(listener);
    return () => this.#restartListeners.delete(listener);
  }

  dispose(): void {
    this.#end(disposed());
  }

  #end(reason: HeadscopeError): void {
    this.#disposed = true;
    this.#close();
    this.#rejectAll(reason);
  }

  #send<K extends CallKind>(kind: K, ask: Calls[K]["ask"], { signal, onProgress }: CallOptions): Promise<Calls[K]["answer"]> {
    return new Promise<Calls[K]["answer"]>((resolve, reject) => {
      const port = this.#port;
      if (port === null || signal?.aborted === true) {
        reject(port === null ? disposed() : aborted("run"));
        return;
      }
      const id = this.#nextId++;
      const stop = (): void => {
        port.post({ kind: "abort", id });
        settle(() => reject(aborted("run")));
      };
      const settle = (finish: () => void): void => {
        this.#pending.delete(id);
        signal?.removeEventListener("abort", stop);
        if (this.#pending.size === 0) port.setBusy(false);
        finish();
      };
      try {
        port.post({ kind: "call", id, call: { kind, ...ask } as Call });
      } catch {
        reject(refuse("input/malformed", "the request", "plain data", "something that cannot be sent to the engine, such as a function"));
        return;
      }
      this.#pending.set(id, {
        resolve: (value) => settle(() => resolve(value)),
        reject: (error) => settle(() => reject(error)),
        onProgress,
      });
      signal?.addEventListener("abort", stop);
      port.setBusy(true);
    });
  }

  async #start(): Promise<CoreInfo> {
    // Counted first: the runs of the thread before are lost, whatever becomes of this one.
    this.#epoch += 1;
    const port = this.spawn();
    this.#port = port;
    port.onReply((reply) => {
      if (port === this.#port) this.#receive(reply);
    });
    port.onFailure((reason) => {
      if (port === this.#port) this.#crash(reason);
    });
    try {
      const info = await this.#send("load", this.files, {});
      this.#loaded = true;
      return info;
    } catch (thrown) {
      // A thread without a model is of no use.
      if (port === this.#port) this.#close();
      throw thrown;
    }
  }

  /** A new thread with the same model, after the one before died. */
  #startAgain(): void {
    this.#ready = this.#start().catch((thrown: unknown) => {
      throw this.#disposed ? disposed() : notRestarted(thrown);
    });
    this.#ready.then(
      () => this.#restartListeners.forEach((listener) => listener()),
      () => undefined, // Whoever waits is told by `#ready` itself, and the next run tries again.
    );
  }

  #receive(reply: Reply): void {
    if (reply.kind === "fatal") {
      this.#crash(reply.reason);
      return;
    }
    // Answers to what was aborted meanwhile find nobody waiting.
    const pending = this.#pending.get(reply.id);
    if (reply.kind === "value") pending?.resolve(reply.value);
    else if (reply.kind === "failure") pending?.reject(new HeadscopeError(reply.failure));
    else pending?.onProgress?.(reply.state);
  }

  /** What was being computed is lost; the model is loaded again, unless loading is what failed. */
  #crash(reason: string): void {
    const again = this.#loaded;
    this.#close();
    this.#rejectAll(crashed(reason, again));
    if (again) this.#startAgain();
  }

  #close(): void {
    this.#loaded = false;
    this.#port?.close();
    this.#port = null;
  }

  #rejectAll(error: HeadscopeError): void {
    for (const pending of [...this.#pending.values()]) pending.reject(error);
  }
}
