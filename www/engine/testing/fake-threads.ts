import type { Adapter } from "../../data/index.js";
import { Host } from "../host.js";
import type { Message } from "../protocol.js";
import type { Spawn, Thread } from "../thread.js";
import { TrainingHost } from "../training-host.js";
import { emptyLog, fakeDemoCore, fakeGradients, fakeWasm, type Log } from "./fake-wasm.js";

type Listeners = Parameters<Spawn>[0];

/**
 * Threads that are not threads: each has a host in this very one, and messages take a turn to
 * cross.
 */
export class FakeThreads {
  readonly log: Log = emptyLog();
  readonly started: FakeThread[] = [];
  /** The GPU that the threads find. */
  adapter: Adapter | null = null;
  readonly spawn: Spawn = (listeners) => {
    const thread = new FakeThread(this.log, this.adapter, listeners);
    this.started.push(thread);
    return thread;
  };

  /** The thread in use. */
  get last(): FakeThread {
    const thread = this.started.at(-1);
    if (thread === undefined) throw new Error("no thread was started");
    return thread;
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

class FakeThread implements Thread {
  readonly sent: Message[] = [];
  closed = false;
  busy = false;
  readonly #host: Host;

  constructor(
    log: Log,
    adapter: Adapter | null,
    private readonly listeners: Listeners,
  ) {
    let written = 0;
    this.#host = new Host({
      findAdapter: () => Promise.resolve(adapter),
      loadWasm: (build) => Promise.resolve(fakeWasm(log, build)),
      loadDemos: () => Promise.resolve(fakeDemoCore(log)),
      loadTraining: () =>
        Promise.resolve(new TrainingHost(() => Promise.resolve(fakeGradients(log)), turn)),
      post: (reply, transfer) => {
        if (reply.kind === "progress") written = reply.state.targetIds.length - 1;
        const crossed = structuredClone(reply, { transfer });
        this.#cross(() => listeners.onReply(crossed));
      },
      pause: turn,
      rest: () => {
        log.restedAt.push(written);
        return turn();
      },
    });
  }

  post(message: Message): void {
    const crossed = structuredClone(message);
    this.sent.push(crossed);
    this.#cross(() => this.#host.receive(crossed));
  }

  setBusy(busy: boolean): void {
    this.busy = busy;
  }

  close(): void {
    this.closed = true;
  }

  /** Dies as a thread would that ran out of memory. */
  die(reason: string): void {
    this.listeners.onFailure(reason);
  }

  #cross(receive: () => void): void {
    setTimeout(() => {
      if (!this.closed) receive();
    });
  }
}
