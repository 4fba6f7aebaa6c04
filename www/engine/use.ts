/** One holder's use of a model that others may hold, too: its calls and its runs end with it. */
import type { CallOptions, Channel, Client } from "./client.js";
import type { Restart } from "./contract.js";
import { disposed, HeadscopeError } from "./errors.js";
import type { CallKind, Calls } from "./protocol.js";

/** What happens to a use: it ended, or the model's thread could not be started again. */
export interface UseEvents {
  ended: () => void;
  lost: () => void;
}

/** What one use asks of a thread: pending calls and unreleased runs end with the use. */
export class Line {
  readonly #runs = new Set<number>();
  /** Rejects what other threads are asked for this use. */
  readonly #waiting = new Set<(reason: HeadscopeError) => void>();
  #ended: HeadscopeError | null = null;

  constructor(readonly channel: Channel) {}

  send<K extends CallKind>(
    kind: K,
    ask: Calls[K]["ask"],
    options: CallOptions = {},
  ): Promise<Calls[K]["answer"]> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    if (kind === "begin") this.#runs.add((ask as Calls["begin"]["ask"]).run);
    return this.channel.send(kind, ask, { ...options, owner: this });
  }

  /** Work that this thread does not do; it is not waited for once the use has ended. */
  until<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#ended !== null) {
        reject(this.#ended);
        return;
      }
      this.#waiting.add(reject);
      void work()
        .then(resolve, reject)
        .finally(() => this.#waiting.delete(reject));
    });
  }

  release(run: number): void {
    this.#runs.delete(run);
    this.channel.release(run);
  }

  end(reason: HeadscopeError): void {
    this.#ended = reason;
    this.channel.endFor(this, reason);
    for (const reject of this.#waiting) reject(reason);
    for (const run of this.#runs) this.channel.release(run);
  }
}

/** One holder's use of the client of a model. */
export class Use {
  /** The line to the present thread; one to a thread that ended has nothing left to end. */
  #line: Line | null = null;
  #ended: HeadscopeError | null = null;
  readonly #listening = new Set<() => void>();

  constructor(
    private readonly client: Client,
    private readonly on: Partial<UseEvents>,
  ) {}

  /** The line to a thread with the model. */
  async open(): Promise<Line> {
    this.#demand();
    const channel = await this.client.open().catch((thrown: unknown) => {
      if (thrown instanceof HeadscopeError && thrown.code === "engine/not-restarted")
        this.on.lost?.();
      throw thrown;
    });
    this.#demand();
    if (this.#line?.channel !== channel) this.#line = new Line(channel);
    return this.#line;
  }

  #demand(): void {
    if (this.#ended !== null) throw this.#ended;
  }

  onRestart(listener: (restart: Restart) => void): () => void {
    const stop = this.client.onRestart(listener);
    this.#listening.add(stop);
    return () => {
      stop();
      this.#listening.delete(stop);
    };
  }

  end(): void {
    if (this.#ended !== null) return;
    this.#ended = disposed();
    for (const stop of this.#listening) stop();
    this.#line?.end(this.#ended);
    this.on.ended?.();
  }
}
