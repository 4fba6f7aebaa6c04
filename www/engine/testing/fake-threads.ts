import type { Adapter } from "../../data/index.js";
import type { HeadscopeError } from "../errors.js";
import { Host } from "../host.js";
import type { Message, Reply } from "../protocol.js";
import type { Thread } from "../thread.js";
import { emptyLog, fakeLab, fakeWasm, type Log } from "./fake-wasm.js";

/** Threads that are not threads: each has a host in this very one, and messages take a turn to cross. */
export class FakeThreads {
  readonly log: Log = emptyLog();
  readonly started: FakeThread[] = [];
  /** The GPU that the threads find. */
  adapter: Adapter | null = null;
  readonly spawn = (): Thread => {
    const thread = new FakeThread(this.log, this.adapter);
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

class FakeThread implements Thread {
  readonly sent: Message[] = [];
  closed = false;
  busy = false;
  #reply: (reply: Reply) => void = () => undefined;
  #fail: (reason: string | HeadscopeError) => void = () => undefined;
  readonly #host: Host;

  constructor(log: Log, adapter: Adapter | null) {
    let written = 0;
    this.#host = new Host({
      findAdapter: () => Promise.resolve(adapter),
      loadWasm: (build) => Promise.resolve(fakeWasm(log, build)),
      loadLab: () => Promise.resolve(fakeLab(log)),
      post: (reply, transfer) => {
        if (reply.kind === "progress") written = reply.state.targetIds.length - 1;
        const crossed = structuredClone(reply, { transfer });
        setTimeout(() => {
          if (!this.closed) this.#reply(crossed);
        });
      },
      pause: () => new Promise((resolve) => setTimeout(resolve)),
      rest: () => {
        log.restedAt.push(written);
        return new Promise((resolve) => setTimeout(resolve));
      },
    });
  }

  post(message: Message): void {
    const crossed = structuredClone(message);
    this.sent.push(crossed);
    setTimeout(() => {
      if (!this.closed) this.#host.receive(crossed);
    });
  }

  onReply(listener: (reply: Reply) => void): void {
    this.#reply = listener;
  }

  onFailure(listener: (reason: string | HeadscopeError) => void): void {
    this.#fail = listener;
  }

  setBusy(busy: boolean): void {
    this.busy = busy;
  }

  close(): void {
    this.closed = true;
  }

  /** Dies as a thread would that ran out of memory. */
  die(reason: string | HeadscopeError): void {
    this.#fail(reason);
  }
}
