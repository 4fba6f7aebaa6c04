import type { ReactiveController, ReactiveElement } from "lit";

/** How long a step of a block stands still while they are played. */
const PAUSE_MS = 1600;

/** Plays from step to step until it is stopped, there is none left, or its host leaves the page. */
export class Player implements ReactiveController {
  private timer: ReturnType<typeof setInterval> | null = null;
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");

  /** `advance` goes one step further and says whether there was one; `pause` is how long a step stands still, in milliseconds. */
  constructor(
    private readonly host: ReactiveElement,
    private readonly advance: () => boolean,
    private readonly pause = PAUSE_MS,
  ) {
    host.addController(this);
  }

  /** Whether the reader wants nothing to move by itself. */
  get isStill(): boolean {
    return this.still.matches;
  }

  get playing(): boolean {
    return this.timer !== null;
  }

  toggle(): void {
    if (this.timer !== null) this.stop();
    else if (!this.isStill) this.timer = setInterval(() => this.tick(), this.pause);
    this.host.requestUpdate();
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    this.host.requestUpdate();
  }

  hostDisconnected(): void {
    this.stop();
  }

  private tick(): void {
    if (!this.advance()) this.stop();
  }
}
