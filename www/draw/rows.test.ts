import fc from "fast-check";
import { expect, it, describe } from "vitest";
import type { Tensor, Step } from "../data/index.js";
import { dimensionAt, layoutDimensions, productsOf, type DimensionsLayout } from "./dimensions.js";
import {
  eachLink,
  keptLinks,
  layoutLines,
  linkAt,
  middleOf,
  paintLinks,
  type Emphasis,
  type LinesLayout,
  type LinkSeries,
} from "./lines.js";
import { layoutStrip, stripCellAt, sampleColumns, wavePath } from "./position-matrix.js";
import { layoutSteps, scrollToStep, STEP_GAP, stepCellAt, type StepShape } from "./steps.js";
import { recorder, type Recorder } from "./testing/recorder.js";

describe("query–key dimensions", () => {
  const layoutOf = (rows: number, dimensions: number, width: number, ratio = 1): DimensionsLayout =>
    layoutDimensions({ rows, dimensions, width, ratio, comfortableHeight: 400, keyLabel: 64 });

  it("a query and the keys are multiplied dimension by dimension", () => {
    const axes = ["position", "head_dim"];
    const query = { data: Float32Array.of(9, 9, 9, 1, -2, 3), shape: [2, 3], axes };
    const key = { data: Float32Array.of(1, 1, 1, 2, 0.5, -1), shape: [2, 3], axes };
    expect([...productsOf({ query, key }, 1)]).toEqual([1, -2, 3, 2, -1, -3]);
  });

  it.each([
    [600, 24],
    [358, 32],
    [358, 64],
    [700, 128],
  ])("the strips and the numbers fit %s px with %s dimensions", (width, dimensions) => {
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
});

describe("the bipartite view", () => {
  const weights = (columns: number, ...values: number[]): Tensor => ({
    data: Float32Array.from(values),
    shape: [values.length / columns, columns],
    axes: ["query", "key"],
  });
  /** The links that are kept, as query and key. */
  const pairs = (tensor: Tensor, percent: number, of: Emphasis | null = null): string => {
    const found: string[] = [];
    eachLink(keptLinks(tensor, percent), of, (query, key) => found.push(`${query}-${key}`));
    return found.join(" ");
  };

  describe("the links that are kept", () => {
    const rows = weights(3, 0.5, 0.1, 0.4, 0, 0.95, 0.05);

    it.each([
      ["hold half", rows, 50, null, "0-0 1-1"],
      ["hold most, the heaviest first", rows, 90, null, "0-0 0-2 1-1"],
      ["hold a little more", rows, 91, null, "0-0 0-2 0-1 1-1"],
      ["weigh anything at all", rows, 100, null, "0-0 0-2 0-1 1-1 1-2"],
      [
        "weigh next to nothing too, and none of a query that may look nowhere",
        weights(2, 0, 0, 1e-30, 1),
        100,
        null,
        "1-1 1-0",
      ],
      ["are of one query", rows, 100, { side: "query", index: 1 }, "1-1 1-2"],
      ["are of one key", rows, 100, { side: "key", index: 2 }, "0-2 1-2"],
    ] as const)("are those that %s", (_, tensor, percent, of, expected) => {
      expect(pairs(tensor, percent, of)).toBe(expected);
    });

    it("hold the mass and would not without their lightest, whatever the weights", () => {
      const weight = fc.float({ min: 0, max: 1, noNaN: true });
      const row = fc.array(weight, { minLength: 1, maxLength: 40 });
      fc.assert(
        fc.property(row, fc.integer({ min: 1, max: 99 }), (values, percent) => {
          const all = values.reduce((sum, value) => sum + value, 0);
          const kept = [...keptLinks(weights(values.length, ...values), percent).weights];
          const held = kept.reduce((sum, value) => sum + value, 0);
          const wanted = (all * percent) / 100;
          expect(held).toBeGreaterThanOrEqual(wanted - all * 1e-5);
          if (kept.length > 0)
            expect(held - (kept.at(-1) ?? 0)).toBeLessThanOrEqual(wanted + all * 1e-5);
        }),
      );
    });
  });

  const layoutOf = (rows: number, columns: number, width = 600): LinesLayout =>
    layoutLines({ rows, columns, width, comfortableHeight: 400, queryLabel: 60, keyLabel: 60 });

  /** Every query gives all to the key of its own number. */
  const straight = (count: number): LinkSeries => ({
    links: keptLinks(
      weights(
        count,
        ...Array.from({ length: count ** 2 }, (_, at) => (at % (count + 1) === 0 ? 1 : 0)),
      ),
      90,
    ),
    colour: "one",
  });

  describe("a link", () => {
    const painted = (layout: LinesLayout, series: LinkSeries[], of: Emphasis | null): Recorder => {
      const record = recorder();
      paintLinks(record.brush, layout, { scroll: 0, series, most: 1, of, strength: 1 });
      return record;
    };

    it("is found under a point of its curve, unless another is nearer or it is too far", () => {
      const layout = layoutOf(4, 4);
      const [x, y] = [(layout.left + layout.right) / 2, middleOf(layout, 0, 2)];
      const under = (of: Emphasis | null, left: number, top: number): unknown =>
        linkAt(layout, 0, [straight(4)], of, left, top);
      expect(under(null, x, y + 3)).toEqual({ query: 2, key: 2 });
      expect(under(null, x, y + layout.pitch / 2)).toBeNull();
      expect(under({ side: "query", index: 1 }, x, y)).toBeNull();
      expect(under(null, layout.left - 5, y)).toBeNull();
      const [scroll, first] = [2 * layout.pitch, layout.top + layout.pitch / 2];
      expect(linkAt(layout, scroll, [straight(90)], null, x, first)).toEqual({ query: 2, key: 2 });
    });

    it("is painted only where it crosses the window, all of one weight in one stroke", () => {
      const layout = layoutOf(300, 300);
      const all = painted(layout, [straight(300)], null);
      expect(all.done("bezierCurveTo").length).toBeLessThan(layout.height / layout.pitch + 2);
      expect(all.done("stroke")).toHaveLength(1);
      const one = painted(layout, [straight(300)], { side: "key", index: 3 });
      expect(one.done("bezierCurveTo")).toHaveLength(1);
    });
  });
});

describe("positional encodings", () => {
  describe("the strip of positions", () => {
    it.each([
      [16, 192, 760, 2],
      [512, 768, 360, 3],
      [1, 6, 300, 1],
    ])(
      "%s × %s fits %s px at %s device pixels each, and finds its cells",
      (positions, dimensions, width, ratio) => {
        const layout = layoutStrip(positions, dimensions, width, ratio);
        const { plot, cell } = layout;
        expect(plot.x + plot.width).toBeLessThanOrEqual(width);
        expect(layout.height).toBeGreaterThan(plot.y + plot.height);
        const last = { position: positions - 1, dimension: dimensions - 1 };
        const middle = [
          plot.x + (last.dimension + 0.5) * cell.width,
          plot.y + (last.position + 0.5) * cell.height,
        ] as const;
        expect(stripCellAt(layout, ...middle)).toEqual(last);
        expect(stripCellAt(layout, plot.x + plot.width, plot.y)).toBeNull();
        expect(stripCellAt(layout, plot.x - 1, plot.y)).toBeNull();
      },
    );
  });

  describe("waves", () => {
    it("runs from edge to edge, with zero in the middle", () => {
      expect(wavePath(Float32Array.of(1, 0, -1), 100, 20)).toBe("M0.0 0.0L50.0 10.0L100.0 20.0");
    });

    it("chooses different columns that exist", () => {
      expect(sampleColumns(192)).toEqual([0, 12, 24, 48, 96]);
      expect(sampleColumns(3)).toEqual([0, 1]);
      expect(sampleColumns(1)).toEqual([0]);
    });
  });
});

describe("steps of a block", () => {
  const shapes = (rows: number, keys: number): StepShape[] => [
    { step: "input", rows, columns: 128 },
    { step: "key", rows: keys, columns: 128 },
    { step: "weights", rows, columns: keys },
    { step: "ff-hidden", rows, columns: 3072 },
  ];

  describe("the strip of steps", () => {
    it.each([1, 12, 512])(
      "places %i tokens side by side, none over another, and finds every corner again",
      (rows) => {
        const layout = layoutSteps(shapes(rows, rows), 96, false);
        layout.boxes.forEach(({ step, plot, columns, room, from }, index) => {
          const before = layout.boxes[index - 1];
          if (before)
            expect([plot.x, from]).toEqual([
              before.plot.x + before.room,
              before.plot.x + before.plot.width,
            ]);
          expect(room).toBeGreaterThanOrEqual(plot.width + STEP_GAP);
          expect(stepCellAt(layout, plot.x, plot.y)).toEqual({ step, row: 0, column: 0 });
          expect(
            stepCellAt(layout, plot.x + plot.width - 0.01, plot.y + plot.height - 0.01),
          ).toEqual({ step, row: rows - 1, column: columns - 1 });
          expect(plot.y + plot.height).toBeLessThanOrEqual(layout.height);
          expect(plot.x + plot.width).toBeLessThanOrEqual(layout.width);
        });
        expect(stepCellAt(layout, 0, 0)).toBeNull();
      },
    );

    it("scrolls no further than it must: a matrix in sight stays, one that is wider than the window shows the cell", () => {
      const layout = layoutSteps(shapes(5, 7), 96, false);
      const to = (step: Step, column: number, from: number): number =>
        scrollToStep(layout, step, column, from, 700);
      expect(to("input", 127, 0)).toBe(0);
      const wide = layout.boxes[3];
      const left = to("ff-hidden", 3000, 0);
      const at = (wide?.plot.x ?? 0) + 3000 * (wide?.cellWidth ?? 0) - left;
      expect(at).toBeGreaterThan(96);
      expect(at).toBeLessThan(700);
      expect(to("ff-hidden", 3001, left)).toBe(left);
    });
  });
});
