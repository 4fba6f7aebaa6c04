import { expect, it } from "vitest";
import { scaleOf } from "./colours.js";
import type { LegendPlace } from "./layout.js";
import { paintLegend, paintSigns } from "./legend.js";
import { recorder, type Recorder } from "./testing/recorder.js";

const numbers = (...values: number[]): Float32Array => Float32Array.from(values);

/** A legend of the numbers from −1 to 3, or of those given. */
function legend(place: Partial<LegendPlace>, values = numbers(-1, 3)): Recorder {
  const drawn = recorder();
  const whole = { x: 10, y: 20, width: 200, height: 8, upright: false, ...place };
  paintLegend(drawn.pen, whole, scaleOf(values, "signed", "light"), "weight");
  return drawn;
}

const texts = ({ done }: Recorder): unknown[] => done("fillText").map(({ args }) => args);
/** The strips of colours: where each begins and ends. */
const strips = ({ done }: Recorder, along: 0 | 1): [number, number][] =>
  done("fillRect").map(({ args }) => {
    const [from, size] = [Number(args[along]), Number(args[along + 2])];
    return [from, from + size];
  });

it("a legend that lies has its low end on the left, zero at its place, and its title behind it", () => {
  const drawn = legend({});
  expect(texts(drawn)).toEqual([
    ["−1.000", 10, 39],
    ["0", 60, 39],
    ["3.000", 210, 39],
    ["weight", 220, 25],
  ]);
  expect(drawn.done("lineTo").map(({ args }) => args)).toEqual([
    [10.5, 31],
    [60, 31],
    [209.5, 31],
  ]);
  const places = strips(drawn, 0);
  expect(places[0]?.[0]).toBe(10);
  expect(places.at(-1)?.[1]).toBe(210);
  // Without a gap between two strips.
  for (const [at, [from]] of places.slice(1).entries())
    expect(from).toBeLessThan(places[at]?.[1] ?? 0);
});

it("a legend that stands has its low end below, and its title under it", () => {
  const drawn = legend({ width: 8, height: 200, upright: true });
  expect(texts(drawn)).toEqual([
    ["−1.000", 24, 216],
    ["0", 24, 170],
    ["3.000", 24, 25],
    ["weight", 10, 234],
  ]);
  expect(drawn.done("lineTo").map(({ args }) => args)).toEqual([
    [21, 219.5],
    [21, 170],
    [21, 20.5],
  ]);
  const places = strips(drawn, 1);
  expect(places[0]?.[1]).toBe(220);
  expect(Math.min(...places.map(([from]) => from))).toBeLessThan(20.5);
  const [low, high] = [0, -1].map((at) => drawn.done("fillRect").at(at)?.fill);
  expect(low).not.toBe(high);
});

it.each<[string, Partial<LegendPlace>, number]>([
  ["lies", { width: 180 }, 2],
  ["lies, with more room", { width: 184 }, 3],
  ["stands", { width: 8, height: 60, upright: true }, 2],
  ["stands, with more room", { width: 8, height: 80, upright: true }, 3],
])("a legend that %s names zero only where that overlaps no end: %j", (_, place, values) => {
  expect(texts(legend(place))).toHaveLength(values + 1);
});

it("a legend of one number names it at the high end", () => {
  const drawn = legend({}, numbers(0, 0));
  expect(texts(drawn).length).toBeLessThanOrEqual(3);
  expect(JSON.stringify(texts(drawn))).not.toContain("null");
});

it("signs stand side by side, each with its words behind it", () => {
  const { pen, done } = recorder();
  paintSigns(pen, 5, 50, [
    { kind: "allowed", words: "open", colour: "green" },
    { kind: "forbidden", words: "masked" },
    { kind: "blocked", words: "cut" },
  ]);
  // 14 px of a sign, 8 before its words, 6 for each character and 20 up to the next.
  const places = [5, 5 + 42 + 24, 5 + 42 + 24 + 42 + 36];
  expect(done("fillText").map(({ args }) => args)).toEqual([
    ["open", 27, 57.5],
    ["masked", (places[1] ?? 0) + 22, 57.5],
    ["cut", (places[2] ?? 0) + 22, 57.5],
  ]);
  expect(done("strokeRect").map(({ args }) => Number(args[0]) - 0.5)).toEqual(places);
  const [open, ...others] = done("fillRect");
  expect([open?.args, open?.fill, others]).toEqual([[5, 50, 14, 14], "green", []]);
});
