import { refuse } from "./errors.js";

/** A GPU that has not answered by then will not: its driver stops what takes longer than some seconds. */
const PATIENCE_SECONDS = 60;
/** What imitates a GPU shares the processor with all that is open, and may be busy for long. */
const SOFTWARE_PATIENCE_SECONDS = 300;
const SECOND_MILLIS = 1000;

/**
 * How long a GPU may be silent: a browser need not say that a device hangs. All that it is asked is answered in turn, so
 * whatever it answers shows that it lives, and all who wait go on waiting. Only seconds count in which this thread could
 * have heard it, not those in which it computed itself or slept.
 */
export class Patience {
  readonly #waiting = new Set<(reason: Error) => void>();
  #clock: ReturnType<typeof setInterval> | undefined;
  #silentSeconds = 0;
  readonly #seconds: number;

  constructor(software: boolean) {
    this.#seconds = software ? SOFTWARE_PATIENCE_SECONDS : PATIENCE_SECONDS;
  }

  /** What the GPU is asked for; refused when it is silent for too long. */
  async for<T>(ask: () => Promise<T>): Promise<T> {
    let refused: (reason: Error) => void = () => undefined;
    const late = new Promise<never>((_, reject) => (refused = reject));
    if (this.#waiting.size === 0) this.#start();
    this.#waiting.add(refused);
    try {
      const answer = await Promise.race([ask(), late]);
      this.heard();
      return answer;
    } finally {
      this.#waiting.delete(refused);
      if (this.#waiting.size === 0) clearInterval(this.#clock);
    }
  }

  /** A piece of an answer came. */
  heard(): void {
    this.#silentSeconds = 0;
  }

  #start(): void {
    this.#silentSeconds = 0;
    this.#clock = setInterval(() => this.#tick(), SECOND_MILLIS);
  }

  #tick(): void {
    this.#silentSeconds += 1;
    if (this.#silentSeconds < this.#seconds) return;
    const reason = refuse(
      "gpu/silent",
      "the GPU",
      "an answer",
      `no answer within ${this.#seconds} seconds`,
    );
    for (const refused of [...this.#waiting]) refused(reason);
  }
}
