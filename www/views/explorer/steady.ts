/** How long what follows the pointer stays as it is: three frames. */
const PAUSE_MILLIS = 48;

/**
 * Calls back at once, but no more often than a reader can follow: what was asked for meanwhile comes together, a moment
 * later. The picture itself answers the pointer in every frame; the words beside it need not.
 */
export class Steady {
  private last = -Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly call: () => void) {}

  ask(): void {
    if (this.timer !== undefined) return;
    const rest = this.last + PAUSE_MILLIS - performance.now();
    if (rest <= 0) this.now();
    else this.timer = setTimeout(() => this.now(), rest);
  }

  /** Calls back without waiting, also for what was asked before. */
  now(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.last = performance.now();
    this.call();
  }
}
