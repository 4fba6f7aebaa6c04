/**
 * Loads what was asked for last. One load is under way at a time; of the further wishes only the newest waits,
 * so a stream of wishes shows every answer that arrives and is never starved by newer ones.
 */
export class Loader<Answer> {
  value: Answer | null = null;
  private wanted: string | null = null;
  private waiting: { key: string; task: () => Promise<Answer> } | null = null;
  private loading = false;

  constructor(
    private readonly changed: () => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Asks for what `key` names; nothing happens when that is what was asked for last. */
  want(key: string, task: () => Promise<Answer>): void {
    if (key === this.wanted) return;
    this.wanted = key;
    this.waiting = { key, task };
    if (!this.loading) void this.drain();
  }

  /** Lets the answer go; what is still under way is not shown. */
  clear(): void {
    this.wanted = null;
    this.waiting = null;
    this.value = null;
  }

  private async drain(): Promise<void> {
    this.loading = true;
    while (this.waiting) {
      const { key, task } = this.waiting;
      this.waiting = null;
      try {
        const answer = await task();
        if (this.wanted !== null) this.value = answer;
        this.changed();
      } catch (error) {
        // The next wish for the same thing tries again.
        if (this.wanted === key) this.wanted = null;
        this.failed(error);
      }
    }
    this.loading = false;
  }
}
