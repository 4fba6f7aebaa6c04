/**
 * Loads what was asked for last. One load is under way at a time; of the further wishes only the newest waits,
 * so a stream of wishes shows every answer that arrives and is never starved by newer ones.
 */
export class Loader<Answer> {
  value: Answer | null = null;
  /** Why what was asked for last could not be loaded; null as soon as something can. */
  failure: unknown = null;
  private wanted: string | null = null;
  /** What `value` answers. */
  private answered: string | null = null;
  private waiting: { key: string; task: () => Promise<Answer> } | null = null;
  /** Counts how often everything was let go: an answer from before is not shown after it. */
  private era = 0;
  /** Whether a load is under way. */
  private answering = false;

  constructor(private readonly changed: () => void) {}

  /** Asks for what `key` names; nothing happens when that is what was asked for last, even if it failed. */
  want(key: string, task: () => Promise<Answer>): void {
    if (key === this.wanted) return;
    this.wanted = key;
    this.waiting = { key, task };
    if (!this.answering) void this.drain();
  }

  /** Whether more is to come. */
  get loading(): boolean {
    return this.answering || this.waiting !== null;
  }

  /** Whether `value` is the answer to an earlier wish than the last: it is shown until the next one is here. */
  get stale(): boolean {
    return this.value !== null && this.answered !== this.wanted;
  }

  /** Forgets a failure: the same can be asked for once more. */
  forgive(): void {
    if (this.failure === null) return;
    this.failure = null;
    this.wanted = null;
  }

  /** Lets the answer go; what is still under way is not shown. */
  clear(): void {
    this.era += 1;
    this.wanted = null;
    this.waiting = null;
    this.value = null;
    this.failure = null;
  }

  private async drain(): Promise<void> {
    while (this.waiting) {
      const { key, task } = this.waiting;
      this.waiting = null;
      await this.answer(key, task);
    }
  }

  private async answer(key: string, task: () => Promise<Answer>): Promise<void> {
    const { era } = this;
    this.answering = true;
    try {
      const answer = await task();
      if (era === this.era) {
        this.value = answer;
        this.answered = key;
        this.failure = null;
      }
    } catch (error) {
      if (era === this.era) this.failure = error;
    }
    this.answering = false;
    this.changed();
  }
}
