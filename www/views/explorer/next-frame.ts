/** Without a window that is seen there is no frame; then this long after. */
const LONGEST_MILLIS = 250;

/**
 * Calls back once before the next frame, however often it is asked to: what comes in pieces is put on the page as often as
 * the page is painted, and no more often. With a `pace` there are that many milliseconds between two calls, at least.
 */
export class NextFrame {
  private stop: (() => void) | null = null;
  private last = -Infinity;

  constructor(
    private readonly call: () => void,
    private readonly pace = 0,
  ) {}

  ask(): void {
    if (this.stop) return;
    const early = this.last + this.pace - performance.now();
    if (early > 0) {
      const timer = setTimeout(() => this.begin(), early);
      this.stop = () => clearTimeout(timer);
    } else this.begin();
  }

  /** What was asked for has happened by other ways. */
  settle(): void {
    this.stop?.();
    this.stop = null;
  }

  private begin(): void {
    const frame = requestAnimationFrame(() => this.answer());
    const timer = setTimeout(() => this.answer(), LONGEST_MILLIS);
    this.stop = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }

  private answer(): void {
    this.stop?.();
    this.stop = null;
    this.last = performance.now();
    this.call();
  }
}
