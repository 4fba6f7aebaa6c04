/** Plays the steps of a figure one after the other. */
import type { ReactiveElement, ReactiveController } from "lit";

const PAUSE_MS = 1600;

/** Plays steps until it is stopped, no step is left, or its host leaves the page. */
export class Player implements ReactiveController {
  private timer: ReturnType<typeof setInterval> | null = null;
  private readonly reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

  /** `advance` goes one step further and returns whether there was one. */
  constructor(
    private readonly host: ReactiveElement,
    private readonly advance: () => boolean,
    private readonly pause = PAUSE_MS,
  ) {
    host.addController(this);
  }

  get isStill(): boolean {
    return this.reducedMotion.matches;
  }

  get playing(): boolean {
    return this.timer !== null;
  }

  toggle(): void {
    if (this.timer !== null) this.stop();
    else if (!this.isStill)
      this.timer = setInterval(() => {
        if (!this.advance()) this.stop();
      }, this.pause);
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
}
