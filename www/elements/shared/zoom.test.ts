// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { placeIn, shownScale, zoomOf } from "./zoom.js";

afterEach(() => vi.unstubAllGlobals());

it.each([
  [undefined, 1],
  [1.5, 1.5],
  // Of an element that is not shown.
  [0, 1],
])("an element whose zoom the browser says to be %s has %f", (said, zoom) => {
  const element = document.createElement("i");
  Object.defineProperty(element, "currentCSSZoom", { value: said });
  expect(zoomOf(element)).toBe(zoom);
});

/** An element 200 pixels wide that is shown so wide. */
function shown(width: number): HTMLElement {
  const element = document.createElement("i");
  element.getBoundingClientRect = () => new DOMRect(30, 40, width, width / 2);
  Object.defineProperty(element, "offsetWidth", { value: 200 });
  Object.defineProperty(element, "offsetHeight", { value: 100 });
  return element;
}

it.each([
  ["as large as it is", 200, { x: 20, y: 10 }, 1],
  ["half as large", 100, { x: 40, y: 20 }, 0.5],
  ["with a part of a pixel that its own width lacks", 200.4, { x: 19.96, y: 9.98 }, 1],
  ["as a point", 2, { x: 2000, y: 1000 }, 1],
  ["not at all", 0, { x: 20, y: 10 }, 1],
])("an element that is shown %s has places and pixels of its own", (_, width, place, scale) => {
  const element = shown(width);
  const { x, y } = place;
  expect(placeIn(element, { clientX: 50, clientY: 50 })).toEqual({
    x: expect.closeTo(x, 2) as number,
    y: expect.closeTo(y, 2) as number,
  });
  expect(shownScale(element)).toBe(scale);
});

it.each([
  ["rotate(90deg)", [-5, 10], { x: 110, y: 55 }],
  ["scale(-1, 1)", [10, 5], { x: 90, y: 55 }],
  ["rotate3d(1, 0, 0, 40deg)", [10, 5], null],
] as const)(
  "a place under %s is in the element's own lengths",
  (transform, [right, down], place) => {
    const element = shown(200);
    // As wide as it is high where it is turned by a quarter.
    if (transform.startsWith("rotate("))
      element.getBoundingClientRect = () => new DOMRect(80, -10, 100, 200);
    const none = { rotate: "none", scale: "none", transform: "none" };
    vi.stubGlobal("getComputedStyle", (one: Element) => ({
      ...none,
      ...(one === element && { transform }),
    }));
    const at = placeIn(element, { clientX: 130 + right, clientY: 90 + down });
    expect(at && { x: Math.round(at.x), y: Math.round(at.y) }).toEqual(place);
  },
);

it.each(["parent", "host", "slot"])(
  "a place follows transforms around an element, through shadow roots: of its %s",
  (where) => {
    const element = shown(200);
    element.getBoundingClientRect = () => new DOMRect(80, -10, 100, 200);
    const [parent, slot] = [document.createElement("p"), document.createElement("slot")];
    const host = document.createElement("div");
    const root = host.attachShadow({ mode: "open" });
    root.append(parent, slot);
    (where === "slot" ? host : parent).append(element);
    // Happy DOM assigns no slots.
    Object.defineProperty(element, "assignedSlot", { value: where === "slot" ? slot : null });
    const turned = { parent, host, slot }[where];
    vi.stubGlobal("getComputedStyle", (one: Element) => ({
      rotate: "none",
      scale: "none",
      transform: one === turned ? "rotate(90deg)" : "none",
    }));
    const { x, y } = placeIn(element, { clientX: 125, clientY: 100 }) ?? expect.fail();
    expect([Math.round(x), Math.round(y)]).toEqual([110, 55]);
  },
);
