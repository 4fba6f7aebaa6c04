import { describe, expect, it } from "vitest";
import { decades, decadesAround, movedApart, pathOf, placeOf, type LogAxes } from "./log-axes.js";

const AXES: LogAxes = { left: 10, top: 20, width: 400, height: 100, x: [10, 100_000], y: [1, 100] };

describe("logarithmic axes", () => {
  it("place powers of ten at equal distances, and what is below them on them", () => {
    expect(placeOf(AXES, [10, 1])).toEqual([10, 120]);
    expect(placeOf(AXES, [1000, 10]).map(Math.round)).toEqual([210, 70]);
    expect(placeOf(AXES, [100_000, 100])).toEqual([410, 20]);
    expect(placeOf(AXES, [0, 0])).toEqual([10, 120]);
  });

  it("draw a square as a line that rises twice as fast", () => {
    const square = [10, 100, 1000].map((n) => [n, n ** 2] as const);
    const path = pathOf({ ...AXES, y: [100, 10 ** 10] }, square);
    expect(path).toBe("M10.0 120.0L110.0 95.0L210.0 70.0");
  });

  it("have as many marks as fit", () => {
    expect(decades([10, 100_000], 9)).toEqual([10, 100, 1000, 10_000, 100_000]);
    expect(decades([1, 10 ** 10], 6)).toEqual([1, 100, 10_000, 10 ** 6, 10 ** 8, 10 ** 10]);
    expect(decadesAround([3, 4000, 0])).toEqual([1, 10_000]);
    expect(decadesAround([])).toEqual([1, 10]);
  });

  it("keep labels apart", () => {
    expect(movedApart([10, 12, 50], 14)).toEqual([10, 24, 50]);
    expect(movedApart([12, 10], 14)).toEqual([24, 10]);
  });
});
