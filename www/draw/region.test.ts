import { describe, expect, it } from "vitest";
import type { Region } from "../data/index.js";
import { around, canEnlarge, cutOut, FEWEST, moved, regionOf, zoomed } from "./region.js";

const SQUARE = { rows: 512, columns: 512 };
const PART = { query: 10, key: 20, rows: 8, columns: 16 };
const region = (query: number, key: number, rows: number, columns: number): Region => ({
  query,
  key,
  rows,
  columns,
});
const again = (
  times: number,
  from: Region | null,
  step: (now: Region | null) => Region | null,
): Region | null => (times === 0 ? from : again(times - 1, step(from), step));

describe("a part of a large matrix", () => {
  it.each([
    ["the middle", null, [100, 400], SQUARE, region(50, 200, 256, 256)],
    ["it again", region(50, 200, 256, 256), [100, 400], SQUARE, region(75, 300, 128, 128)],
    ["a corner of a wide one", null, [0, 299], { rows: 60, columns: 300 }, region(0, 150, 30, 150)],
  ] as const)(
    "keeps %s where it is seen, and the proportions of the matrix",
    (_, from, [query, key], extent, to) => {
      expect(zoomed(from, { query, key }, 0.5, extent)).toEqual(to);
    },
  );

  it("is never smaller than can be read at a glance, and ends as the whole", () => {
    const at = { query: 511, key: 0 };
    const nearest = again(21, null, (now) => zoomed(now, at, 0.5, SQUARE));
    expect(nearest).toEqual(region(504, 0, FEWEST, FEWEST));
    expect(canEnlarge(nearest, SQUARE)).toBe(false);
    expect(again(6, nearest, (now) => zoomed(now, at, 2, SQUARE))).toBeNull();
  });

  it.each([
    { rows: 6, columns: 200 },
    { rows: 40, columns: 12 },
  ])("goes on and comes back where one side is short: %j", (extent) => {
    const at = { query: 3, key: 10 };
    const seen: number[] = [];
    let now = zoomed(null, at, 0.5, extent);
    for (; canEnlarge(now, extent); now = zoomed(now, at, 0.5, extent))
      seen.push(Math.max(now?.rows ?? 0, now?.columns ?? 0));
    expect(seen.length).toBeGreaterThan(1);
    expect([...new Set(seen)].toSorted((one, other) => other - one)).toEqual(seen);
    expect(now?.rows).toBe(Math.min(extent.rows, FEWEST));
    expect(again(8, now, (region) => zoomed(region, at, 2, extent))).toBeNull();
  });

  it("moves by whole cells, stays inside, and follows a cell that leaves it by no more than is needed", () => {
    expect(moved(PART, 3, -4, SQUARE)).toEqual({ ...PART, query: 13, key: 16 });
    expect(moved(PART, -100, 1000, SQUARE)).toEqual({ ...PART, query: 0, key: 496 });
    expect(around(PART, { query: 12, key: 20 })).toBe(PART);
    expect(around(PART, { query: 18, key: 19 })).toEqual({ ...PART, query: 11, key: 19 });
  });

  it.each([
    [PART, { rows: 18, columns: 36 }, PART],
    [PART, { rows: 17, columns: 36 }, null],
    [region(0, 0, 17, 36), { rows: 17, columns: 36 }, null],
    [region(-1, 0, 4, 4), SQUARE, null],
  ])("%j does not outlive the matrix of %j that it was a part of", (given, extent, expected) => {
    expect(regionOf(given, extent)).toBe(expected);
  });

  it("has the numbers of its rows and columns", () => {
    const data = Float32Array.from({ length: 30 }, (_, index) => index);
    const part = cutOut({ data, shape: [5, 6], axes: ["query", "key"] }, region(1, 2, 2, 3));
    expect(part).toMatchObject({ shape: [2, 3], axes: ["query", "key"] });
    expect([...part.data]).toEqual([8, 9, 10, 14, 15, 16]);
  });
});
