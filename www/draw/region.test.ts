import { describe, expect, test, it, vi } from "vitest";
import { layoutMatrix } from "./layout.js";
import {
  around,
  canEnlarge,
  cutOut,
  FEWEST,
  inRegion,
  moved,
  regionOf,
  zoomed,
  paintTouched,
} from "./region.js";
import type { Brush, Inks } from "./theme.js";

const SQUARE = { rows: 512, columns: 512 };
const WIDE = { rows: 60, columns: 300 };

describe("a part of a large matrix", () => {
  test("keeps the cell under the pointer where it is seen, and the proportions of the matrix", () => {
    const near = zoomed(null, { query: 100, key: 400 }, 0.5, SQUARE);
    expect(near).toEqual({ query: 50, key: 200, rows: 256, columns: 256 });
    const nearer = zoomed(near, { query: 100, key: 400 }, 0.5, SQUARE);
    expect(nearer).toEqual({ query: 75, key: 300, rows: 128, columns: 128 });
    expect(zoomed(null, { query: 0, key: 299 }, 0.5, WIDE)).toEqual({
      query: 0,
      key: 150,
      rows: 30,
      columns: 150,
    });
  });

  test("is never smaller than can be read at a glance, and ends as the whole", () => {
    let region = zoomed(null, { query: 511, key: 0 }, 0.5, SQUARE);
    for (let times = 0; times < 20; times++)
      region = zoomed(region, { query: 511, key: 0 }, 0.5, SQUARE);
    expect(region).toEqual({ query: 504, key: 0, rows: FEWEST, columns: FEWEST });
    expect(canEnlarge(region, SQUARE)).toBe(false);
    for (let times = 0; times < 6; times++)
      region = zoomed(region, { query: 511, key: 0 }, 2, SQUARE);
    expect(region).toBeNull();
  });

  test("of few rows keeps them all while it has fewer columns", () => {
    const region = zoomed(null, { query: 3, key: 100 }, 0.1, { rows: 6, columns: 200 });
    expect(region).toMatchObject({ query: 0, rows: 6, columns: 20 });
    expect(region && inRegion(region, { query: 3, key: 100 })).not.toBeNull();
  });

  test("goes on and comes back where one side is short", () => {
    for (const extent of [
      { rows: 6, columns: 200 },
      { rows: 40, columns: 12 },
    ]) {
      const at = { query: 3, key: 10 };
      const seen: number[] = [];
      let region = zoomed(null, at, 0.5, extent);
      for (; canEnlarge(region, extent); region = zoomed(region, at, 0.5, extent))
        seen.push(Math.max(region?.rows ?? 0, region?.columns ?? 0));
      expect(seen.length).toBeGreaterThan(1);
      expect(seen).toEqual(seen.toSorted((one, other) => other - one));
      expect(new Set(seen).size).toBe(seen.length);
      for (let times = 0; times < 8; times++) region = zoomed(region, at, 2, extent);
      expect(region).toBeNull();
    }
  });

  test("moves by whole cells and stays inside", () => {
    const region = { query: 10, key: 20, rows: 8, columns: 16 };
    expect(moved(region, 3, -4, SQUARE)).toEqual({ ...region, query: 13, key: 16 });
    expect(moved(region, -100, 1000, SQUARE)).toEqual({ ...region, query: 0, key: 496 });
  });

  test("follows a cell that leaves it, by no more than is needed", () => {
    const region = { query: 10, key: 20, rows: 8, columns: 16 };
    expect(around(region, { query: 12, key: 20 })).toBe(region);
    expect(around(region, { query: 18, key: 19 })).toEqual({ ...region, query: 11, key: 19 });
  });

  test("does not outlive the matrix that it was a part of", () => {
    const region = { query: 10, key: 20, rows: 8, columns: 16 };
    expect(regionOf(region, { rows: 18, columns: 36 })).toBe(region);
    expect(regionOf(region, { rows: 17, columns: 36 })).toBeNull();
    expect(
      regionOf({ query: 0, key: 0, rows: 17, columns: 36 }, { rows: 17, columns: 36 }),
    ).toBeNull();
    expect(regionOf({ query: -1, key: 0, rows: 4, columns: 4 }, SQUARE)).toBeNull();
  });

  test("has the numbers of its rows and columns", () => {
    const matrix = {
      data: Float32Array.from({ length: 30 }, (_, index) => index),
      shape: [5, 6],
      axes: ["query", "key"],
    };
    const part = cutOut(matrix, { query: 1, key: 2, rows: 2, columns: 3 });
    expect([...part.data]).toEqual([8, 9, 10, 14, 15, 16]);
    expect(part.shape).toEqual([2, 3]);
    expect(part.axes).toEqual(["query", "key"]);
  });
});

describe("cells under a stroke", () => {
  it("are outlined where they are only touched, and neither filled nor hatched", () => {
    const brush = { save: vi.fn(), restore: vi.fn(), strokeRect: vi.fn(), fillRect: vi.fn() };
    const layout = layoutMatrix({
      rows: 2,
      columns: 2,
      width: 300,
      ratio: 1,
      comfortableHeight: 200,
      queryLabel: 40,
      keyLabel: 40,
      legendText: null,
      marginalText: null,
    });
    paintTouched(
      brush as unknown as Brush,
      layout,
      [
        { query: 0, key: 0 },
        { query: 1, key: 1 },
      ],
      { accent: "red" } as Inks,
    );
    expect(brush.strokeRect).toHaveBeenCalledTimes(2);
    expect(brush.fillRect).not.toHaveBeenCalled();
  });
});
