import { crashed } from "./errors.js";
import { Channel } from "./client.js";
import { startThread, type Thread } from "./thread.js";
import type { LabKind, Labs } from "./protocol.js";

/**
 * The laboratories, which need no model, on a thread of their own: it starts with the first question, and anew after one
 * that it did not survive.
 */
export class Lab {
  #channel: Channel | null = null;

  constructor(private readonly spawn: () => Thread) {}

  /** Asks one; numbers that it cannot use are refused with a code. */
  async ask<K extends LabKind>(
    what: K,
    ask: Labs[K]["ask"],
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<Labs[K]["answer"]> {
    this.#channel ??= this.#open();
    // The protocol pairs each question with its answer; what crosses a thread has lost its type.
    const question = { what, ...ask } as Labs[K]["question"];
    return (await this.#channel.send("lab", { question }, { signal })) as Labs[K]["answer"];
  }

  #open(): Channel {
    const channel = new Channel(this.spawn(), (reason) => {
      this.#channel = null;
      channel.end(crashed(reason, true));
    });
    return channel;
  }
}

let shared: Promise<Lab> | undefined;

/** The laboratories of this page. */
export function theLab(): Promise<Lab> {
  shared ??= Promise.resolve(new Lab(startThread));
  return shared;
}
