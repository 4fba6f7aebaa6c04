import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Bench } from "../../state/index.js";

/** What it needs of the page: the picture, and the drawer that may lie over it. */
export interface Watched {
  picture: Element | null;
  drawer: Element | null;
}

/**
 * Brings the picture to the top of the window when a reader opens the bench: it is opened to change the picture and to
 * watch, and its drawer lies over the lower part of the window. Where the drawer does not stick (low windows, phones),
 * nothing is covered and nothing moves.
 */
export class BenchWatch implements ReactiveController {
  private before: Bench | null | undefined;

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
    // A page that comes with its bench open begins at its top, like any page.
    if (before === null && now !== null) requestAnimationFrame(() => this.show());
  }

  private show(): void {
    const { picture, drawer } = this.find();
    if (picture && drawer && getComputedStyle(drawer).position === "sticky") picture.scrollIntoView({ block: "start" });
  }
}
