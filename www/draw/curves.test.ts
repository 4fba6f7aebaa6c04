import { describe, expect, it } from "vitest";
import {
  heightFor,
  layoutCurves,
  logTicks,
  movedApart,
  nearestPlace,
  numberAt,
  placesOf,
  standsAtAxis,
  type CurvesScene,
} from "./curves.js";
import { lineLook, paintCurves } from "./curves-paint.js";
import { testInks, recorder } from "./testing/recorder.js";

const measure = (text: string): number => 6 * text.length;
const scene = (given: Partial<CurvesScene>): CurvesScene => ({
  lines: [],
  titles: { x: "x", y: "y" },
  marked: null,
  marks: [],
  scales: {},
  range: {},
  words: {},
  stepped: false,
  ...given,
});
const square = { name: "square", points: [10, 100, 1000].map((x) => ({ x, y: x ** 2 })) };

describe("the axes of curves", () => {
  it("hold all numbers, heights from zero up, and stand at numbers that can be read", () => {
    const { plot, x, y } = layoutCurves(
      scene({
        lines: [
          {
            name: "a",
            points: [
              { x: 2, y: 3 },
              { x: 6, y: 9.5 },
            ],
          },
        ],
      }),
      400,
      240,
      measure,
    );
    expect([x.place(2), x.place(6)]).toEqual([plot.x, plot.x + plot.width]);
    expect(y.place(0)).toBe(plot.y + plot.height);
    expect(y.ticks.map(({ words }) => words)).toEqual(["0", "2", "4", "6", "8", "10"]);
    expect(plot.x).toBeGreaterThan(measure("10"));
  });

  it("place powers of ten at equal distances where they are logarithmic, and what is below them on them", () => {
    const { plot, x, y } = layoutCurves(
      scene({ lines: [square], scales: { x: "log", y: "log" } }),
      400,
      240,
      measure,
    );
    expect(x.place(100) - plot.x).toBeCloseTo(plot.width / 2);
    expect(y.place(10_000)).toBeCloseTo(plot.y + plot.height / 2);
    expect(y.place(0)).toBeCloseTo(plot.y + plot.height);
    expect(y.ticks.map(({ words }) => words)).toEqual(["10²", "10³", "10⁴", "10⁵", "10⁶"]);
    expect(x.ticks.map(({ words }) => words)).toEqual([
      "10",
      "20",
      "50",
      "100",
      "200",
      "500",
      "1,000",
    ]);
  });

  it("have as many marks as fit", () => {
    expect(logTicks([1, 512], 12)).toEqual([1, 2, 5, 10, 20, 50, 100, 200, 500]);
    expect(logTicks([10, 100_000], 9)).toEqual([10, 100, 1000, 10_000, 100_000]);
    expect(logTicks([1, 10 ** 10], 6)).toEqual([1, 100, 10_000, 10 ** 6, 10 ** 8, 10 ** 10]);
    expect(logTicks([2, 8], 2)).toEqual([2, 5]);
  });

  it("are there for one point, for none that can be drawn, and for numbers that are all alike", () => {
    for (const points of [
      [{ x: 3, y: 0 }],
      [{ x: 1, y: NaN }],
      [
        { x: 0, y: 5 },
        { x: 1, y: 5 },
      ],
    ]) {
      for (const scales of [{}, { x: "log", y: "log" }] as const) {
        const { x, y } = layoutCurves(
          scene({ lines: [{ name: "a", points }], scales }),
          300,
          240,
          measure,
        );
        for (const point of points)
          if (Number.isFinite(point.y))
            expect([x.place(point.x), y.place(point.y)].every(Number.isFinite)).toBe(true);
      }
    }
  });
});

