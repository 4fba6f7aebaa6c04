import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Tensor } from "../data/index.js";
import {
  cellAt,
  cellRect,
  layoutMatrix,
  type LayoutRequest,
  rowAt,
  rowsInSight,
  scrollToRow,
  type ScrolledLayout,
  cellOfToken,
  strongestOf,
} from "./layout.js";

const request = (changes: Partial<LayoutRequest> = {}): LayoutRequest => ({
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

describe("layoutMatrix", () => {
  it("centres the figure and puts the legend beside it", () => {
    const layout = layoutMatrix(request());
    expect(layout.width).toBe(760);
    expect(layout.legend).toMatchObject({ upright: true, y: layout.plot.y });
    const left = layout.plot.x - 70;
    const right = 760 - (layout.plot.x + layout.plot.width + 90);
    expect(Math.abs(left - right)).toBeLessThanOrEqual(1);
    expect(layout.marginals?.y).toBeGreaterThan(layout.plot.y + layout.plot.height);
  });

  it("puts the legend below on a narrow page", () => {
    const layout = layoutMatrix(request({ width: 360 }));
    expect(layout.width).toBe(360);
    expect(layout.legend?.upright).toBe(false);
    expect(layout.legend?.y).toBeGreaterThan(layout.plot.y + layout.plot.height);
  });

  it("takes the height it is given, until its labels would become too small to read", () => {
    const tall = (rows: number, comfortableHeight: number): number =>
      layoutMatrix(request({ rows, columns: 4, comfortableHeight })).plot.height;
    expect(tall(17, 300)).toBeLessThanOrEqual(300);
    expect(tall(17, 300)).toBeGreaterThan(280);
    expect(tall(17, 600)).toBeGreaterThan(580);
    expect(tall(60, 300)).toBe(60 * 14);
    expect(
      layoutMatrix(request({ rows: 193, columns: 24, comfortableHeight: 440, compact: true })).plot
        .height,
    ).toBeLessThanOrEqual(440);
  });

  it("writes what the bars are beside them, or below them where the legend stands in the way", () => {
    expect(layoutMatrix(request()).marginals?.wordsBelow).toBe(false);
    expect(layoutMatrix(request({ width: 360 })).marginals?.wordsBelow).toBe(true);
    for (const rows of [1, 2, 3]) {
      const { legend, marginals, height } = layoutMatrix(request({ rows, columns: 1 }));
      if (!legend || !marginals) throw new Error("asked for both");
      expect(legend.y + legend.height).toBeGreaterThan(marginals.y - 22);
      expect(marginals.wordsBelow).toBe(true);
      expect(height).toBeGreaterThanOrEqual(marginals.y + marginals.height + 16);
    }
  });

  it("does not blow up a single cell", () => {
    expect(layoutMatrix(request({ rows: 1, columns: 1 })).cell).toBeLessThanOrEqual(40);
  });

  it("has no legend and no bars where none are asked for", () => {
    expect(layoutMatrix(request({ legendText: null, marginalText: null }))).toMatchObject({
      legend: null,
      marginals: null,
    });
  });

  it("keeps bars of rows between the plot and the legend, and the words of both kinds below", () => {
    const { plot, legend, marginals, rowMarginals } = layoutMatrix(request({ rowMarginals: true }));
    if (!legend || !marginals || !rowMarginals) throw new Error("asked for all");
    expect(rowMarginals).toMatchObject({ y: plot.y, height: plot.height });
    expect(rowMarginals.x).toBeGreaterThan(plot.x + plot.width);
    expect(legend.x).toBeGreaterThan(rowMarginals.x + rowMarginals.width);
    expect(marginals.wordsBelow).toBe(true);
    expect(layoutMatrix(request({})).rowMarginals).toBeNull();
  });

  it("keeps all parts inside, and as wide as the page unless cells would vanish", () => {
    fc.assert(
      fc.property(requests, (asked) => {
        const layout = layoutMatrix(asked);
        const { plot, legend, marginals, rowMarginals } = layout;
        expect(plot.x).toBeGreaterThanOrEqual(asked.queryLabel);
        for (const part of [plot, legend, marginals, rowMarginals]) {
          if (!part) continue;
          expect(part.x + part.width).toBeLessThanOrEqual(layout.width + 1e-6);
          expect(part.y + part.height).toBeLessThanOrEqual(layout.height + 1e-6);
        }
        if (layout.width > asked.width) expect(layout.cell * asked.ratio).toBeCloseTo(1);
      }),
    );
  });

  it("finds each cell again at its own middle", () => {
    fc.assert(
      fc.property(requests, fc.nat(), fc.nat(), (asked, row, column) => {
        const layout = layoutMatrix(asked);
        const cell = { query: row % asked.rows, key: column % asked.columns };
        const { x, y, width, height } = cellRect(layout, cell);
        expect(cellAt(layout, x + width / 2, y + height / 2)).toEqual(cell);
      }),
    );
  });

  it("finds no cell beside the plot", () => {
    const layout = layoutMatrix(request());
    const { x, y, width, height } = layout.plot;
    expect(cellAt(layout, x - 1, y + 1)).toBeNull();
    expect(cellAt(layout, x + 1, y - 1)).toBeNull();
    expect(cellAt(layout, x + width + 1, y + 1)).toBeNull();
    expect(cellAt(layout, x + 1, y + height + 1)).toBeNull();
  });
});

/** Ten rows fit between the head and the foot. */
const layout: ScrolledLayout = {
  width: 400,
  height: 250,
  contentHeight: 2050,
  top: 40,
  foot: 10,
  pitch: 20,
};

describe("a window over rows", () => {
  it("knows the rows in sight, cut ones included", () => {
    expect(rowsInSight(layout, 0, 100)).toEqual({ first: 0, end: 10 });
    expect(rowsInSight(layout, 30, 100)).toEqual({ first: 1, end: 12 });
    expect(rowsInSight(layout, 0, 4)).toEqual({ first: 0, end: 4 });
    expect(rowsInSight(layout, 500, 4)).toEqual({ first: 4, end: 4 });
  });

  it("finds the row under the pointer", () => {
    expect([39, 40, 59, 60, 239, 240].map((y) => rowAt(layout, 0, y, 100))).toEqual([
      null,
      0,
      0,
      1,
      9,
      null,
    ]);
    expect(rowAt(layout, 30, 40, 100)).toBe(1);
    expect(rowAt(layout, 0, 200, 4)).toBeNull();
  });

  it("scrolls as little as needed", () => {
    expect(scrollToRow(layout, 100, 7)).toBe(100);
    expect(scrollToRow(layout, 100, 2)).toBe(40);
    expect(scrollToRow(layout, 0, 20)).toBe(220);
  });
});

const WEIGHTS: Tensor = {
  data: Float32Array.of(0.7, 0.2, 0.1, 0.1, 0.3, 0.6),
  shape: [2, 3],
  axes: ["query", "key"],
};

describe("a token", () => {
  it("stands for the strongest cell of its row or column", () => {
    expect(cellOfToken(WEIGHTS, "query", 1)).toEqual({ query: 1, key: 2 });
    expect(cellOfToken(WEIGHTS, "key", 0)).toEqual({ query: 0, key: 0 });
    expect(cellOfToken(WEIGHTS, "key", 3)).toBeNull();
    expect(cellOfToken(WEIGHTS, "query", 2)).toBeNull();
  });

  it("stands for its first cell where all are equal", () => {
    expect(cellOfToken({ ...WEIGHTS, data: new Float32Array(6) }, "query", 1)).toEqual({
      query: 1,
      key: 0,
    });
    expect(strongestOf(WEIGHTS, [])).toBeNull();
  });
});
