import { Kept } from "../shared/kept.js";

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
  private readonly wanted = new Kept<void>();
  private places: ReadonlyMap<Element, Place> | null = null;
  private shown: { mark: HTMLElement; target: Element } | null = null;
  /** Hears of a strip once the browser has laid it out, within the frame that shows it. */
  private readonly laidOut = new ResizeObserver(([entry]) => {
    this.laidOut.disconnect();
    if (entry) this.places = placesIn(entry.target);
    this.draw();
  });

  /**
   * Puts the mark on a chip or on a word of several. Where they are is read again only when `inputs` change, and then not
   * at once: the browser would have to lay out the page for it, and again for whatever else is about to change.
   */
  put(mark: HTMLElement, strip: Element, target: Element | null, inputs: readonly unknown[]): void {
    mark.classList.toggle("on", target !== null);
    this.shown = target && { mark, target };
    this.wanted.get([strip, ...inputs], () => {
      this.places = null;
      this.laidOut.disconnect();
      this.laidOut.observe(strip);
    });
    this.draw();
  }

  private draw(): void {
    if (!this.shown) return;
    const { mark, target } = this.shown;
    const place = this.places?.get(target);
    if (!place) return;
    mark.classList.toggle("after", target.matches(".word > :not(:first-child)"));
    mark.classList.toggle("before", target.matches(".word > :not(:last-child)"));
    mark.style.width = `${place.width}px`;
    mark.style.height = `${place.height}px`;
    mark.style.transform = `translate(${place.x}px, ${place.y}px)`;
  }
}

function placesIn(strip: Element): Map<Element, Place> {
  const from = strip.getBoundingClientRect();
  return new Map(
    [...strip.querySelectorAll(".word, .word > button")].map((chip) => {
      const { x, y, width, height } = chip.getBoundingClientRect();
      return [chip, { x: x - from.x, y: y - from.y, width, height }];
    }),
  );
}
