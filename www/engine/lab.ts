import { crashed } from "./errors.js";
import { Exchange } from "./exchange.js";
import { openPort, type Port } from "./port.js";
import type { LabKind, Labs } from "./protocol.js";

/**
 * The laboratories, which need no model, on a thread of their own: it starts with the first question, and anew after one
 * that it did not survive.
 */
export class Lab {
  #exchange: Exchange | null = null;

  constructor(private readonly spawn: () => Port) {}

  /** Asks one; numbers that it cannot use are refused with a code. */
  async ask<K extends LabKind>(
    what: K,
    ask: Labs[K]["ask"],
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<Labs[K]["answer"]> {
    this.#exchange ??= this.#open();
    // The protocol pairs each question with its answer; what crosses a thread has lost its type.
    const question = { what, ...ask } as Labs[K]["question"];
    return (await this.#exchange.send("lab", { question }, { signal })) as Labs[K]["answer"];
  }

  #open(): Exchange {
    const exchange = new Exchange(this.spawn(), (reason) => {
      this.#exchange = null;
      exchange.end(crashed(reason, true));
    });
    return exchange;
  }
}

let shared: Promise<Lab> | undefined;

/** The laboratories of this page. */
export function theLab(): Promise<Lab> {
  shared ??= Promise.resolve(new Lab(openPort));
  return shared;
}
