import { noChange } from "lit";

/** Without a window that is seen there is no frame; then this long after. */
const LONGEST_MILLIS = 250;

/**
 * What a new picture has the page do, in turns, each with a frame of its own: first the picture, then what was
 * said to come next, and so on. All at once would be one frame that takes as long as all of them.
 */
export class Turns {
  /** Whose turn it is; everybody's where it is null. */
  private turn: number | null = null;
  /** Takes the next turn back. */
  private cancel: () => void = () => undefined;

  /** `last` is the last turn; `changed` hears of each. */
  constructor(
    private readonly last: number,
    private readonly changed: () => void,
  ) {}

  /** Whether somebody's turn is still to come. */
  get pending(): boolean {
    return this.turn !== null;
  }

  /** Begins with the picture. While turns are under way they go on: the last must not wait for ever. */
  begin(): void {
    if (this.turn !== null) return;
    this.turn = 0;
    this.follow();
  }

  /** Lets all have their turn at once: what somebody does meanwhile must not wait for what only came. */
  end(): void {
    this.cancel();
    this.turn = null;
  }

  isBefore(turn: number): boolean {
    return this.turn !== null && this.turn < turn;
  }

  /** What is shown in a turn: until then it stays as it is. */
  at<Shown>(turn: number, show: () => Shown): Shown | typeof noChange {
    return this.isBefore(turn) ? noChange : show();
  }

  private follow(): void {
    this.cancel = whenFrameIsMade(() => {
      const next = (this.turn ?? 0) + 1;
      this.turn = next < this.last ? next : null;
      if (this.turn !== null) this.follow();
      this.changed();
    });
  }
}

/** Calls back once, after what the page has by now was painted; what it gives back takes that back. */
function whenFrameIsMade(call: () => void): () => void {
  let after: ReturnType<typeof setTimeout> | undefined;
  const cancel = (): void => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    clearTimeout(after);
  };
  const made = (): void => {
    cancel();
    call();
  };
  const frame = requestAnimationFrame(() => (after = setTimeout(made)));
  const timer = setTimeout(made, LONGEST_MILLIS);
  return cancel;
}

/** Without a window that is seen there is no frame; then this long after. */
const NEXT_FRAME_LONGEST_MILLIS = 250;

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
    const timer = setTimeout(() => this.answer(), NEXT_FRAME_LONGEST_MILLIS);
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
