/** The heights of an element's parts, for its style sheet. */
import type { LitElement, ReactiveController } from "lit";

const HEIGHT = "--headscope-part-height";

/** Registers the property as one that children do not inherit: their styles do not depend on it. */
function registerHeight(): void {
  try {
    CSS.registerProperty({
      name: HEIGHT,
      syntax: "<length>",
      inherits: false,
      initialValue: "0px",
    });
  } catch {
    // Another copy of this module has registered it.
  }
}

/** The share of the window below which a part has room beside whatever stands at its edges. */
const TALL = 0.7;

/**
 * Gives each sticky part of an element, which a selector names, its own height as a custom
 * property: one that is taller than the window stops where its end is in view. A part with room to
 * spare has none, since each change of the property lays out the page once more.
 */
export class StickyHeights implements ReactiveController {
  private readonly known = new Map<HTMLElement, number>();
  private readonly heights = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries)
      if (target instanceof HTMLElement) this.known.set(target, borderBoxSize[0]?.blockSize ?? 0);
    this.state();
  });
  private watched: readonly Element[] = [];

  constructor(
    private readonly host: LitElement,
    private readonly parts: string,
  ) {
    host.addController(this);
    registerHeight();
  }

  private readonly state = (): void => {
    for (const [{ style }, height] of this.known) {
      const stated = height > TALL * window.innerHeight ? `${height}px` : "";
      if (style.getPropertyValue(HEIGHT) !== stated) style.setProperty(HEIGHT, stated);
    }
  };

  hostConnected(): void {
    window.addEventListener("resize", this.state);
  }

  /** Watches the parts that are there now: one may have replaced another. */
  hostUpdated(): void {
    const now = [...this.host.renderRoot.querySelectorAll(this.parts)];
    for (const part of this.watched) if (!now.includes(part)) this.forget(part);
    for (const part of now) if (!this.watched.includes(part)) this.heights.observe(part);
    this.watched = now;
  }

  private forget(part: Element): void {
    this.heights.unobserve(part);
    if (part instanceof HTMLElement) this.known.delete(part);
  }

  hostDisconnected(): void {
    window.removeEventListener("resize", this.state);
    this.heights.disconnect();
    this.known.clear();
    this.watched = [];
  }
}
