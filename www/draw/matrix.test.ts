import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Cell, Region } from "../data/index.js";
import { scaleOf } from "./colours.js";
import { cellOfToken, cellRect, layoutMatrix, placeAt, strongestOf } from "./layout.js";
import type { LayoutRequest, MatrixLayout } from "./layout.js";
import { legendValues } from "./legend.js";
import { MatrixPainter, type MatrixScene, sizedBrush } from "./matrix.js";
import { around, between, canEnlarge, cutOut, FEWEST, moved, nearest, regionOf } from "./region.js";
import { inRegion, rectangle, zoomed } from "./region.js";
import { recorder, type Recorder } from "./testing/recorder.js";

const numbers = (...values: number[]): Float32Array => Float32Array.from(values);
const cell = (query: number, key: number): Cell => ({ query, key });
const layoutOf = (changes: Partial<LayoutRequest> = {}): MatrixLayout =>
  layoutMatrix({
    rows: 3,
    columns: 3,
    width: 600,
    ratio: 1,
    comfortableHeight: 440,
    labels: { query: 60, key: 60 },
    legendText: null,
    sumsText: 90,
    ...changes,
  });

const SCENE: MatrixScene = {
  matrix: { data: new Float32Array(9), shape: [3, 3], axes: [] },
  labels: { query: ["q0", "q1", "q2"], key: ["k0", "k1", "k2"] },
  blocked: [],
  fullyMasked: [],
  sums: { query: null, key: null },
  room: { query: 100, key: 100 },
  corner: { query: "query", key: "key" },
};

const requests = fc.record({
  rows: fc.integer({ min: 1, max: 600 }),
  columns: fc.integer({ min: 1, max: 600 }),
  width: fc.integer({ min: 280, max: 1600 }),
  ratio: fc.constantFrom(1, 1.25, 1.5, 2, 3),
  comfortableHeight: fc.integer({ min: 280, max: 900 }),
  labels: fc.record({
    query: fc.integer({ min: 10, max: 112 }),
    key: fc.integer({ min: 10, max: 96 }),
  }),
  legendText: fc.constantFrom(null, 48),
  sumsText: fc.constantFrom(null, 90),
});

it("layoutMatrix keeps all parts inside, as wide as the page unless cells would vanish; placeAt inverts cellRect", () => {
  fc.assert(
    fc.property(requests, fc.nat(), fc.nat(), (asked, row, column) => {
      const layout = layoutMatrix(asked);
      const { plot, legend, sums } = layout;
      expect(plot.x).toBeGreaterThanOrEqual(asked.labels.query);
      for (const part of [plot, legend, sums.key]) {
        if (!part) continue;
        expect(part.x + part.width).toBeLessThanOrEqual(layout.width + 1e-6);
        expect(part.y + part.height).toBeLessThanOrEqual(layout.height + 1e-6);
      }
      if (layout.width > asked.width) expect(layout.cell * asked.ratio).toBeCloseTo(1);
      const at = cell(row % asked.rows, column % asked.columns);
      const { x, y, width, height } = cellRect(layout, at);
      expect(placeAt(layout, { x: x + width / 2, y: y + height / 2 })).toEqual({
        row: at.query,
        column: at.key,
      });
    }),
  );
});

it.each([
  ["a short title", 40, 126],
  ["a title that needs more room", 76, 100],
  ["a title that needs too much, with room for its numbers alone", 300, 84],
])("a legend that lies in a narrow figure has %s beside it", (_, legendText, length) => {
  const labels = { query: 58, key: 20 };
  const { legend } = layoutOf({ width: 262, rows: 24, columns: 24, labels, legendText });
  expect(legend).toMatchObject({ upright: false, x: 72, width: length });
});

it("a figure is no higher than it may be, as long as its cells are more than device pixels", () => {
  fc.assert(
    fc.property(requests, fc.integer({ min: 280, max: 700 }), (asked, highest) => {
      const layout = layoutMatrix({ ...asked, highest });
      if (layout.cell * asked.ratio > 1 + 1e-6) expect(layout.height).toBeLessThanOrEqual(highest);
      const grown = layoutMatrix(asked);
      if (grown.height <= highest) expect(layout).toEqual(grown);
    }),
  );
});

it("a token means the strongest cell of its row or column, the first of several", () => {
  const weights = { data: numbers(0.7, 0.2, 0.1, 0.1, 0.3, 0.6), shape: [2, 3], axes: [] };
  expect(cellOfToken(weights, "query", 1)).toEqual(cell(1, 2));
  expect(cellOfToken(weights, "key", 0)).toEqual(cell(0, 0));
  expect(cellOfToken(weights, "key", 3) ?? cellOfToken(weights, "query", 2)).toBeNull();
  expect(cellOfToken({ ...weights, data: numbers(0, 0, 0) }, "query", 0)).toEqual(cell(0, 0));
  expect(strongestOf(weights, [])).toBeNull();
});

