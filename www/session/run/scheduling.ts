import { batch, tracked } from "../../signals.js";

/** A hidden window has no frames; then the call comes after this time. */
const LONGEST_MILLIS = 250;

/**
 * Calls back once in the next frame; with `painted`, after that frame was painted. The returned
 * function cancels it.
 */
function inNextFrame(call: () => void, painted = false): () => void {
  let after: ReturnType<typeof setTimeout> | undefined;
  const cancel = (): void => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    clearTimeout(after);
  };
  const now = (): void => {
    cancel();
    call();
  };
  const frame = requestAnimationFrame(() => {
    if (painted) after = setTimeout(now);
    else now();
  });
  const timer = setTimeout(now, LONGEST_MILLIS);
  return cancel;
}

const LAST_TURN = 2;

/**
 * The order in which parts of the page show a new picture, each in a frame of its own: the picture,
 * then the texts, then the rest.
 */
export class Turns {
  /** The turn that may render; null for all, -1 for none. */
  @tracked private turn: number | null = null;
  private cancel: () => void = () => undefined;

  get pending(): boolean {
    return this.turn !== null;
  }

  isBefore(turn: number): boolean {
    return this.turn !== null && this.turn < turn;
  }

  /** A picture is about to come: all parts wait for it until the next frame. */
  hold(): void {
    if (this.pending) return;
    this.turn = -1;
    this.cancel = inNextFrame(() => this.end());
  }

  /** The picture is here. While turns are under way they go on: the last must not wait for ever. */
  begin(): void {
    if (this.turn === null || this.turn < 0) this.go(0);
  }

  /** Lets all parts render: a user's action must not wait. */
  end(): void {
    this.cancel();
    this.turn = null;
  }

  private go(turn: number): void {
    this.cancel();
    this.turn = turn < LAST_TURN ? turn : null;
    if (this.pending) this.cancel = inNextFrame(() => this.go(turn + 1), true);
  }
}

/**
 * Shows what arrives in pieces once a frame, and no more often than `pace` milliseconds where that
 * is given.
 */
export class Frames {
  private waiting: (() => void)[] = [];
  private last = -Infinity;

  constructor(private readonly pace = 0) {}

  readonly publish = (show: () => void): void => {
    this.waiting.push(show);
    if (this.waiting.length > 1) return;
    const early = this.last + this.pace - performance.now();
    const begin = (): void => void inNextFrame(() => this.show());
    if (early > 0) setTimeout(begin, early);
    else begin();
  };

  private show(): void {
    this.last = performance.now();
    const shown = this.waiting.splice(0);
    batch(() => {
      for (const show of shown) show();
    });
  }
}

/** How long the words beside a picture stay as they are while the pointer moves: three frames. */
const PAUSE_MILLIS = 48;

/**
 * Calls back at once, but no more often than a reader can follow: what was asked for meanwhile
 * comes together, a moment later.
 */
export class Steady {
  private last = -Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly call: () => void) {}

  ask(): void {
    const pause = this.last + PAUSE_MILLIS - performance.now();
    if (pause <= 0) this.now();
    else this.timer ??= setTimeout(() => this.now(), pause);
  }

  /** Calls back without waiting, also for what was asked before. */
  now(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.last = performance.now();
    this.call();
  }
}
