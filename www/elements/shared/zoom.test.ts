// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { placeIn, zoomOf } from "./zoom.js";

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

it.each([
  ["as large as it is", 200, 100, { x: 20, y: 10 }],
  ["half as large", 100, 50, { x: 40, y: 20 }],
  ["wider", 400, 100, { x: 10, y: 10 }],
  ["not at all", 0, 0, { x: 20, y: 10 }],
])("a place on the screen is one of an element that is shown %s", (_, width, height, place) => {
  const element = document.createElement("i");
  element.getBoundingClientRect = () => new DOMRect(30, 40, width, height);
  for (const [name, value] of Object.entries({ offsetWidth: 200, offsetHeight: 100 }))
    Object.defineProperty(element, name, { value });
  expect(placeIn(element, { clientX: 50, clientY: 50 })).toEqual(place);
});
