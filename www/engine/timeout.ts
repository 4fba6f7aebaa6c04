import { refuse, type HeadscopeError } from "./errors.js";

/**
 * A GPU that has not answered by then will not: its driver stops what takes longer than some
 * seconds.
 */
const GPU_SECONDS = 60;
/** What imitates a GPU shares the processor with all that is open, and may be busy for long. */
const SOFTWARE_GPU_SECONDS = 300;

/** How long a GPU may be silent: a browser need not say that a device hangs. */
export function gpuTimeout(software: boolean): Timeout {
  return new Timeout(software ? SOFTWARE_GPU_SECONDS : GPU_SECONDS, (got) =>
    refuse("gpu/silent", "the GPU", "an answer", got),
  );
}

/**
 * How long a GPU or a server may be silent. All that it is asked is answered in turn, so any answer
 * restarts the count of every request that waits. Only seconds count in which this thread could
 * have received an answer, not those in which it computed itself or slept.
 */
export class Timeout {
  readonly #waiting = new Set<(reason: Error) => void>();
  #clock: ReturnType<typeof setInterval> | undefined;
  #silentSeconds = 0;

  /** `refusal` is given how long there was no answer. */
  constructor(
    private readonly seconds: number,
    private readonly refusal: (got: string) => HeadscopeError,
  ) {}

  /** Waits for an answer; refused when there is none for too long. */
  async for<T>(ask: () => Promise<T>): Promise<T> {
    let reject: (reason: Error) => void = () => undefined;
    const late = new Promise<never>((_, refuseLate) => (reject = refuseLate));
    if (this.#waiting.size === 0) {
      this.#silentSeconds = 0;
      this.#clock = setInterval(() => this.#tick(), 1000);
    }
    this.#waiting.add(reject);
    try {
      const answer = await Promise.race([ask(), late]);
      this.#silentSeconds = 0;
      return answer;
    } finally {
      this.#waiting.delete(reject);
      if (this.#waiting.size === 0) clearInterval(this.#clock);
    }
  }

  #tick(): void {
    this.#silentSeconds += 1;
    if (this.#silentSeconds < this.seconds) return;
    const reason = this.refusal(`no answer within ${this.seconds} seconds`);
    for (const reject of this.#waiting) reject(reason);
  }
}
