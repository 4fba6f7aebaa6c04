/**
 * The CSS zoom of an element: 1, or what the properties `zoom` around it multiply to. Places on
 * the screen (`clientX`, `getBoundingClientRect`) include it, lengths in style sheets do not.
 */
export function zoomOf(element: Element): number {
  const { currentCSSZoom: zoom = 1 } = element as { currentCSSZoom?: number };
  return zoom > 0 ? zoom : 1;
}

/** What an element's width is multiplied by on the screen; null for an element without any. */
const shownOf = ({ width }: DOMRect, { offsetWidth }: HTMLElement): number | null =>
  width > 0 && offsetWidth > 0 ? width / offsetWidth : null;

/** The transforms that a picture follows: beyond, its canvas would have no or too many pixels. */
const TRANSFORMS = { least: 0.2, most: 4, exact: 0.01 };

/**
 * The CSS pixels of the window in one of an element: its zoom, and the scale of transforms around
 * it. A browser rounds the width that it is compared with.
 */
export function shownScale(element: HTMLElement): number {
  const zoom = zoomOf(element);
  const shown = (shownOf(element.getBoundingClientRect(), element) ?? zoom) / zoom;
  const { least, most, exact } = TRANSFORMS;
  return Math.abs(shown - 1) > exact && shown > least && shown < most ? zoom * shown : zoom;
}

/** A place on the screen in an element's own lengths, whatever zooms and scales it. */
export function placeIn(
  element: HTMLElement,
  { clientX, clientY }: Pick<MouseEvent, "clientX" | "clientY">,
): { x: number; y: number } {
  const box = element.getBoundingClientRect();
  const scale = shownOf(box, element) ?? zoomOf(element);
  return { x: (clientX - box.x) / scale, y: (clientY - box.y) / scale };
}
