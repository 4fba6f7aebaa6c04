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
  private readonly places = new Kept<Map<Element, Place>>();

  /** Puts the mark on a chip or on a word of several; where they are is read again only when `inputs` change. */
  put(mark: HTMLElement, strip: Element, target: Element | null, inputs: readonly unknown[]): void {
    mark.classList.toggle("on", target !== null);
    const place = target && this.places.get([strip, ...inputs], () => placesIn(strip)).get(target);
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
