/** How long a worker has not answered while a run is awaited. */
import { tracked } from "../../signals.js";

/** The time after which the picture counts as out of date. */
export const QUIET_MILLIS = 3000;
/** The time after which the page offers to start the engine again. */
export const LOST_MILLIS = 10_000;

/**
 * The silence of a worker: null while it answers or nothing is awaited, "quiet" after three
 * seconds without a message, "lost" after ten.
 */
export class Silence {
  @tracked state: "quiet" | "lost" | null = null;
  private timers: readonly ReturnType<typeof setTimeout>[] = [];

  /** Begins to count, anew where it counts already: a message has come or been sent. */
  listen(): void {
    this.end();
    this.timers = [
      setTimeout(() => (this.state = "quiet"), QUIET_MILLIS),
      setTimeout(() => (this.state = "lost"), LOST_MILLIS),
    ];
  }

  /** Ends the counting: nothing is awaited any more. */
  end(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
    this.state = null;
  }
}
