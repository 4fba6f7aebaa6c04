/**
 * The CSS zoom of an element: 1, or what the properties `zoom` around it multiply to. Places on
 * the screen (`clientX`, `getBoundingClientRect`) include it, lengths in style sheets do not.
 */
export function zoomOf(element: Element): number {
  const { currentCSSZoom: zoom = 1 } = element as { currentCSSZoom?: number };
  return zoom > 0 ? zoom : 1;
}

/** The transforms of an element and all around it as one. A turn about an axis in space throws. */
function transformsOf(element: Element): DOMMatrix {
  let all = "";
  for (let one: Element | null | undefined = element; one;) {
    const { rotate, scale, transform } = getComputedStyle(one);
    all = `rotate(${rotate}) scale(${scale.replace(" ", ",")}) ${transform} ${all}`;
    const { host } = one.getRootNode() as Partial<ShadowRoot>;
    one = one.assignedSlot ?? one.parentElement ?? host;
  }
  return new DOMMatrix(all.replace(/\w+\((none|undefined)?\)|none/g, "").trim());
}

/**
 * The map from an element's own lengths to the screen, by its box there and the transforms around
 * it: the middle of the box is the middle of the element, however it is turned. Null where a
 * transform moves the element in space.
 */
export function mapOf(element: HTMLElement): DOMMatrix | null {
  const { x, y, width, height } = element.getBoundingClientRect();
  const { offsetWidth: w, offsetHeight: h } = element;
  try {
    const { a, b, c, d, is2D } = transformsOf(element);
    // What no transform tells is the zoom.
    const shown = width > 0 && w > 0;
    const zoom = shown ? width / (Math.abs(a) * w + Math.abs(c) * h) : zoomOf(element);
    const linear = [a * zoom, b * zoom, c * zoom, d * zoom] as const;
    const left = shown ? x + width / 2 - (linear[0] * w + linear[2] * h) / 2 : x;
    const top = shown ? y + height / 2 - (linear[1] * w + linear[3] * h) / 2 : y;
    return is2D ? new DOMMatrix([...linear, left, top]) : null;
  } catch {
    return null;
  }
}

/** The transforms that a picture follows: beyond, its canvas would have no or too many pixels. */
const TRANSFORMS = { least: 0.2, most: 4, exact: 0.01 };

/**
 * The CSS pixels of the window in one of an element: its zoom, and the scale of transforms around
 * it. A browser rounds the width that it is compared with.
 */
export function shownScale(element: HTMLElement): number {
  const zoom = zoomOf(element);
  const { a, b, c, d } = mapOf(element) ?? new DOMMatrix([zoom, 0, 0, zoom, 0, 0]);
  const shown = Math.sqrt(Math.abs(a * d - b * c)) / zoom;
  const { least, most, exact } = TRANSFORMS;
  return Math.abs(shown - 1) > exact && shown > least && shown < most ? zoom * shown : zoom;
}

/** A place on the screen in an element's own lengths; null where it has none. */
export function placeIn(
  element: HTMLElement,
  { clientX, clientY }: Pick<MouseEvent, "clientX" | "clientY">,
): { x: number; y: number } | null {
  const { x = NaN, y = NaN } =
    mapOf(element)?.inverse().transformPoint({ x: clientX, y: clientY }) ?? {};
  return Number.isNaN(x) ? null : { x, y };
}
