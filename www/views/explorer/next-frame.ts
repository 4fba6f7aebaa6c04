/** Without a window that is seen there is no frame; then this long after. */
const LONGEST_MILLIS = 250;

/**
 * Calls back once before the next frame, however often it is asked to: what comes in pieces is put on the page as often as
 * the page is painted, and no more often.
 */
export class NextFrame {
  private stop: (() => void) | null = null;

  constructor(private readonly call: () => void) {}

  ask(): void {
    if (this.stop) return;
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
    this.call();
  }
}