it.each([
  [
    "the ends of weights and their middle",
    scaleOf(numbers(0.25, 0.5), "blue", "light"),
    [0, 0.25, 0.5],
  ],
  ["zero between signed ends", scaleOf(numbers(-2, 6, -Infinity), "signed", "light"), [-2, 0, 6]],
  ["the middle where zero is beside them", scaleOf(numbers(1, 6), "signed", "light"), [1, 3.5, 6]],
  ["one number of no range", scaleOf(numbers(0), "blue", "light"), [0]],
  ["no half of a count", { ...scaleOf(numbers(5), "blue", "light"), words: String }, [0, 5]],
] as const)("a legend has %s", (_, scale, values) => {
  expect(legendValues(scale)).toEqual(values);
});

describe("MatrixPainter", () => {
  const paint = (
    scene: Partial<MatrixScene>,
    work: (painter: MatrixPainter) => void,
    layout = layoutOf(),
  ): Recorder => {
    const record = recorder();
    work(new MatrixPainter(record.pen, layout, { ...SCENE, ...scene }));
    return record;
  };

  it("draws sums to scale, and those of the pair in focus over them in the accent colour", () => {
    const layout = layoutOf({ rows: 2, rowSums: true });
    const sums = { query: [1.5, 0], key: [1, 0.5, 0] };
    const below = paint({ sums }, (painter) => painter.words(["received"]), layout);
    const bars = below.done("fillRect");
    const [height = 0, width = 0] = [layout.sums.key?.height, layout.sums.query?.width];
    expect(bars.slice(0, 3).map(({ args }) => args[3])).toEqual([height, height / 2, 1]);
    expect(bars.slice(3).map(({ args }) => args[2])).toEqual([width, 0]);
    const above = paint({ sums }, (painter) => painter.focus(cell(1, 1)), layout);
    const accented = [bars[4], bars[1]].map((bar) => ({ ...bar, fill: "accent" }));
    expect(above.done("fillRect")).toEqual(accented);
  });

  it("writes the labels of the pair in focus in full ink, and frames it", () => {
    const record = paint({}, (painter) => {
      painter.words([]);
      painter.focus(cell(1, 0));
    });
    const strong = record.done("fillText").filter(({ fill }) => fill === "ink");
    expect(strong.map(({ args }) => args[0])).toEqual(["q1", "k0"]);
    expect(["strokeRect", "fillRect"].map((call) => record.done(call).length)).toEqual([1, 0]);
  });

  it("covers blocked cells, but none outside the matrix", () => {
    const image = { width: 3, height: 3 } as ImageBitmap;
    const blocked = [cell(2, 0), cell(2, 3), cell(9, 0)];
    const filled = paint({ blocked }, (painter) => painter.plot(image)).done("fillRect");
    const { x, y, width, height } = cellRect(layoutOf(), cell(2, 0));
    const covered = filled.filter(({ fill }) => fill === "paper").map(({ args }) => args);
    expect(covered).toEqual([[x, y, width, height]]);
  });
});

