import { describe, expect, it } from "vitest";
import { LineChart, logTicks, movedApart, numberAt, placesOf, printBars } from "./charts.js";
import type { CurvesScene } from "./charts.js";
import { recorder, testInks } from "./testing/recorder.js";
import { Pen } from "./theme.js";

const measure = (text: string): number => 6 * text.length;
const NOTHING = { lines: [], marked: null, marks: [], scales: {}, range: {}, words: {} };
const layout = (given: Partial<CurvesScene>, width = 400): LineChart => {
  const scene = { ...NOTHING, titles: { x: "x", y: "y" }, stepped: false, ...given };
  return new LineChart(scene, width, 240, measure);
};
const line = (name: string, ...points: [x: number, y: number][]): CurvesScene["lines"][number] => ({
  name,
  points: points.map(([x, y]) => ({ x, y })),
});
const square = line("square", [10, 100], [100, 10_000], [1000, 1e6]);
const words = (ticks: LineChart["x"]["ticks"]): string => ticks.map((tick) => tick.words).join(" ");

it("printBars cuts a long label before it reaches its bar", () => {
  const { brush, done } = recorder();
  const bars = [{ label: "word ".repeat(40), value: 1, text: "1" }];
  printBars(bars, "", 1, testInks).paint(brush);
  const label = String(done("fillText")[0]?.args[0]);
  expect(label).toMatch(/^word .*…$/);
  expect(measure(label)).toBeLessThan(Number(done("fillRect")[0]?.args[0]));
});

describe("axes", () => {
  it("hold all numbers, heights from zero up, with readable ticks", () => {
    const { plot, x, y } = layout({ lines: [line("a", [2, 3], [6, 9.5])] });
    expect([x.place(2), x.place(6)]).toEqual([plot.x, plot.x + plot.width]);
    expect(y.place(0)).toBe(plot.y + plot.height);
    expect(words(y.ticks)).toBe("0 2 4 6 8 10");
  });

  it("place powers of ten at equal distances where they are logarithmic, and clamp what is below", () => {
    const { plot, x, y } = layout({ lines: [square], scales: { x: "log", y: "log" } });
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
  ] as const)("logTicks of %j for at most %i", (range, count, ticks) => {
    expect(logTicks(range, count)).toEqual(ticks);
  });
});

it("names of lines are beside the plot where there is room, and apart from each other", () => {
  const lines = [square, { ...square, name: "too" }];
  expect(layout({ lines }, 280).names).toBeNull();
  const [first, second] = layout({ lines }, 600).names ?? [];
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(15);
});

it.each([
  [[10, 12, 50], undefined, [10, 24, 50]],
  [[12, 10], undefined, [24, 10]],
  [[90, 95], 100, [86, 100]],
])("movedApart(%j, 14, %s)", (heights, bottom, expected) => {
  expect(movedApart(heights, 14, bottom)).toEqual(expected);
});

it("labels of marks have two rows in a narrow figure, the first mark first; without room they are left out", () => {
  const given = {
    lines: [line("a", [10, 1], [100_000, 2])],
    scales: { x: "log" },
    marks: [4096, 1000, 10_000].map((x) => ({ x, words: x.toLocaleString("en") })),
  } as const;
  const wide = layout(given, 640);
  const narrow = layout(given, 240);
  const marked = { ...given, marked: { x: 4000, words: "here" } };
  const rows = [wide, narrow, layout(given, 200), layout(marked, 100)].map((chart) => chart.rows);
  expect(rows).toEqual([
    [0, 0, 0],
    [0, 1, 1],
    [0, 1, -1],
    [1, -1, -1],
  ]);
  expect(narrow.plot.y).toBe(wide.plot.y + 14);
  // A label at the axis begins there, clear of the numbers of the heights.
  expect([10, 1000].map((at) => narrow.isAtAxis(narrow.x.place(at)))).toEqual([true, false]);
});

it("a line has its numbers at the nearest place with numbers", () => {
  const lines = [square, line("b", [50, 7])];
  const chart = layout({ lines }, 600);
  expect(placesOf(lines)).toEqual([10, 50, 100, 1000]);
  expect(chart.nearestPlace(placesOf(lines), chart.x.place(61))).toBe(50);
  const numbers = [numberAt(square, 100), numberAt(square, 50), numberAt(square, 50, true)];
  expect(numbers).toEqual([10_000, NaN, 100]);
});

it.each([
  [false, [2, 2]],
  [true, [2, 4]],
])("a line has a gap where there is no number; stepped: %s", (stepped, moves) => {
  const lines = [line("a", [0, 1], [1, 2], [2, NaN], [3, 1], [4, 3])];
  const chart = layout({ lines, stepped });
  const { brush, done } = recorder();
  chart.paint(new Pen(brush, testInks));
  const ticks = chart.y.ticks.length;
  expect([done("moveTo").length - ticks, done("lineTo").length - ticks]).toEqual(moves);
});
