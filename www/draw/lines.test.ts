import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Tensor } from "../data/index.js";
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
import { recorder, type Recorder } from "./testing/recorder.js";

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

describe("the two columns", () => {
  it.each([600, 358, 200])("keep the links between the labels, in %s px", (width) => {
    const layout = layoutOf(5, 7, width);
    expect(layout.left).toBeGreaterThanOrEqual(60);
    expect(layout.right + 60).toBeLessThanOrEqual(layout.width);
    expect(layout.right - layout.left).toBeGreaterThanOrEqual(60);
  });

  it("scroll when the text is long, and are as high as the longer text else", () => {
    const [long, short] = [layoutOf(300, 200), layoutOf(3, 5)];
    expect(long.contentHeight).toBeGreaterThan(4 * long.height);
    expect(short.contentHeight).toBe(short.height);
    expect(short.height).toBeGreaterThan(middleOf(short, 0, 4));
  });
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

  it("runs beside that of another head that agrees", () => {
    const both = painted(layoutOf(4, 4), [straight(4), straight(4)], { side: "query", index: 0 });
    const [first, second] = both.done("moveTo").map(({ args }) => args[1]);
    expect(second).not.toBe(first);
  });
});
