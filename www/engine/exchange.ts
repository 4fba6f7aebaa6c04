import { aborted, disposed, HeadscopeError, refuse } from "./errors.js";
import type { Port } from "./port.js";
import type { Call, CallKind, Calls, Message, Reply, RunState } from "./protocol.js";

interface Pending {
  resolve(value: Calls[CallKind]["answer"]): void;
  reject(error: HeadscopeError): void;
  onProgress: ((state: RunState) => void) | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((state: RunState) => void) | undefined;
}

/** Questions and answers with one thread, as long as it lives: matches them by id, and stops what is aborted. */
export class Exchange {
  #nextId = 1;
  #ended = false;
  readonly #pending = new Map<number, Pending>();

  /** `onCrash` is called once, when the thread cannot go on, and told whether its GPU was silent; its exchange is to be ended then. */
  constructor(
    private readonly port: Port,
    private readonly onCrash: (reason: string | HeadscopeError, silent: boolean) => void,
  ) {
    port.onReply((reply) => {
      if (!this.#ended) this.#receive(reply);
    });
    port.onFailure((reason) => {
      if (!this.#ended) this.onCrash(reason, false);
    });
  }

  send<K extends CallKind>(
    kind: K,
    ask: Calls[K]["ask"],
    { signal, onProgress }: CallOptions = {},
  ): Promise<Calls[K]["answer"]> {
    return new Promise<Calls[K]["answer"]>((resolve, reject) => {
      if (this.#ended || signal?.aborted === true) {
        reject(this.#ended ? disposed() : aborted("run"));
        return;
      }
      const id = this.#nextId++;
      const stop = (): void => {
        this.port.post({ kind: "abort", id });
        settle(() => reject(aborted("run")));
      };
      const settle = (finish: () => void): void => {
        this.#pending.delete(id);
        signal?.removeEventListener("abort", stop);
        if (this.#pending.size === 0) this.port.setBusy(false);
        finish();
      };
      try {
        // The protocol pairs each question with its answer; what crosses a thread has lost its type.
        this.port.post({ kind: "call", id, call: { kind, ...ask } as Call });
      } catch {
        reject(
          refuse(
            "input/malformed",
            "the request",
            "plain data",
            "something that cannot be sent to the engine, such as a function",
          ),
        );
        return;
      }
      this.#pending.set(id, {
        resolve: (value) => settle(() => resolve(value)),
        reject: (error) => settle(() => reject(error)),
        onProgress,
      });
      signal?.addEventListener("abort", stop);
      this.port.setBusy(true);
    });
  }

  /** Says something that is not answered. */
  post(message: Exclude<Message, { kind: "call" }>): void {
    this.port.post(message);
  }

  /** Closes the thread; whoever waits is told why. */
  end(reason: HeadscopeError): void {
    this.#ended = true;
    this.port.close();
    for (const pending of [...this.#pending.values()]) pending.reject(reason);
  }

  #receive(reply: Reply): void {
    if (reply.kind === "fatal") {
      this.onCrash(reply.reason, reply.silent);
      return;
    }
    // Answers to what was aborted meanwhile find nobody waiting.
    const pending = this.#pending.get(reply.id);
    if (reply.kind === "value") pending?.resolve(reply.value);
    else if (reply.kind === "failure") pending?.reject(new HeadscopeError(reply.failure));
    else pending?.onProgress?.(reply.state);
  }
}