describe("a region of a large matrix", () => {
  const SQUARE = { rows: 512, columns: 512 };
  const PART = { query: 10, key: 20, rows: 8, columns: 16 };
  const region = (query: number, key: number, rows: number, columns: number): Region => ({
    query,
    key,
    rows,
    columns,
  });
  const repeated = (times: number, from: Region | null, factor: number): Region | null =>
    times === 0 ? from : repeated(times - 1, zoomed(from, cell(511, 0), factor, SQUARE), factor);

  it("keeps its middle in place and the proportions of the matrix while it is zoomed", () => {
    const half = region(50, 200, 256, 256);
    expect(zoomed(null, cell(100, 400), 0.5, SQUARE)).toEqual(half);
    expect(zoomed(half, cell(100, 400), 0.5, SQUARE)).toEqual(region(75, 300, 128, 128));
    const wide = { rows: 60, columns: 300 };
    expect(zoomed(null, cell(0, 299), 0.5, wide)).toEqual(region(0, 150, 30, 150));
  });

  it("has at least the fewest rows, and ends as the whole", () => {
    const smallest = repeated(21, null, 0.5);
    expect(smallest).toEqual(region(504, 0, FEWEST, FEWEST));
    expect(canEnlarge(smallest, SQUARE)).toBe(false);
    expect(repeated(6, smallest, 2)).toBeNull();
  });

  it("is around a cell where labels have no room, and stays as long as the cell is in it", () => {
    const room = { rows: 20, columns: 40 };
    const first = nearest(cell(100, 200), null, SQUARE, room);
    expect(first).toEqual(region(90, 180, 20, 40));
    expect(nearest(cell(91, 219), first, SQUARE, room)).toBe(first);
    expect(nearest(cell(110, 200), first, SQUARE, room)).toEqual(region(100, 180, 20, 40));
    expect(nearest(cell(511, 0), null, SQUARE, room)).toEqual(region(492, 0, 20, 40));
    expect(nearest(cell(5, 61), null, { rows: 12, columns: 62 }, room)).toEqual(
      region(0, 22, 12, 40),
    );
    expect(nearest(cell(0, 0), null, { rows: 30, columns: 60 }, room)).toBeNull();
  });

  it("moves by whole cells, stays inside, and follows a cell by no more than is needed", () => {
    expect(moved(PART, 3, -4, SQUARE)).toEqual({ ...PART, query: 13, key: 16 });
    expect(moved(PART, -100, 1000, SQUARE)).toEqual({ ...PART, query: 0, key: 496 });
    expect(around(PART, cell(12, 20))).toBe(PART);
    expect(around(PART, cell(18, 19))).toEqual({ ...PART, query: 11, key: 19 });
  });

  it.each([
    [PART, { rows: 18, columns: 36 }, PART],
    [PART, { rows: 17, columns: 36 }, null],
    [region(0, 0, 17, 36), { rows: 17, columns: 36 }, null],
    [region(-1, 0, 4, 4), SQUARE, null],
  ])("%j of a matrix of %j is valid only inside it", (given, extent, expected) => {
    expect(regionOf(given, extent)).toBe(expected);
  });

  it("treats rows as columns: the transposed matrix has the transposed region", () => {
    const number = (least: number, most: number): fc.Arbitrary<number> =>
      fc.integer({ min: least, max: most });
    const given = fc.record({
      // Square ones often: there the region decides which side is the longer one.
      all: fc.oneof(
        fc.record({ rows: number(1, 90), columns: number(1, 90) }),
        number(1, 90).map((side) => ({ rows: side, columns: side })),
      ),
      room: fc.record({ rows: number(1, 40), columns: number(1, 40) }),
      size: fc.tuple(number(1, 90), number(1, 90)),
      start: fc.tuple(number(-3, 90), number(-3, 90)),
      at: fc.tuple(number(0, 89), number(0, 89)),
      other: fc.tuple(number(0, 89), number(0, 89)),
      factor: fc.constantFrom(0.3, 0.5, 0.8, 1.25, 2, 3),
    });
    const turned = <One extends Partial<Region> | null>(one: One): One =>
      one && {
        ...one,
        ...("query" in one && { query: one.key, key: one.query }),
        ...("rows" in one && { rows: one.columns, columns: one.rows }),
      };
    const sorted = (cells: Cell[]): Cell[] =>
      cells.toSorted((a, b) => a.query - b.query || a.key - b.key);
    fc.assert(
      fc.property(given, ({ all, room, size, start, at, other, factor }) => {
        const some = region(start[0], start[1], size[0], size[1]);
        const inside = regionOf(some, all);
        const [here, there] = [cell(...at), cell(...other)];
        expect(regionOf(turned(some), turned(all))).toEqual(turned(inside));
        expect(inRegion(turned(some), turned(here))).toEqual(turned(inRegion(some, here)));
        expect(around(turned(some), turned(here))).toEqual(turned(around(some, here)));
        expect(moved(turned(some), at[1], -at[0], turned(all))).toEqual(
          turned(moved(some, -at[0], at[1], all)),
        );
        expect(nearest(turned(here), turned(inside), turned(all), turned(room))).toEqual(
          turned(nearest(here, inside, all, room)),
        );
        expect(zoomed(turned(inside), turned(here), factor, turned(all))).toEqual(
          turned(zoomed(inside, here, factor, all)),
        );
        expect(canEnlarge(turned(inside), turned(all))).toBe(canEnlarge(inside, all));
        expect(between(turned(here), turned(there))).toEqual(between(here, there).map(turned));
        const corners = rectangle(turned(here), turned(there));
        expect(sorted(corners)).toEqual(sorted(rectangle(here, there).map(turned)));
      }),
    );
  });

  it("is moved back to where it was, and has a cell that it is moved around", () => {
    const place = fc.integer({ min: 0, max: 40 });
    const size = fc.integer({ min: 1, max: 20 });
    fc.assert(
      fc.property(
        place,
        place,
        size,
        size,
        place,
        place,
        (query, key, rows, columns, down, right) => {
          const all = { rows: 90, columns: 90 };
          const from = region(query, key, rows, columns);
          const to = moved(from, down, right - key, all);
          // Within the matrix no step is lost.
          if (query + down + rows <= 90 && right + columns <= 90)
            expect(moved(to, -down, key - right, all)).toEqual(from);
          expect(regionOf(to, all)).toEqual(to);
          expect(inRegion(around(from, cell(down, right)), cell(down, right))).not.toBeNull();
        },
      ),
    );
  });

  it("has the numbers of its rows and columns", () => {
    const data = Float32Array.from({ length: 30 }, (_, index) => index);
    const part = cutOut({ data, shape: [5, 6], axes: ["query", "key"] }, region(1, 2, 2, 3));
    expect(part).toMatchObject({ shape: [2, 3], axes: ["query", "key"] });
    expect([...part.data]).toEqual([8, 9, 10, 14, 15, 16]);
  });

  it("strokes reach every cell between two, rectangles all between two corners", () => {
    const line = [cell(0, 0), cell(0, 1), cell(1, 2), cell(1, 3)];
    expect(between(cell(0, 0), cell(1, 3))).toEqual(line);
    expect(between(cell(2, 2), cell(2, 2))).toEqual([cell(2, 2)]);
    const corners = [cell(0, 1), cell(0, 2), cell(1, 1), cell(1, 2)];
    expect(rectangle(cell(1, 1), cell(0, 2))).toEqual(corners);
  });
});

