/**
 * The CSS zoom of an element: 1, or what the properties `zoom` around it multiply to. Places on
 * the screen (`clientX`, `getBoundingClientRect`) include it, lengths in style sheets do not.
 */
export function zoomOf(element: Element): number {
  const { currentCSSZoom: zoom = 1 } = element as { currentCSSZoom?: number };
  return zoom > 0 ? zoom : 1;
}
