import { describe, expect, it } from "vitest";
import { divergingScale, sequentialScale } from "./colours.js";
import { layoutMatrix, type MatrixLayout } from "./layout.js";
import {
  legendValues,
  rowSums,
  columnSums,
  paintSumsOf,
  paintRowSums,
  paintLegend,
  paintColumnSums,
} from "./legend.js";
import { recorder } from "./testing/recorder.js";

const numbers = (...values: number[]): Float32Array => Float32Array.from(values);
const layoutOf = (
  rows: number,
  more: { rowMarginals?: boolean; marginalText?: null } = {},
): MatrixLayout =>
  layoutMatrix({
    rows,
    columns: 3,
    width: 600,
    ratio: 1,
    comfortableHeight: 440,
    queryLabel: 50,
    keyLabel: 50,
    legendText: 40,
    marginalText: 80,
    ...more,
  });

describe("the legend", () => {
  it.each([
    ["the ends of weights", sequentialScale(numbers(0.25, 0.5), "blue", "light"), [0, 0.5]],
    ["zero between signed ends", divergingScale(numbers(-2, 6, -Infinity), "light"), [-2, 0, 6]],
    ["no zero beside them", divergingScale(numbers(1, 6), "light"), [1, 6]],
    ["one number of no range", sequentialScale(numbers(0), "blue", "light"), [0]],
  ] as const)("names %s", (_, scale, values) => {
    expect(legendValues(scale)).toEqual(values);
  });

  it("shows only the part of the ramp that the data uses", () => {
    const { pen, done } = recorder();
    const place = { x: 0, y: 0, width: 10, height: 64, upright: true };
    paintLegend(pen, place, divergingScale(numbers(0, 6), "light"), "");
    const colours = done("fillRect").map(({ fill }) =>
      (String(fill).match(/\d+/g) ?? []).map(Number),
    );
    expect(colours).toHaveLength(64);
    expect(colours.filter(([red = 0, , blue = 0]) => red > blue)).toEqual([]);
  });
});

describe("the sums of rows and columns", () => {
  it("are of each key over all queries, and of each query only where some row does not add up to 1", () => {
    const data = numbers(0.5, 0.5, 0, 0.1, 0.2, 0.7);
    const mass = columnSums(data, 3);
    [0.6, 0.7, 0.7].forEach((sum, key) => expect(mass[key]).toBeCloseTo(sum, 6));
    expect(rowSums(data, 2)).toBeNull();
    expect(rowSums(numbers(0.5, 0.25, 0, 0, 0, 0), 2)).toEqual(Float64Array.of(0.75, 0));
  });

  it.each([1, 2, 3, 12])("keep their words clear of the legend (%i rows)", (rows) => {
    const layout = layoutOf(rows);
    const record = recorder();
    paintColumnSums(record.pen, layout, Float64Array.of(1, 0.5, 0), "mass received");
    const [, x, y] = record.done("fillText")[0]?.args.map(Number) ?? [];
    const { legend } = layout;
    // The title under the ramp is 14 px lower than it, and letters reach 6 px to either side of their middle.
    const ends = (legend?.y ?? 0) + (legend?.height ?? 0) + 14 + 6;
    expect((x ?? 0) + "mass received".length * 6 < (legend?.x ?? 0) || (y ?? 0) - 6 >= ends).toBe(
      true,
    );
    expect((y ?? 0) + 6).toBeLessThanOrEqual(layout.height);
  });

  it("are drawn to scale, and those of the pair that is looked at over them in the accent colour", () => {
    const layout = layoutOf(2, { rowMarginals: true });
    const sums = {
      columnSums: Float64Array.of(1, 0.5, 0),
      rowSums: Float64Array.of(1.5, 0),
    };
    const [below, above] = [recorder(), recorder()];
    paintColumnSums(below.pen, layout, sums.columnSums, "mass received");
    paintRowSums(below.pen, layout, sums.rowSums);
    const bars = below.done("fillRect");
    const [height = 0, width = 0] = [layout.marginals?.height, layout.rowMarginals?.width];
    expect(bars.slice(0, 3).map(({ args }) => args[3])).toEqual([height, height / 2, 1]);
    expect(bars.slice(3).map(({ args }) => args[2])).toEqual([width, 0]);
    paintSumsOf({ query: 1, key: 1 }, above.pen, layout, sums);
    expect(above.done("fillRect")).toEqual(
      [bars[1], bars[4]].map((bar) => ({ ...bar, fill: "accent" })),
    );
  });
});
