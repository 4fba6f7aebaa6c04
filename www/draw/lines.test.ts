import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Tensor } from "../data/index.js";
import {
  eachLink,
  keptLinks,
  layoutLines,
  linkAt,
  middleOf,
  type LinesLayout,
  type LinkSeries,
  linkLook,
  paintLinesLabels,
  paintLinks,
  type LabelsScene,
} from "./lines.js";
import { testInks, recorder } from "./testing/recorder.js";

const weights = (columns: number, ...values: number[]): Tensor => ({
  data: Float32Array.from(values),
  shape: [values.length / columns, columns],
  axes: ["query", "key"],
});

function pairs(tensor: Tensor, percent: number): [number, number][] {
  const found: [number, number][] = [];
  eachLink(keptLinks(tensor, percent), null, (query, key) => found.push([query, key]));
  return found;
}

describe("the links that are kept", () => {
  const rows = weights(3, 0.5, 0.1, 0.4, 0, 0.95, 0.05);

  it("are the fewest of each query that hold the mass, the heaviest first", () => {
    expect(pairs(rows, 50)).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(pairs(rows, 90)).toEqual([
      [0, 0],
      [0, 2],
      [1, 1],
    ]);
    expect(pairs(rows, 91)).toEqual([
      [0, 0],
      [0, 2],
      [0, 1],
      [1, 1],
    ]);
  });

  it("are all that weigh anything at 100 percent, and none of a query that may look nowhere", () => {
    expect(pairs(rows, 100)).toEqual([
      [0, 0],
      [0, 2],
      [0, 1],
      [1, 1],
      [1, 2],
    ]);
    expect(pairs(weights(2, 0, 0, 1e-30, 1), 100)).toEqual([
      [1, 1],
      [1, 0],
    ]);
    expect(pairs(weights(2, 0, 0), 10)).toEqual([]);
  });

  it("hold the mass and would not without their lightest, whatever the weights", () => {
    const row = fc.array(fc.float({ min: 0, max: 1, noNaN: true }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(row, fc.integer({ min: 1, max: 99 }), (values, percent) => {
        const all = values.reduce((sum, value) => sum + value, 0);
        const kept: number[] = [];
        eachLink(keptLinks(weights(values.length, ...values), percent), null, (_, __, weight) =>
          kept.push(weight),
        );
        const held = kept.reduce((sum, value) => sum + value, 0);
        const wanted = (all * percent) / 100;
        expect(held).toBeGreaterThanOrEqual(wanted - all * 1e-5);
        if (kept.length > 0)
          expect(held - (kept.at(-1) ?? 0)).toBeLessThanOrEqual(wanted + all * 1e-5);
      }),
    );
  });

  it("can be asked for by one token, on either side", () => {
    const links = keptLinks(rows, 100);
    const of = (side: "query" | "key", index: number): number[] => {
      const found: number[] = [];
      eachLink(links, { side, index }, (query, key) => found.push(query * 10 + key));
      return found;
    };
    expect(of("query", 1)).toEqual([11, 12]);
    expect(of("key", 2)).toEqual([2, 12]);
  });
});

const layoutOf = (rows: number, columns: number, width = 600): LinesLayout =>
  layoutLines({ rows, columns, width, comfortableHeight: 400, queryLabel: 60, keyLabel: 60 });

/** Every query gives all to the key of its own number. */
function straight(count: number): LinkSeries {
  const data = Float32Array.from({ length: count * count }, (_, index) =>
    index % (count + 1) === 0 ? 1 : 0,
  );
  return {
    links: keptLinks({ data, shape: [count, count], axes: ["query", "key"] }, 90),
    colour: "one",
  };
}

const labels = (layout: LinesLayout, changes: Partial<LabelsScene> = {}): unknown[] => {
  const record = recorder();
  const scene: LabelsScene = {
    scroll: 0,
    queries: Array.from({ length: layout.rows }, (_, row) => `q${row}`),
    keys: Array.from({ length: layout.columns }, (_, row) => `k${row}`),
    queryRoom: 100,
    keyRoom: 100,
    heads: { query: "query", key: "key" },
    focused: null,
    locked: null,
    linked: { queries: new Set(), keys: new Set() },
    blocked: [],
    fullyMasked: [],
    ...changes,
  };
  paintLinesLabels(record.brush, layout, scene, testInks);
  return record.done("fillText").map(({ args }) => args[0]);
};

describe("the two columns", () => {
  it.each([600, 358, 200])("keep the links between the labels, in %s px", (width) => {
    const layout = layoutOf(5, 7, width);
    expect(layout.left).toBeGreaterThanOrEqual(60);
    expect(layout.right + 60).toBeLessThanOrEqual(layout.width);
    expect(layout.right - layout.left).toBeGreaterThanOrEqual(60);
  });

  it("scroll when the text is long, and are as high as the longer text else", () => {
    const long = layoutOf(300, 200);
    expect(long.contentHeight).toBeGreaterThan(4 * long.height);
    const short = layoutOf(3, 5);
    expect(short.contentHeight).toBe(short.height);
    expect(short.height).toBeGreaterThan(middleOf(short, 0, 4));
  });

  it("write only the tokens in sight", () => {
    const layout = layoutOf(300, 300);
    const seen = labels(layout, { scroll: 100 * layout.pitch });
    expect(seen).toContain("q100");
    expect(seen).not.toContain("q99");
    expect(seen.length).toBeLessThan(100);
    expect(labels(layoutOf(2, 3))).toEqual(["query", "key", "q0", "q1", "k0", "k1", "k2"]);
  });
});

describe("a link", () => {
  it("is found under a point of its curve, unless another is nearer or it is too far", () => {
    const layout = layoutOf(4, 4);
    const series = [straight(4)];
    const x = (layout.left + layout.right) / 2;
    const y = middleOf(layout, 0, 2);
    expect(linkAt(layout, 0, series, null, x, y + 3)).toEqual({ query: 2, key: 2 });
    expect(linkAt(layout, 0, series, null, x, y + layout.pitch / 2)).toBeNull();
    expect(linkAt(layout, 0, series, { side: "query", index: 1 }, x, y)).toBeNull();
    expect(linkAt(layout, 0, series, null, layout.left - 5, y)).toBeNull();
    expect(
      linkAt(layout, 2 * layout.pitch, [straight(90)], null, x, layout.top + layout.pitch / 2),
    ).toEqual({ query: 2, key: 2 });
  });

  it("is wider and darker the more it weighs", () => {
    const [light, heavy] = [linkLook(0.1), linkLook(0.9)];
    expect(heavy.width).toBeGreaterThan(light.width);
    expect(heavy.alpha).toBeGreaterThan(light.alpha);
    expect(linkLook(1).alpha).toBe(1);
  });

  it("is painted only where it crosses the window, all of one weight in one stroke", () => {
    const layout = layoutOf(300, 300);
    const record = recorder();
    paintLinks(record.brush, layout, {
      scroll: 0,
      series: [straight(300)],
      most: 1,
      of: null,
      strength: 1,
    });
    expect(record.done("bezierCurveTo").length).toBeLessThan(layout.height / layout.pitch + 2);
    expect(record.done("stroke")).toHaveLength(1);
    const one = recorder();
    paintLinks(one.brush, layout, {
      scroll: 0,
      series: [straight(300)],
      most: 1,
      of: { side: "key", index: 3 },
      strength: 1,
    });
    expect(one.done("bezierCurveTo")).toHaveLength(1);
  });

  it("leaves out nothing of two heads that agree: they run side by side", () => {
    const layout = layoutOf(4, 4);
    const record = recorder();
    paintLinks(record.brush, layout, {
      scroll: 0,
      series: [straight(4), straight(4)],
      most: 1,
      of: { side: "query", index: 0 },
      strength: 1,
    });
    const starts = record.done("moveTo").map(({ args }) => args[1]);
    expect(starts).toHaveLength(2);
    expect(starts[0]).not.toBe(starts[1]);
  });
});
