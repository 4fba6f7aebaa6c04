import type { Restart } from "./contract.js";
import {
  aborted,
  crashed,
  disposed,
  failureOf,
  HeadscopeError,
  lostGpu,
  notRestarted,
  refuse,
} from "./errors.js";
import type {
  Call,
  CallKind,
  Calls,
  GgufMetadata,
  LoadedInfo,
  NamedFile,
  RunState,
  DemoName,
  DemoCalls,
} from "./protocol.js";
import { type Spawn, type Thread, startThread } from "./thread.js";

interface Pending {
  /** Who asked, of several that share the thread. */
  owner: object | undefined;
  resolve: (value: Calls[CallKind]["answer"]) => void;
  reject: (error: HeadscopeError) => void;
  onProgress: ((state: RunState) => void) | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  owner?: object | undefined;
  onProgress?: ((state: RunState) => void) | undefined;
}

/** Calls to one thread: matches answers by id and sends aborts. */
export class Channel {
  #nextId = 1;
  /** The reason why the channel is closed. */
  #ended: HeadscopeError | null = null;
  readonly #thread: Thread;
  readonly #pending = new Map<number, Pending>();

  /**
   * `onCrash` is called when the thread cannot continue, with whether its GPU was silent; the
   * caller then ends the channel.
   */
  constructor(spawn: Spawn, onCrash: (reason: string | HeadscopeError, silent: boolean) => void) {
    const crash: typeof onCrash = (...given) => {
      if (this.#ended === null) onCrash(...given);
    };
    this.#thread = spawn({
      onFailure: (reason) => crash(reason, false),
      onReply: (reply) => {
        // An aborted call is no longer pending.
        const pending = reply.kind === "fatal" ? undefined : this.#pending.get(reply.id);
        if (reply.kind === "fatal") crash(reply.reason, reply.silent);
        else if (reply.kind === "value") pending?.resolve(reply.value);
        else if (reply.kind === "failure") pending?.reject(new HeadscopeError(reply.failure));
        else pending?.onProgress?.(reply.state);
      },
    });
  }

  send<K extends CallKind>(
    kind: K,
    ask: Calls[K]["ask"],
    { signal, onProgress, owner }: CallOptions = {},
  ): Promise<Calls[K]["answer"]> {
    return new Promise<Calls[K]["answer"]>((resolve, reject) => {
      const over = this.#ended ?? (signal?.aborted === true ? aborted("run") : null);
      if (over !== null) {
        reject(over);
        return;
      }
      const id = this.#nextId++;
      try {
        // The protocol pairs each question with its answer; a value from another thread has no
        // static
        // type.
        this.#thread.post({ kind: "call", id, call: { kind, ...ask } as Call });
      } catch {
        const got = "something that cannot be sent to the engine, such as a function";
        reject(refuse("input/malformed", "the request", "plain data", got));
        return;
      }
      const stop = (): void => {
        this.#thread.post({ kind: "abort", id });
        settle(() => reject(aborted("run")));
      };
      const settle = (finish: () => void): void => {
        this.#pending.delete(id);
        signal?.removeEventListener("abort", stop);
        if (this.#pending.size === 0) this.#thread.setBusy(false);
        finish();
      };
      this.#pending.set(id, {
        owner,
        resolve: (value) => settle(() => resolve(value)),
        reject: (error) => settle(() => reject(error)),
        onProgress,
      });
      signal?.addEventListener("abort", stop);
      this.#thread.setBusy(true);
    });
  }

  release(run: number): void {
    if (this.#ended === null) this.#thread.post({ kind: "release", run });
  }

  /** Stops what one owner asked and is waiting for. */
  endFor(owner: object, reason: HeadscopeError): void {
    for (const [id, pending] of [...this.#pending]) {
      if (pending.owner !== owner) continue;
      this.#thread.post({ kind: "abort", id });
      pending.reject(reason);
    }
  }

  end(reason: HeadscopeError): void {
    this.#ended = reason;
    this.#thread.close();
    for (const { reject } of [...this.#pending.values()]) reject(reason);
  }
}

/** The files of a model, from which a crashed engine is loaded again. */
export type ModelFiles = Calls["load"]["ask"];

/**
 * The page's side of the protocol: one thread with one model. If the thread ends, the client starts
 * a new one; a thread that computed on a GPU is replaced by one on the CPU, since the GPU may have
 * been the cause.
 */
export class Client {
  /** The channel to the present thread. A run belongs to the thread that computed it. */
  #channel: Channel | null = null;
  /** Settles when the present thread has loaded its model. */
  #ready: Promise<LoadedInfo>;
  /** Information about the model while a thread has it loaded. */
  #loaded: LoadedInfo | null = null;
  /** The metadata of a GGUF file, until the load returns them. */
  #metadata: GgufMetadata | null = null;
  #disposed = false;
  #lastRestart: Restart = { code: "engine/crashed", reason: "", leftGpu: false };
  readonly #restartListeners = new Set<(restart: Restart, info: LoadedInfo) => void>();

  private constructor(
    private readonly spawn: Spawn,
    private files: ModelFiles,
  ) {
    this.#ready = this.#start();
  }

  static async load(
    spawn: Spawn,
    files: ModelFiles,
    signal?: AbortSignal,
  ): Promise<{ client: Client; info: LoadedInfo; metadata: GgufMetadata | null }> {
    if (signal?.aborted === true) throw aborted("load");
    const client = new Client(spawn, files);
    const stop = (): void => client.dispose(aborted("load"));
    signal?.addEventListener("abort", stop);
    try {
      const info = await client.#ready;
      const metadata = client.#metadata;
      client.#metadata = null;
      return { client, info, metadata };
    } catch (thrown) {
      client.dispose();
      throw thrown;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  /** The channel to a thread with the model; a thread is started if there is none. */
  async open(): Promise<Channel> {
    if (this.#disposed) throw disposed();
    if (this.#channel === null) this.#startAgain(this.#lastRestart);
    await this.#ready;
    const channel = this.#present();
    if (channel === null) throw disposed();
    return channel;
  }

  /**
   * A client of the same files with a thread of its own, on another backend.
   * @throws input/unsupported-option for weights in bytes, and the errors of a load
   */
  async beside(backend: ModelFiles["backend"]): Promise<Client> {
    if (this.#disposed) throw disposed();
    const { config, generation, checkpoint, weights } = this.files;
    const expected = "stored: gradients are computed with the weights of the files";
    if (weights === "int8") throw refuse("input/unsupported-option", "weights", expected, weights);
    const files = { config, generation, checkpoint, backend };
    return (await Client.load(this.spawn, files)).client;
  }

  /** The files that decide the model's numbers: its config, if it stands alone, and its weights. */
  numericFiles(): NamedFile[] {
    const { config, checkpoint } = this.files;
    if (config === undefined) return checkpoint;
    return [{ name: "config.json", file: new Blob([config]) }, ...checkpoint];
  }

  /** Calls the listener after each restart, until the returned function is called. */
  onRestart(listener: (restart: Restart, info: LoadedInfo) => void): () => void {
    this.#restartListeners.add(listener);
    return () => this.#restartListeners.delete(listener);
  }

  dispose(reason = disposed()): void {
    this.#disposed = true;
    this.#close(reason);
  }

  #present(): Channel | null {
    return this.#channel;
  }

  async #start(): Promise<LoadedInfo> {
    const { backend } = this.files;
    const channel = new Channel(this.spawn, (reason, silent) => this.#crash(reason, silent));
    this.#channel = channel;
    try {
      const { metadata, ...info } = await channel.send("load", this.files);
      this.#metadata = metadata;
      return (this.#loaded = info);
    } catch (thrown) {
      // A thread without a model is not needed.
      if (channel === this.#channel) this.#close(disposed());
      const { code, got } = failureOf(thrown);
      if (backend === "cpu" || code !== "engine/crashed") throw thrown;
      const expected = `a device that takes the model; use the backend "cpu" or "auto" instead`;
      if (backend === "webgpu") throw refuse("gpu/unavailable", "the GPU", expected, got);
      // A concurrent run may have started a thread meanwhile.
      if (this.#disposed || this.#present() !== null) throw thrown;
      this.files = { ...this.files, backend: "cpu", gpuFailure: got };
      return this.#start();
    }
  }

  #startAgain(restart: Restart): void {
    this.#lastRestart = restart;
    this.#ready = this.#start().catch((thrown: unknown) => {
      throw this.#disposed ? disposed() : notRestarted(thrown);
    });
    this.#ready.then(
      (info) => this.#restartListeners.forEach((listener) => listener(restart, info)),
      // `#ready` rejects for callers that wait for it, and the next run tries again.
      () => undefined,
    );
  }

  /** Loads the model again, unless the load itself failed; `#start` handles that. */
  #crash(reason: string | HeadscopeError, silent: boolean): void {
    const loaded = this.#loaded;
    if (loaded === null || typeof reason !== "string") {
      this.#close(crashed(reason, false));
      return;
    }
    const leftGpu = loaded.adapter !== null;
    this.#close(leftGpu ? lostGpu(reason) : crashed(reason, true));
    if (leftGpu) this.files = { ...this.files, backend: "cpu", gpuFailure: reason };
    const code = leftGpu ? (silent ? "gpu/silent" : "gpu/lost") : "engine/crashed";
    this.#startAgain({ code, reason, leftGpu });
  }

  #close(reason: HeadscopeError): void {
    this.#loaded = null;
    this.#channel?.end(reason);
    this.#channel = null;
  }
}

/**
 * The computations of the demos, on a thread of their own: it starts with the first question, and
 * again after a crash.
 */
export class DemoCore {
  #channel: Channel | null = null;

  constructor(private readonly spawn = startThread) {}

  /** Asks one question; numbers that it cannot use are refused with a code. */
  async ask<K extends DemoName>(
    what: K,
    ask: DemoCalls[K]["ask"],
    options: { signal?: AbortSignal } = {},
  ): Promise<DemoCalls[K]["answer"]> {
    const channel = (this.#channel ??= new Channel(this.spawn, (reason) => {
      this.#channel = null;
      channel.end(crashed(reason, true));
    }));
    // A value from another thread has no static type.
    const question = { what, ...ask } as DemoCalls[K]["question"];
    return await channel.send("demo", { question }, options);
  }
}

let shared: Promise<DemoCore> | undefined;

/** The demo core of this page. */
export function demoCore(): Promise<DemoCore> {
  return (shared ??= Promise.resolve(new DemoCore()));
}
