import { expect, it } from "vitest";
import { thumbnailsOf } from "./thumbnails.js";

const axes = ["layer", "head", "query", "key"];
const zeros = (...shape: number[]) => ({
  data: new Float32Array(shape.reduce((size, side) => size * side, 1)),
  shape,
  axes,
});

it("keeps the strongest link of each long pattern, as the core does", () => {
  const patterns = zeros(1, 2, 37, 37);
  patterns.data[20 * 37 + 3] = 0.9;
  patterns.data[37 * 37 + 36 * 37 + 36] = 0.4;
  const { data, shape } = thumbnailsOf(patterns, 5);
  expect(shape).toEqual([1, 2, 5, 5]);
  const strong = [...data].flatMap((weight, at) => (weight > 0 ? [[at, weight]] : []));
  expect(strong).toEqual([
    [2 * 5, Math.fround(0.9)],
    [49, Math.fround(0.4)],
  ]);
});

it.each([
  [4, 9],
  [9, 4],
])("covers every cell of %d queries and %d keys", (rows, columns) => {
  for (let at = 0; at < rows * columns; at += 1) {
    const patterns = zeros(1, 1, rows, columns);
    patterns.data[at] = 1;
    const { data, shape } = thumbnailsOf(patterns, 5);
    expect(shape).toEqual([1, 1, Math.min(rows, 5), Math.min(columns, 5)]);
    expect(Math.max(...data)).toBe(1);
  }
});

it("shows a short pattern as it is", () => {
  const patterns = zeros(2, 3, 4, 5);
  expect(thumbnailsOf(patterns, 5).data).toBe(patterns.data);
});
