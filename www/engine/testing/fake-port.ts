import type { Adapter } from "../../data/index.js";
import type { HeadscopeError } from "../errors.js";
import { Host } from "../host.js";
import type { Port } from "../port.js";
import type { Message, Reply } from "../protocol.js";
import { emptyLog, fakeLab, fakeWasm, type Log } from "./fake-wasm.js";

/** Threads that are not threads: each has a host in this very one, and messages take a turn to cross. */
export class FakeThreads {
  readonly log: Log = emptyLog();
  readonly ports: FakePort[] = [];
  /** The GPU that the threads find. */
  adapter: Adapter | null = null;
  readonly spawn = (): Port => {
    const port = new FakePort(this.log, this.adapter);
    this.ports.push(port);
    return port;
  };

  /** The thread in use. */
  get last(): FakePort {
    const port = this.ports.at(-1);
    if (port === undefined) throw new Error("no thread was started");
    return port;
  }
}

class FakePort implements Port {
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
      loadWasm: (engine) => Promise.resolve(fakeWasm(log, engine)),
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
