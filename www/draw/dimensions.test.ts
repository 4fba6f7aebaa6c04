import { expect, it } from "vitest";
import {
  dimensionAt,
  layoutDimensions,
  productsOf,
  stripsOf,
  type DimensionsLayout,
} from "./dimensions.js";

const layoutOf = (rows: number, dimensions: number, width: number, ratio = 1): DimensionsLayout =>
  layoutDimensions({ rows, dimensions, width, ratio, comfortableHeight: 400, keyLabel: 64 });

it("a query and the keys are multiplied dimension by dimension", () => {
  const axes = ["position", "head_dim"];
  const query = { data: Float32Array.of(9, 9, 9, 1, -2, 3), shape: [2, 3], axes };
  const key = { data: Float32Array.of(1, 1, 1, 2, 0.5, -1), shape: [2, 3], axes };
  expect([...productsOf({ query, key }, 1)]).toEqual([1, -2, 3, 2, -1, -3]);
});

it.each([
  [600, 24],
  [358, 32],
  [358, 64],
  [700, 128],
])("the strips and the numbers fit %s px with %s dimensions", (width, dimensions) => {
  const layout = layoutOf(10, dimensions, width, 2);
  const { keys, products, cell, numbers } = layout;
  expect(layout.width).toBe(width);
  expect(numbers.weights).toBeLessThanOrEqual(width);
  expect(numbers.raw).toBeGreaterThan(products + dimensions * cell);
  if (!layout.stacked) expect(products).toBeGreaterThan(keys + dimensions * cell);
  expect(dimensionAt(layout, keys + 3.5 * cell)).toBe(3);
  expect(dimensionAt(layout, products + (dimensions - 0.5) * cell)).toBe(dimensions - 1);
  expect(dimensionAt(layout, keys - 1)).toBeNull();
});

it("the strips lie side by side, or on a phone one under the other in the same row", () => {
  const wide = stripsOf(layoutOf(4, 24, 800), 0, 2);
  expect(wide.products).toBe(wide.keys);
  const layout = layoutOf(4, 24, 358);
  const narrow = stripsOf(layout, 0, 2);
  expect(narrow.products).toBeGreaterThan(narrow.keys);
  expect(narrow.products + layout.strip).toBeLessThan(stripsOf(layout, 0, 3).keys);
});
