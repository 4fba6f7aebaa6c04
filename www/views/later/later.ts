import { HeadscopeError } from "../../headscope.js";

/** A script that does not come for so long is reported as missing; the next try may find that it has come. */
const SILENCE_MILLIS = 60_000;

const listeners = new Set<() => void>();
let coming = 0;

/**
 * A module of the page that the first screen does without: fetched when it is first wanted, once for all who want it.
 * What could not be fetched is not asked for again by itself, which would ask with every update.
 */
export class Later<Part> {
  /** Why it could not be fetched. */
  failure: HeadscopeError | null = null;
  private part: Part | null = null;
  private arrival: Promise<void> | null = null;

  constructor(private readonly fetch: () => Promise<Part>) {}

  /** The part, if it is here; otherwise it is on its way from now on. */
  want(): Part | null {
    if (!this.part && !this.failure) void this.come();
    return this.part;
  }

  /** Fetches it, also where that failed before; settles as soon as it is here, or is known not to come. */
  come(): Promise<void> {
    if (this.part) return Promise.resolve();
    this.arrival ??= this.fetched();
    return this.arrival;
  }

  private async fetched(): Promise<void> {
    this.failure = null;
    coming += 1;
    tell();
    try {
      this.part = await Promise.race([this.fetch(), silence()]);
    } catch (thrown) {
      const got = thrown instanceof Error ? thrown.message : String(thrown);
      this.failure = new HeadscopeError(
        {
          code: "page/part",
          doing: "fetching a part of the page",
          expected: "a script",
          got,
          message: got,
        },
        { cause: thrown },
      );
    } finally {
      this.arrival = null;
      coming -= 1;
      tell();
    }
  }
}

function silence(): Promise<never> {
  return new Promise((_, reject) =>
    setTimeout(() => reject(new Error("no answer within 60 seconds")), SILENCE_MILLIS),
  );
}

/** Whether any part of the page is on its way. */
export function isAnyComing(): boolean {
  return coming > 0;
}

/** Calls `listener` whenever a part sets out or arrives, until the returned function is called. */
export function onArrival(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function tell(): void {
  for (const listener of [...listeners]) listener();
}