describe("the names of lines", () => {
  it("stand beside the plot where there is room, and apart from one another", () => {
    const lines = [square, { ...square, name: "too" }];
    expect(layoutCurves(scene({ lines }), 280, 240, measure).names).toBeNull();
    const [first = 0, second = 0] = layoutCurves(scene({ lines }), 600, 240, measure).names ?? [];
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(15);
    expect(movedApart([10, 12, 50], 14)).toEqual([10, 24, 50]);
    expect(movedApart([12, 10], 14)).toEqual([24, 10]);
    expect(movedApart([90, 95], 14, 100)).toEqual([86, 100]);
  });

  it("are left out where they would not fit above one another, and for a line that is nowhere", () => {
    const many = (count: number): CurvesScene =>
      scene({
        lines: Array.from({ length: count }, (_, index) => ({ ...square, name: `${index}` })),
      });
    const { plot, names } = layoutCurves(many(12), 600, 240, measure);
    expect(names?.every((height) => height !== null && height >= plot.y)).toBe(true);
    expect(layoutCurves(many(30), 600, 240, measure).names).toBeNull();
    expect(layoutCurves(many(30), 600, heightFor(many(30)), measure).names).not.toBeNull();
    const [first, none, last] =
      layoutCurves(
        scene({
          lines: [
            square,
            { name: "none", points: [{ x: 10, y: NaN }] },
            { name: "low", points: [{ x: 10, y: 0 }] },
          ],
        }),
        600,
        240,
        measure,
      ).names ?? [];
    expect([typeof first, none, typeof last]).toEqual(["number", null, "number"]);
    expect((last ?? 0) > (first ?? 0)).toBe(true);
  });

  it("of marks are said as far as they have room, the first of them first", () => {
    const marks = [4096, 1000, 10_000].map((x) => ({ x, words: x.toLocaleString("en") }));
    const given = scene({
      lines: [
        {
          name: "a",
          points: [
            { x: 10, y: 1 },
            { x: 100_000, y: 2 },
          ],
        },
      ],
      scales: { x: "log" },
      marks,
    });
    const wide = layoutCurves(given, 640, 240, measure);
    expect([wide.markWords, wide.markRows]).toEqual([
      ["4,096", "1,000", "10,000"],
      [0, 0, 0],
    ]);
    // Where one line has no room for all of them there is a second above it.
    const narrow = layoutCurves(given, 240, 240, measure);
    expect([narrow.markWords, narrow.markRows]).toEqual([
      ["4,096", "1,000", "10,000"],
      [0, 1, 1],
    ]);
    expect(layoutCurves(given, 200, 240, measure).markWords).toEqual(["4,096", "1,000", ""]);
    expect(narrow.plot.y).toBe(wide.plot.y + 14);
    expect(narrow.plot.y + narrow.plot.height).toBe(wide.plot.y + wide.plot.height);
    // At the axis it begins there, and leaves the numbers of the heights alone.
    expect([
      standsAtAxis(narrow.x.place(10), narrow.plot),
      standsAtAxis(narrow.x.place(1000), narrow.plot),
    ]).toEqual([true, false]);
    const narrowest = { ...given, marked: { x: 4000, words: "here" } };
    expect(layoutCurves(narrowest, 100, 240, measure).markWords).toEqual(["4,096", "", ""]);
    expect(layoutCurves(narrowest, 100, 240, measure).markRows[0]).toBe(1);
  });

  it("belong to lines that differ, up to eight of them", () => {
    const eight = Array.from({ length: 8 }, (_, index) => ({ name: String(index), points: [] }));
    const looks = eight.map((_, index) => lineLook(eight, index, { ...testInks, ground: "dark" }));
    expect(new Set(looks.map(({ colour }) => colour)).size).toBe(8);
    expect(new Set(looks.map(({ dash }) => dash.join(" "))).size).toBe(8);
    // One that has a tone takes no hue from the others.
    const quiet = { name: "most", points: [], tone: "quiet" as const };
    expect(lineLook([eight[0] ?? quiet, quiet, eight[1] ?? quiet], 2, testInks).colour).toBe(
      lineLook(eight.slice(0, 2), 1, testInks).colour,
    );
  });
});

describe("the numbers of a place", () => {
  it("are those of the nearest one that there are numbers at", () => {
    const lines = [square, { name: "b", points: [{ x: 50, y: 7 }] }];
    expect(placesOf(lines)).toEqual([10, 50, 100, 1000]);
    const layout = layoutCurves(scene({ lines }), 600, 240, measure);
    expect(nearestPlace(layout, placesOf(lines), layout.x.place(61))).toBe(50);
    expect([numberAt(square, 100), numberAt(square, 50), numberAt(square, 50, true)]).toEqual([
      10_000,
      NaN,
      100,
    ]);
  });
});

describe("the painter of curves", () => {
  const points = [
    { x: 0, y: 1 },
    { x: 1, y: 2 },
    { x: 2, y: NaN },
    { x: 3, y: 1 },
    { x: 4, y: 3 },
  ];

  it("leaves a gap where there is no number, and goes by steps where it should", () => {
    const moves = (stepped: boolean): number[] => {
      const given = scene({ lines: [{ name: "a", points }], stepped });
      const layout = layoutCurves(given, 400, 240, measure);
      const { brush, done } = recorder();
      paintCurves(brush, layout, given, testInks);
      const ticks = layout.y.ticks.length;
      return [done("moveTo").length - ticks, done("lineTo").length - ticks];
    };
    expect(moves(false)).toEqual([2, 2]);
    expect(moves(true)).toEqual([2, 4]);
  });
});
