import { refuse, type HeadscopeError } from "./errors.js";

/** The timeout of a GPU: its driver stops work that takes longer than some seconds. */
const GPU_SECONDS = 60;
/** The timeout of a software GPU, which shares the processor with all open programs. */
const SOFTWARE_GPU_SECONDS = 300;

/** The timeout of a GPU: a browser may not report that a device hangs. */
export function gpuTimeout(software: boolean): Timeout {
  return new Timeout(software ? SOFTWARE_GPU_SECONDS : GPU_SECONDS, (got) =>
    refuse("gpu/silent", "the GPU", "an answer", got),
  );
}

/**
 * A limit on the silence of a GPU or a server. Requests are answered in turn, so any answer
 * restarts the count of every waiting request. Only seconds count in which this thread could have
 * received an answer, not those in which it computed or slept.
 */
export class Timeout {
  readonly #waiting = new Set<(reason: Error) => void>();
  #clock: ReturnType<typeof setInterval> | undefined;
  #silentSeconds = 0;

  /** `refusal` receives the time without an answer, for a sentence. */
  constructor(
    private readonly seconds: number,
    private readonly refusal: (got: string) => HeadscopeError,
  ) {}

  /** Waits for an answer; rejects after the time limit without one. */
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
