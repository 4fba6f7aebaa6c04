import { Channel } from "./client.js";
import { crashed } from "./errors.js";
import type { LabKind, Labs } from "./protocol.js";
import { startThread } from "./thread.js";

/** The demos' computations, on a thread of their own: it starts with the first question, and again after a crash. */
export class Lab {
  #channel: Channel | null = null;

  constructor(private readonly spawn = startThread) {}

  /** Asks one question; numbers that it cannot use are refused with a code. */
  async ask<K extends LabKind>(
    what: K,
    ask: Labs[K]["ask"],
    options: { signal?: AbortSignal } = {},
  ): Promise<Labs[K]["answer"]> {
    const channel = (this.#channel ??= new Channel(this.spawn, (reason) => {
      this.#channel = null;
      channel.end(crashed(reason, true));
    }));
    // What crosses a thread has lost its type.
    const question = { what, ...ask } as Labs[K]["question"];
    return (await channel.send("lab", { question }, options)) as Labs[K]["answer"];
  }
}

let shared: Promise<Lab> | undefined;

/** The one of this page. */
export function theLab(): Promise<Lab> {
  return (shared ??= Promise.resolve(new Lab()));
}
