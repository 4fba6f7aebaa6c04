import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Bench } from "../../state/index.js";

/** What it needs of the page: the picture, and the drawer that may lie over it. */
export interface Watched {
  picture: Element | null;
  drawer: Element | null;
  /** Whether everything stands where it will stay. */
  settled: boolean;
  /** Whether nobody has begun to read or to write elsewhere. */
  untouched: boolean;
}

/**
 * Brings the picture to the top of the window when a reader opens the bench: it is opened to change the picture and to
 * watch, and its drawer lies over the lower part of the window. A page that comes with its bench open, as by a link, does
 * the same once its first picture stands, unless somebody has begun to use it by then. Where the drawer does not stick
 * (low windows, phones), nothing is covered and nothing moves.
 */
export class BenchWatch implements ReactiveController {
  private before: Bench | null | undefined;
  /** Whether the page came with its bench open and its picture is still on its way. */
  private arriving = false;

  constructor(
    host: ReactiveControllerHost,
    private readonly open: () => Bench | null,
    private readonly find: () => Watched,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    const { before } = this;
    const now = this.open();
    this.before = now;
    if (before === undefined) this.arriving = true;
    if (now === null) this.arriving = false;
    else if (before === null) requestAnimationFrame(() => this.show());
    else if (this.arriving && this.find().settled) {
      this.arriving = false;
      requestAnimationFrame(() => {
        if (this.find().untouched) this.show();
      });
    }
  }

  private show(): void {
    const { picture, drawer } = this.find();
    if (picture && drawer && getComputedStyle(drawer).position === "sticky")
      picture.scrollIntoView({ block: "start" });
  }
}