describe("a stroke over a matrix", () => {
  const stroked = (look: Parameters<MatrixPainter["stroke"]>[1], layout = layoutOf()): Recorder => {
    const drawn = recorder();
    new MatrixPainter(drawn.pen, layout, SCENE).stroke([cell(1, 2), cell(2, 0)], look);
    return drawn;
  };
  const areas = ({ done }: Recorder, call: string): unknown[] =>
    done(call).map(({ args, fill }) => (call === "fillRect" ? [...args, fill] : args));

  it("hatches what it blocks, and leaves out cells beyond the matrix", () => {
    const layout = layoutOf();
    const { x, y, width } = cellRect(layout, cell(1, 2));
    const drawn = stroked("blocked");
    expect(areas(drawn, "fillRect")[0]).toEqual([x, y, width, width, "paper"]);
    expect(areas(drawn, "fillRect")).toHaveLength(2);
    expect(areas(drawn, "strokeRect")[0]).toEqual([x + 0.5, y + 0.5, width - 1, width - 1]);
    const beyond = recorder();
    const painter = new MatrixPainter(beyond.pen, layout, SCENE);
    painter.stroke([cell(3, 0), cell(0, 3)], "blocked");
    expect(areas(beyond, "fillRect")).toEqual([]);
  });

  it("shows an allowed cell as an empty one with a frame", () => {
    const { x, y, width } = cellRect(layoutOf(), cell(1, 2));
    expect(areas(stroked("open"), "fillRect").slice(0, 2)).toEqual([
      [x, y, width, width, "accent"],
      [x + 1, y + 1, width - 2, width - 2, "paper"],
    ]);
    // A cell of 3 px or less has no room for both.
    const small = layoutOf({ rows: 200, columns: 200, width: 300, comfortableHeight: 200 });
    expect(small.cell).toBeLessThan(4);
    expect(areas(stroked("open", small), "fillRect")).toHaveLength(2);
  });

  it("only frames a cell until the stroke has ended", () => {
    const { x, y, width } = cellRect(layoutOf(), cell(1, 2));
    const drawn = stroked("outlined");
    expect(areas(drawn, "fillRect")).toEqual([]);
    expect(areas(drawn, "strokeRect")[0]).toEqual([x + 1, y + 1, width - 2, width - 2]);
  });
});

it("a range is framed from its first corner to its last, in any order", () => {
  const layout = layoutOf();
  const one = cellRect(layout, cell(0, 1));
  const two = cellRect(layout, cell(2, 2));
  const [width, height] = [2 * layout.cell, 3 * layout.cell];
  for (const [from, to] of [
    [cell(0, 2), cell(2, 1)],
    [cell(2, 1), cell(0, 2)],
  ] as const) {
    const { pen, done } = recorder();
    new MatrixPainter(pen, layout, SCENE).range(from, to);
    expect(done("strokeRect").map(({ args }) => args)).toEqual([[one.x, one.y, width, height]]);
  }
  expect([two.x + two.width, two.y + two.height]).toEqual([one.x + width, one.y + height]);
});

it("a canvas has whole device pixels, the nearest to its size", () => {
  const { brush, done } = recorder();
  const canvas = { width: 0, height: 0, getContext: () => brush };
  sizedBrush(canvas as unknown as HTMLCanvasElement, 10.4, 5.1, 1.5);
  expect([canvas.width, canvas.height]).toEqual([16, 8]);
  expect(done("clearRect").map(({ args }) => args)).toEqual([[0, 0, 10.4, 5.1]]);
});
