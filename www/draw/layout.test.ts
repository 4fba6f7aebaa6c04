import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cellAt,
  cellOfToken,
  cellRect,
  layoutMatrix,
  rowAt,
  rowsInSight,
  scrollToRow,
  strongestOf,
  type LayoutRequest,
  type MatrixLayout,
} from "./layout.js";

const matrix = (changes: Partial<LayoutRequest> = {}): MatrixLayout =>
  layoutMatrix({
    rows: 21,
    columns: 16,
    width: 760,
    ratio: 2,
    comfortableHeight: 440,
    queryLabel: 60,
    keyLabel: 60,
    legendText: 48,
    marginalText: 90,
    ...changes,
  });

const requests = fc.record({
  rows: fc.integer({ min: 1, max: 600 }),
  columns: fc.integer({ min: 1, max: 600 }),
  width: fc.integer({ min: 280, max: 1600 }),
  ratio: fc.constantFrom(1, 1.25, 1.5, 2, 3),
  comfortableHeight: fc.integer({ min: 280, max: 900 }),
  queryLabel: fc.integer({ min: 10, max: 112 }),
  keyLabel: fc.integer({ min: 10, max: 96 }),
  legendText: fc.constantFrom(null, 48),
  marginalText: fc.constantFrom(null, 90),
});

describe("the layout of a matrix", () => {
  it("centres the figure and puts the legend beside it, or below it on a narrow page", () => {
    const { width, plot, legend, marginals } = matrix();
    expect(legend).toMatchObject({ upright: true, y: plot.y });
    expect(Math.abs(plot.x - 70 - (width - plot.x - plot.width - 90))).toBeLessThanOrEqual(1);
    expect(marginals?.y).toBeGreaterThan(plot.y + plot.height);
    const narrow = matrix({ width: 360 });
    expect([narrow.width, narrow.legend?.upright]).toEqual([360, false]);
    expect(narrow.legend?.y).toBeGreaterThan(narrow.plot.y + narrow.plot.height);
  });

  it.each([
    [17, 300, false, 280, 300],
    [17, 600, false, 580, 600],
    [60, 300, false, 840, 840],
    [193, 440, true, 200, 440],
    [1, 440, false, 1, 40],
  ])(
    "of %i rows takes %i px, until its labels would become too small to read",
    (rows, comfortableHeight, compact, least, most) => {
      const { height } = matrix({ rows, columns: 4, comfortableHeight, compact }).plot;
      expect(height).toBeGreaterThanOrEqual(least);
      expect(height).toBeLessThanOrEqual(most);
    },
  );

  it("writes what the bars are beside them, or below them where the legend or bars of rows stand in the way", () => {
    expect(matrix().marginals?.wordsBelow).toBe(false);
    expect(matrix({ width: 360 }).marginals?.wordsBelow).toBe(true);
    for (const rows of [1, 2, 3]) {
      const { marginals, height } = matrix({ rows, columns: 1 });
      expect(marginals?.wordsBelow).toBe(true);
      expect(height).toBeGreaterThanOrEqual((marginals?.y ?? 0) + (marginals?.height ?? 0) + 16);
    }
    const { plot, legend, marginals, rowMarginals } = matrix({ rowMarginals: true });
    expect(rowMarginals).toMatchObject({ y: plot.y, height: plot.height });
    expect(rowMarginals?.x).toBeGreaterThan(plot.x + plot.width);
    expect(legend?.x).toBeGreaterThan((rowMarginals?.x ?? 0) + (rowMarginals?.width ?? 0));
    expect(marginals?.wordsBelow).toBe(true);
    expect(matrix({ legendText: null, marginalText: null })).toMatchObject({
      legend: null,
      marginals: null,
      rowMarginals: null,
    });
  });

  it("keeps all parts inside, as wide as the page unless cells would vanish, and finds each cell again", () => {
    fc.assert(
      fc.property(requests, fc.nat(), fc.nat(), (asked, row, column) => {
        const layout = layoutMatrix(asked);
        const { plot, legend, marginals } = layout;
        expect(plot.x).toBeGreaterThanOrEqual(asked.queryLabel);
        for (const part of [plot, legend, marginals]) {
          if (!part) continue;
          expect(part.x + part.width).toBeLessThanOrEqual(layout.width + 1e-6);
          expect(part.y + part.height).toBeLessThanOrEqual(layout.height + 1e-6);
        }
        if (layout.width > asked.width) expect(layout.cell * asked.ratio).toBeCloseTo(1);
        const cell = { query: row % asked.rows, key: column % asked.columns };
        const { x, y, width, height } = cellRect(layout, cell);
        expect(cellAt(layout, x + width / 2, y + height / 2)).toEqual(cell);
      }),
    );
    const layout = matrix();
    const { x, y, width, height } = layout.plot;
    for (const [left, top] of [
      [x - 1, y + 1],
      [x + 1, y - 1],
      [x + width + 1, y + 1],
      [x + 1, y + height + 1],
    ] as const)
      expect(cellAt(layout, left, top)).toBeNull();
  });
});

describe("a window over rows", () => {
  /** Ten rows fit between the head and the foot. */
  const layout = { width: 400, height: 250, contentHeight: 2050, top: 40, foot: 10, pitch: 20 };

  it("knows the rows in sight, the one under the pointer, and scrolls as little as needed", () => {
    const seen = [
      [0, 100],
      [30, 100],
      [0, 4],
      [500, 4],
    ].map(([scroll = 0, count = 0]) => rowsInSight(layout, scroll, count));
    expect(seen.map(({ first, end }) => [first, end])).toEqual([
      [0, 10],
      [1, 12],
      [0, 4],
      [4, 4],
    ]);
    const rows = [39, 40, 59, 60, 239, 240].map((y) => rowAt(layout, 0, y, 100));
    expect(rows).toEqual([null, 0, 0, 1, 9, null]);
    expect([rowAt(layout, 30, 40, 100), rowAt(layout, 0, 200, 4)]).toEqual([1, null]);
    expect([
      scrollToRow(layout, 100, 7),
      scrollToRow(layout, 100, 2),
      scrollToRow(layout, 0, 20),
    ]).toEqual([100, 40, 220]);
  });
});

it("a token stands for the strongest cell of its row or column, the first of several", () => {
  const weights = { data: Float32Array.of(0.7, 0.2, 0.1, 0.1, 0.3, 0.6), shape: [2, 3], axes: [] };
  expect(cellOfToken(weights, "query", 1)).toEqual({ query: 1, key: 2 });
  expect(cellOfToken(weights, "key", 0)).toEqual({ query: 0, key: 0 });
  expect([cellOfToken(weights, "key", 3), cellOfToken(weights, "query", 2)]).toEqual([null, null]);
  const even = { ...weights, data: new Float32Array(6) };
  expect(cellOfToken(even, "query", 1)).toEqual({ query: 1, key: 0 });
  expect(strongestOf(weights, [])).toBeNull();
});
