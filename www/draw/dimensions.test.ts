import { describe, expect, it } from "vitest";
import type { Stage, Tensor } from "../data/index.js";
import { divergingScale } from "./colours.js";
import {
  productsOf,
  dimensionAt,
  layoutDimensions,
  stripsOf,
  type DimensionsLayout,
  paintDimensions,
} from "./dimensions.js";
import { testInks, recorder } from "./testing/recorder.js";

describe("the products of a query and the keys", () => {
  it("are taken dimension by dimension", () => {
    const axes = ["position", "head_dim"];
    const query = { data: Float32Array.of(9, 9, 9, 1, -2, 3), shape: [2, 3], axes };
    const key = { data: Float32Array.of(1, 1, 1, 2, 0.5, -1), shape: [2, 3], axes };
    expect([...productsOf({ query, key }, 1)]).toEqual([1, -2, 3, 2, -1, -3]);
  });
});

const layoutOf = (rows: number, dimensions: number, width: number, ratio = 1): DimensionsLayout =>
  layoutDimensions({ rows, dimensions, width, ratio, comfortableHeight: 400, keyLabel: 64 });

describe("the strips", () => {
  it.each([
    [600, 24],
    [358, 32],
    [358, 64],
    [700, 128],
  ])("and the numbers fit %s px with %s dimensions", (width, dimensions) => {
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

  it("lie side by side, or on a phone one under the other in the same row", () => {
    const wide = stripsOf(layoutOf(4, 24, 800), 0, 2);
    expect(wide.products).toBe(wide.keys);
    const layout = layoutOf(4, 24, 358);
    const narrow = stripsOf(layout, 0, 2);
    expect(narrow.products).toBeGreaterThan(narrow.keys);
    expect(narrow.products + layout.strip).toBeLessThan(stripsOf(layout, 0, 3).keys);
  });
});

describe("a row", () => {
  const tensor = (...values: number[]): Tensor => ({
    data: Float32Array.from(values),
    shape: [1, values.length],
    axes: ["query", "key"],
  });
  const stages: Record<Stage, Tensor> = {
    raw: tensor(4, -2),
    scores: tensor(2, -1),
    masked: tensor(2, -Infinity),
    weights: tensor(1, 0),
  };
  const titles = {
    query: "q",
    keys: "k",
    products: "q ⊙ k",
    raw: "q · k",
    scores: "÷ √4",
    weights: "softmax",
    vectors: "q, k",
  };

  it("prints the engine's numbers and hatches what the query may not look at", () => {
    const record = recorder();
    const layout = layoutOf(2, 4, 800);
    const query = Float32Array.of(1, 1, 1, 1);
    const keys = Float32Array.of(1, 1, 1, 1, 0, -2, 0, 0);
    const scale = divergingScale(keys, "light");
    const strips = { query, keys, products: keys, vectorScale: scale, productScale: scale };
    paintDimensions(
      record.brush,
      layout,
      { scroll: 0, query: 0, stages, strips, weightInk: "weight", blocked: [], titles },
      testInks,
    );
    const texts = record.done("fillText").map(({ args }) => args[0]);
    expect(texts.slice(-6)).toEqual(["4.000", "2.000", "1.000", "−2.000", "−1.000", "0.000"]);
    expect(record.done("fillRect").filter(({ fill }) => fill === "weight")).toHaveLength(1);
    expect(record.done("clip")).toHaveLength(2);
  });

  it("prints its numbers before the vectors were read", () => {
    const record = recorder();
    paintDimensions(
      record.brush,
      layoutOf(2, 0, 800),
      { scroll: 0, query: 0, stages, strips: null, weightInk: "weight", blocked: [], titles },
      testInks,
    );
    expect(record.done("fillText").map(({ args }) => args[0])).toContain("−2.000");
  });
});
