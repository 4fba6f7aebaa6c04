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

/**
 * Gives each part of an element that a selector names its own height as a custom property: a sticky
 * part taller than the window stops where its end is in view.
 */
export class StickyHeights implements ReactiveController {
  private readonly heights = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries)
      if (target instanceof HTMLElement)
        target.style.setProperty(HEIGHT, `${borderBoxSize[0]?.blockSize ?? 0}px`);
  });
  private watched: readonly Element[] = [];

  constructor(
    private readonly host: LitElement,
    private readonly parts: string,
  ) {
    host.addController(this);
    registerHeight();
  }

  /** Watches the parts that are there now: one may have replaced another. */
  hostUpdated(): void {
    const now = [...this.host.renderRoot.querySelectorAll(this.parts)];
    for (const part of this.watched) if (!now.includes(part)) this.heights.unobserve(part);
    for (const part of now) if (!this.watched.includes(part)) this.heights.observe(part);
    this.watched = now;
  }

  hostDisconnected(): void {
    this.heights.disconnect();
    this.watched = [];
  }
}
