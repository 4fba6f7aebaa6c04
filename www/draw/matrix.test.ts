import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Region } from "../data/index.js";
import { divergingScale, sequentialScale } from "./colours.js";
import {
  cellAt,
  cellOfToken,
  cellRect,
  layoutMatrix,
  strongestOf,
  type LayoutRequest,
  type MatrixLayout,
} from "./layout.js";
import { columnSums, legendValues, rowSums } from "./legend.js";
import { MatrixPainter, type MatrixScene } from "./matrix.js";
import { around, canEnlarge, cutOut, FEWEST, moved, regionOf, zoomed } from "./region.js";
import { recorder, type Recorder } from "./testing/recorder.js";

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

const SCENE: MatrixScene = {
  matrix: { data: new Float32Array(9), shape: [3, 3], axes: [] },
  queries: ["q0", "q1", "q2"],
  keys: ["k0", "k1", "k2"],
  blocked: [],
  fullyMasked: [],
  columnSums: null,
  rowSums: null,
  room: { query: 100, key: 100 },
  corner: { query: "query", key: "key" },
};

describe("layout", () => {
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
    });
  });

  it("a token stands for the strongest cell of its row or column, the first of several", () => {
    const weights = {
      data: Float32Array.of(0.7, 0.2, 0.1, 0.1, 0.3, 0.6),
      shape: [2, 3],
      axes: [],
    };
    expect(cellOfToken(weights, "query", 1)).toEqual({ query: 1, key: 2 });
    expect(cellOfToken(weights, "key", 0)).toEqual({ query: 0, key: 0 });
    expect([cellOfToken(weights, "key", 3), cellOfToken(weights, "query", 2)]).toEqual([
      null,
      null,
    ]);
    const even = { ...weights, data: new Float32Array(6) };
    expect(cellOfToken(even, "query", 1)).toEqual({ query: 1, key: 0 });
    expect(strongestOf(weights, [])).toBeNull();
  });
});

describe("legend and sums", () => {
  const numbers = (...values: number[]): Float32Array => Float32Array.from(values);
  const layoutOf = (rows: number, more: Partial<LayoutRequest> = {}): MatrixLayout =>
    matrix({ rows, columns: 3, width: 600, ratio: 1, ...more });

  describe("the legend", () => {
    it.each([
      ["the ends of weights", sequentialScale(numbers(0.25, 0.5), "blue", "light"), [0, 0.5]],
      ["zero between signed ends", divergingScale(numbers(-2, 6, -Infinity), "light"), [-2, 0, 6]],
      ["no zero beside them", divergingScale(numbers(1, 6), "light"), [1, 6]],
      ["one number of no range", sequentialScale(numbers(0), "blue", "light"), [0]],
    ] as const)("names %s", (_, scale, values) => {
      expect(legendValues(scale)).toEqual(values);
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

    it("are drawn to scale, and those of the selected pair over them in the accent colour", () => {
      const layout = layoutOf(2, { rowMarginals: true });
      const sums = {
        columnSums: Float64Array.of(1, 0.5, 0),
        rowSums: Float64Array.of(1.5, 0),
      };
      const [below, above] = [recorder(), recorder()];
      const painter = new MatrixPainter(below.pen, layout, { ...SCENE, ...sums });
      painter.columnSums("mass received");
      painter.rowSums();
      const bars = below.done("fillRect");
      const [height = 0, width = 0] = [layout.marginals?.height, layout.rowMarginals?.width];
      expect(bars.slice(0, 3).map(({ args }) => args[3])).toEqual([height, height / 2, 1]);
      expect(bars.slice(3).map(({ args }) => args[2])).toEqual([width, 0]);
      new MatrixPainter(above.pen, layout, { ...SCENE, ...sums }).focus({ query: 1, key: 1 });
      expect(above.done("fillRect")).toEqual(
        [bars[1], bars[4]].map((bar) => ({ ...bar, fill: "accent" })),
      );
    });
  });
});

describe("labels and cells", () => {
  const layout = matrix({ rows: 3, columns: 3, width: 600, ratio: 1, legendText: null });
  const paint = (
    scene: Partial<MatrixScene>,
    ...work: ((painter: MatrixPainter) => void)[]
  ): Recorder => {
    const record = recorder();
    const painter = new MatrixPainter(record.pen, layout, { ...SCENE, ...scene });
    for (const one of work) one(painter);
    return record;
  };

  it("sets the labels of the pair in focus in full ink, and frames it", () => {
    const record = paint(
      {},
      (painter) => painter.labels(),
      (painter) => painter.focus({ query: 1, key: 0 }),
    );
    const strong = record.done("fillText").filter(({ fill }) => fill === "ink");
    expect(strong.map(({ args }) => args[0])).toEqual(["q1", "k0"]);
    expect(["strokeRect", "fillRect"].map((call) => record.done(call).length)).toEqual([1, 0]);
  });

  it("covers blocked cells, and leaves out those that do not fit the text", () => {
    const blocked = [
      { query: 2, key: 0 },
      { query: 2, key: 3 },
      { query: 9, key: 0 },
    ];
    const image = { width: 3, height: 3 } as ImageBitmap;
    const covered = paint({ blocked }, (painter) => painter.plot(image))
      .done("fillRect")
      .filter(({ fill }) => fill === "paper");
    const { plot, cell } = layout;
    expect(covered.map(({ args }) => args)).toEqual([[plot.x, plot.y + 2 * cell, cell, cell]]);
  });
});

describe("regions", () => {
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
    it("keeps its middle where it is seen, and the proportions of the matrix", () => {
      const at = { query: 100, key: 400 };
      const half = region(50, 200, 256, 256);
      expect(zoomed(null, at, 0.5, SQUARE)).toEqual(half);
      expect(zoomed(half, at, 0.5, SQUARE)).toEqual(region(75, 300, 128, 128));
      const wide = { rows: 60, columns: 300 };
      expect(zoomed(null, { query: 0, key: 299 }, 0.5, wide)).toEqual(region(0, 150, 30, 150));
    });

    it("is never smaller than can be read at a glance, and ends as the whole", () => {
      const at = { query: 511, key: 0 };
      const nearest = again(21, null, (now) => zoomed(now, at, 0.5, SQUARE));
      expect(nearest).toEqual(region(504, 0, FEWEST, FEWEST));
      expect(canEnlarge(nearest, SQUARE)).toBe(false);
      expect(again(6, nearest, (now) => zoomed(now, at, 2, SQUARE))).toBeNull();
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
});
