import { expect, it } from "vitest";
import { barOutline, printBars } from "./bars.js";
import { recorder, testInks } from "./testing/recorder.js";

it("bars in a file have no label that runs into them: a long one is cut", () => {
  const measure = (text: string): number => 6 * text.length;
  const { brush, done } = recorder();
  const bars = [{ label: "word ".repeat(40), value: 1, text: "1" }];
  printBars(bars, "", 1, testInks, () => measure).paint(brush);
  const label = String(done("fillText")[0]?.args[0]);
  expect(label).toMatch(/^word .*…$/);
  expect(measure(label)).toBeLessThan(Number(done("fillRect")[0]?.args[0]));
});

it.each([
  ["as high as their share", [4, 1], 0, 2, 4, "M0,1V0h0.8V1zM1,1V0.75h0.8V1z"],
  ["at their own place", [4, 1, 2], 1, 2, 4, "M1,1V0.75h0.8V1z"],
  [
    "without a gap where they have no pixel each",
    Array<number>(61).fill(1),
    0,
    1,
    1,
    "M0,1V0h1V1z",
  ],
  [
    "of no height where there is no number",
    [NaN, -1, 0, Infinity],
    0,
    4,
    2,
    "M0,1V1h0.8V1zM1,1V1h0.8V1zM2,1V1h0.8V1zM3,1V0h0.8V1z",
  ],
  ["of no height where none has any", [0], 0, 1, 0, "M0,1V1h0.8V1z"],
] as const)("an outline of bars has them %s", (_, values, from, to, largest, path) => {
  expect(barOutline(values, from, to, largest)).toBe(path);
});
