import { Memo } from "../shared/memo.js";

/** Where a chip is, from the strip's upper left corner, in CSS pixels. */
interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * The line under the chip that is looked at. It is a layer above the strip: a chip that changed its own looks would have
 * the browser paint all of a long text's chips again, at every move of the pointer.
 */
export class Mark {
  private readonly wanted = new Memo<void>();
  private readonly places = new Map<Element, Place>();
  private shown: { mark: HTMLElement; target: Element } | null = null;
  /** Hears of a strip once the browser has laid it out, within the frame that shows it. */
  private readonly laidOut = new ResizeObserver(([entry]) => {
    this.laidOut.disconnect();
    if (entry) this.read(entry.target);
    this.draw();
  });

  /**
   * Puts the mark on a chip or on a word of several. Where that is, is read once for as long as `inputs` stay, and not at
   * once: the browser would have to lay out the page for it, and again for whatever else is about to change.
   */
  put(mark: HTMLElement, strip: Element, target: Element | null, inputs: readonly unknown[]): void {
    mark.classList.toggle("on", target !== null);
    this.shown = target && { mark, target };
    this.wanted.get([strip, ...inputs], () => this.places.clear());
    this.laidOut.disconnect();
    if (target && !this.places.has(target)) this.laidOut.observe(strip);
    this.draw();
  }

  /**
   * Of a new text only the one chip: while it is typed, or written chip by chip, nobody looks at the others. Whoever looks at
   * a second one is on the way over all of them.
   */
  private read(strip: Element): void {
    const target = this.shown?.target;
    const chips =
      this.places.size > 0
        ? strip.querySelectorAll(".word, .word > button")
        : target
          ? [target]
          : [];
    const from = strip.getBoundingClientRect();
    for (const chip of chips) {
      const { x, y, width, height } = chip.getBoundingClientRect();
      this.places.set(chip, { x: x - from.x, y: y - from.y, width, height });
    }
  }

  private draw(): void {
    if (!this.shown) return;
    const { mark, target } = this.shown;
    const place = this.places.get(target);
    if (!place) return;
    mark.classList.toggle("after", target.matches(".word > :not(:first-child)"));
    mark.classList.toggle("before", target.matches(".word > :not(:last-child)"));
    mark.style.width = `${place.width}px`;
    mark.style.height = `${place.height}px`;
    mark.style.transform = `translate(${place.x}px, ${place.y}px)`;
  }
}
