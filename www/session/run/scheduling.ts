import { batch, tracked } from "../../signals.js";

/** The longest wait for a frame: a hidden window has none, and the call comes after this time. */
const LONGEST_MILLIS = 250;

/**
 * Calls `call` once in the next frame; with `painted`, after that frame was painted. The returned
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
/** The longest wait of the last turn for its numbers. */
const LONGEST_LAST_MILLIS = 100;
/**
 * The longest wait for all that is shown of a short text; and the longest for the rest of it once
 * its picture is there.
 */
const LONGEST_WHOLE_MILLIS = { all: 48, rest: 20 };

/**
 * The order in which parts of the page show a new picture. All of a short text is shown in one
 * frame, since each frame lays out the page, unless its numbers are late. Otherwise the picture
 * comes first, then in a frame of their own the texts, then the rest, once its numbers are there or
 * have let it wait for too long: else each number that arrives would render the rest again.
 */
export class Turns {
  /** The turn that may render; null for all, −1 for none. */
  @tracked private turn: number | null = null;
  private cancel: () => void = () => undefined;
  /** The time from which a turn waits no longer for numbers. */
  private latest = 0;
  private isWhole = false;
  private waiting: (() => void)[] = [];

  /** `isRead` says whether the numbers of the last turn are there. */
  constructor(private readonly isRead: () => boolean = () => true) {}

  get pending(): boolean {
    return this.turn !== null;
  }

  /** Whether nothing is rendered until all numbers are there. */
  get holdsAll(): boolean {
    return this.turn === -1 && this.isWhole;
  }

  isBefore(turn: number): boolean {
    return this.turn !== null && this.turn < turn;
  }

  /** Settles when a turn may render. */
  async reached(turn: number): Promise<void> {
    while (this.isBefore(turn)) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /**
   * Holds all parts back until the next frame, because a new picture is about to come; without one
   * the texts follow then, and the rest after them. With `isWhole` the wait is for all numbers.
   */
  hold(isWhole = false): void {
    if (this.pending) return;
    this.isWhole = isWhole;
    this.latest = performance.now() + LONGEST_WHOLE_MILLIS.all;
    this.put(-1);
    this.letGo();
  }

  /**
   * Begins the turns for a new picture; with `together` the texts come with the picture. Turns in
   * progress go on, so that the last one is not delayed for ever.
   */
  begin(together = false): void {
    if (this.turn !== null && this.turn >= 0) return;
    const now = performance.now();
    if (this.holdsAll) {
      this.latest = Math.min(this.latest, now + LONGEST_WHOLE_MILLIS.rest);
      return;
    }
    this.latest = now + LONGEST_LAST_MILLIS;
    this.go(together ? 1 : 0);
  }

  /** Lets all parts render: a user's action must not wait. */
  end(): void {
    this.cancel();
    this.put(null);
  }

  /** Ends a hold in the next frame in which nothing more is awaited. */
  private letGo(): void {
    this.cancel = inNextFrame(() => {
      const isRead = this.isRead();
      if (this.isWhole && isRead) this.end();
      else if (this.isWhole && performance.now() < this.latest) this.letGo();
      else {
        this.latest = performance.now() + LONGEST_LAST_MILLIS;
        this.go(1);
      }
    });
  }

  private go(turn: number): void {
    this.cancel();
    const isLast = turn >= LAST_TURN;
    const waits = isLast && !this.isRead() && performance.now() < this.latest;
    if (!waits) this.put(isLast ? null : turn);
    if (this.pending) this.cancel = inNextFrame(() => this.go(waits ? turn : turn + 1), true);
  }

  private put(turn: number | null): void {
    this.turn = turn;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** Shows results that arrive in pieces once a frame, and at most every `pace` milliseconds. */
export class Frames {
  private waiting: (() => void)[] = [];
  private last = -Infinity;
  private cancel: () => void = () => undefined;

  constructor(private readonly pace = (): number => 0) {}

  readonly publish = (show: () => void): void => {
    this.waiting.push(show);
    if (this.waiting.length > 1) return;
    const early = this.last + this.pace() - performance.now();
    const begin = (): void => {
      this.cancel = inNextFrame(() => this.show());
    };
    if (early > 0) {
      const timer = setTimeout(begin, early);
      this.cancel = () => clearTimeout(timer);
    } else begin();
  };

  /** Shows the next result in the next frame, whenever the last one was shown. */
  restart(): void {
    this.last = -Infinity;
  }

  /** Drops the results that are not shown yet. */
  stop(): void {
    this.cancel();
    this.waiting = [];
  }

  private show(): void {
    this.last = performance.now();
    const shown = this.waiting.splice(0);
    batch(() => {
      for (const show of shown) show();
    });
  }
}

/** The least time between two pictures of a text that grows; the first word is shown at once. */
const GROWTH_MILLIS = 50;
/** How many times the time of its picture a growing text is left alone. */
const REST = 4;

/** Shows a text that grows at a pace at which its pictures take a fifth of the time at most. */
export class Growth {
  private begun = 0;
  private cost = 0;
  private readonly frames = new Frames(() => Math.max(GROWTH_MILLIS, REST * this.cost));

  readonly publish = (show: () => void): void =>
    this.frames.publish(() => {
      this.begun = performance.now();
      show();
    });

  /**
   * Begins with another text: its first word waits for nothing, and its first picture says nothing
   * of the cost of a growth.
   */
  restart(): void {
    this.begun = 0;
    this.frames.restart();
  }

  /** Drops what was written and is not shown yet. */
  stop(): void {
    this.frames.stop();
  }

  /** Notes that the picture of the last growth is there. */
  pictured(): void {
    // A text may have had no picture: then this one says nothing of its cost.
    const cost = performance.now() - this.begun;
    if (this.begun > 0) this.cost = Math.min(cost, LONGEST_MILLIS);
    this.begun = 0;
  }
}

/** The least time between two texts beside a picture while the pointer moves: three frames. */
const PAUSE_MILLIS = 48;

/**
 * Calls back at once, but at a rate that a reader can follow: calls in between are joined into one,
 * a moment later.
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

  /** Calls back without waiting, also for earlier requests. */
  now(): void {
    this.stop();
    this.last = performance.now();
    this.call();
  }

  /** Drops earlier requests. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
