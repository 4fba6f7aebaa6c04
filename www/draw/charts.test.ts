import { expect, it, describe } from "vitest";
import { LineChart, logTicks, movedApart, numberAt, placesOf, printBars } from "./charts.js";
import type { CurvesScene } from "./charts.js";
import { recorder, testInks } from "./testing/recorder.js";
import { Pen } from "./theme.js";

describe("bars", () => {
  it("bars in a file have no label that runs into them: a long one is cut", () => {
    const measure = (text: string): number => 6 * text.length;
    const { brush, done } = recorder();
    const bars = [{ label: "word ".repeat(40), value: 1, text: "1" }];
    printBars(bars, "", 1, testInks, () => measure).paint(brush);
    const label = String(done("fillText")[0]?.args[0]);
    expect(label).toMatch(/^word .*…$/);
    expect(measure(label)).toBeLessThan(Number(done("fillRect")[0]?.args[0]));
  });
});

describe("curves", () => {
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
  const layout = (given: Partial<CurvesScene>, width = 400): LineChart =>
    new LineChart(scene(given), width, 240, (text) => 6 * text.length);
  const line = (
    name: string,
    ...points: [x: number, y: number][]
  ): CurvesScene["lines"][number] => ({
    name,
    points: points.map(([x, y]) => ({ x, y })),
  });
  const square = line("square", [10, 100], [100, 10_000], [1000, 1e6]);
  const LOG = { x: "log", y: "log" } as const;
  const words = (ticks: LineChart["x"]["ticks"]): string =>
    ticks.map((tick) => tick.words).join(" ");

  describe("the axes of curves", () => {
    it("hold all numbers, heights from zero up, and stand at numbers that can be read", () => {
      const { plot, x, y } = layout({ lines: [line("a", [2, 3], [6, 9.5])] });
      expect([x.place(2), x.place(6)]).toEqual([plot.x, plot.x + plot.width]);
      expect(y.place(0)).toBe(plot.y + plot.height);
      expect(words(y.ticks)).toBe("0 2 4 6 8 10");
    });

    it("place powers of ten at equal distances where they are logarithmic, and what is below them on them", () => {
      const { plot, x, y } = layout({ lines: [square], scales: LOG });
      expect(x.place(100) - plot.x).toBeCloseTo(plot.width / 2);
      expect(y.place(0)).toBeCloseTo(plot.y + plot.height);
      expect(words(y.ticks)).toBe("10² 10³ 10⁴ 10⁵ 10⁶");
      expect(words(x.ticks)).toBe("10 20 50 100 200 500 1,000");
    });

    it.each([
      [[1, 512], 12, [1, 2, 5, 10, 20, 50, 100, 200, 500]],
      [[10, 100_000], 9, [10, 100, 1000, 10_000, 100_000]],
      [[1, 1e10], 6, [1, 100, 1e4, 1e6, 1e8, 1e10]],
      [[2, 8], 2, [2, 5]],
    ] as const)("have from %j no more than %i ticks", (range, count, ticks) => {
      expect(logTicks(range, count)).toEqual(ticks);
    });
  });

  describe("the names of lines", () => {
    it("stand beside the plot where there is room, and apart from one another", () => {
      const lines = [square, { ...square, name: "too" }];
      expect(layout({ lines }, 280).names).toBeNull();
      const [first, second] = layout({ lines }, 600).names ?? [];
      expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(15);
      expect(movedApart([10, 12, 50], 14)).toEqual([10, 24, 50]);
      expect(movedApart([12, 10], 14)).toEqual([24, 10]);
      expect(movedApart([90, 95], 14, 100)).toEqual([86, 100]);
    });

    it("of marks are said as far as they have room, the first of them first, in two lines if need be", () => {
      const given = {
        lines: [line("a", [10, 1], [100_000, 2])],
        scales: { x: "log" },
        marks: [4096, 1000, 10_000].map((x) => ({ x, words: x.toLocaleString("en") })),
      } as const;
      const [wide, narrow] = [layout(given, 640), layout(given, 240)];
      expect([wide.rows, narrow.rows]).toEqual([
        [0, 0, 0],
        [0, 1, 1],
      ]);
      expect(layout(given, 200).rows).toEqual([0, 1, -1]);
      expect(narrow.plot.y).toBe(wide.plot.y + 14);
      expect(narrow.plot.y + narrow.plot.height).toBe(wide.plot.y + wide.plot.height);
      // At the axis it begins there, and leaves the numbers of the heights alone.
      expect([10, 1000].map((at) => narrow.isAtAxis(narrow.x.place(at)))).toEqual([true, false]);
      const narrowest = layout({ ...given, marked: { x: 4000, words: "here" } }, 100);
      expect(narrowest.rows).toEqual([1, -1, -1]);
    });
  });

  describe("a line", () => {
    it("has its numbers at the nearest place that there are numbers at", () => {
      const lines = [square, line("b", [50, 7])];
      const laid = layout({ lines }, 600);
      expect(placesOf(lines)).toEqual([10, 50, 100, 1000]);
      expect(laid.nearestPlace(placesOf(lines), laid.x.place(61))).toBe(50);
      expect([numberAt(square, 100), numberAt(square, 50), numberAt(square, 50, true)]).toEqual([
        10_000,
        NaN,
        100,
      ]);
    });

    it.each([
      [false, [2, 2]],
      [true, [2, 4]],
    ])(
      "has a gap where there is no number, and goes by steps where it should: %s",
      (stepped, moves) => {
        const given = scene({
          lines: [line("a", [0, 1], [1, 2], [2, NaN], [3, 1], [4, 3])],
          stepped,
        });
        const laid = layout(given);
        const { brush, done } = recorder();
        laid.paint(new Pen(brush, testInks));
        const ticks = laid.y.ticks.length;
        expect([done("moveTo").length - ticks, done("lineTo").length - ticks]).toEqual(moves);
      },
    );
  });
});
