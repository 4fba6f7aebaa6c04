// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { zoomOf } from "./zoom.js";

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
