/**
 * The CSS zoom of an element: 1, or what the properties `zoom` around it multiply to. Places on
 * the screen (`clientX`, `getBoundingClientRect`) include it, lengths in style sheets do not.
 */
export function zoomOf(element: Element): number {
  const { currentCSSZoom: zoom = 1 } = element as { currentCSSZoom?: number };
  return zoom > 0 ? zoom : 1;
}

/** A place on the screen in an element's own lengths, whatever zooms and scales it. */
export function placeIn(
  element: HTMLElement,
  { clientX, clientY }: Pick<MouseEvent, "clientX" | "clientY">,
): { x: number; y: number } {
  const { x, y, width, height } = element.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = element;
  const scale = (shown: number, own: number): number =>
    shown > 0 && own > 0 ? shown / own : zoomOf(element);
  return {
    x: (clientX - x) / scale(width, offsetWidth),
    y: (clientY - y) / scale(height, offsetHeight),
  };
}
