import { describe, expect, it } from "vitest";
import { testInks, recorder } from "../draw/testing/recorder.js";
import { rowOf } from "./row.js";

const CHARACTER = 6;
const measure =
  () =>
  (text: string): number =>
    text.length * CHARACTER;
const print = (
  width: number,
  height: number,
): { width: number; height: number; paint: () => void } => ({
  width,
  height,
  paint: () => undefined,
});

describe("rowOf", () => {
  it("puts pictures side by side at one height, none over another", () => {
    const { brush, done } = recorder();
    const row = rowOf(
      [
        { name: "First", print: print(300, 200) },
        { name: "Second", print: print(100, 260) },
      ],
      testInks,
      measure,
    );
    row.paint(brush);
    expect(done("fillText").map(({ args }) => args[0])).toEqual(["First", "Second"]);
    const [[x = NaN, y = NaN] = [], [nextX = NaN, nextY = NaN] = []] = done("translate").map(
      ({ args }) => args as number[],
    );
    expect(x).toBe(0);
    expect(nextX).toBeGreaterThan(300);
    expect(nextY).toBe(y);
    expect(row).toMatchObject({ width: nextX + 100, height: y + 260 });
  });

  it("makes room for the longest name, and keeps each as wide as its picture", () => {
    const { brush, done } = recorder();
    rowOf(
      [
        { name: "word ".repeat(100), print: print(200, 200) },
        { name: "b", print: print(200, 200) },
      ],
      testInks,
      measure,
    ).paint(brush);
    const lines = done("fillText").map(({ args }) => args as [string, number, number]);
    expect(lines).toHaveLength(3);
    for (const [text] of lines) expect(text.length * CHARACTER).toBeLessThanOrEqual(200);
    const [[, top = 0] = []] = done("translate").map(({ args }) => args as number[]);
    expect(top).toBeGreaterThan(Math.max(...lines.map(([, , y]) => y)));
  });

  it("writes a name in the direction that it is read in, from the left edge of its picture", () => {
    const { brush } = recorder();
    const written: [text: string, direction: string, align: string, x: number][] = [];
    brush.fillText = (text, x) => written.push([text, brush.direction, brush.textAlign, x]);
    rowOf(
      [
        { name: "הכלב נשך!", print: print(300, 200) },
        { name: "Bites!", print: print(100, 200) },
      ],
      testInks,
      measure,
    ).paint(brush);
    expect(written).toEqual([
      ["הכלב נשך!", "rtl", "left", 0],
      ["Bites!", "ltr", "left", 340],
    ]);
  });

  it("is nothing of nothing", () => {
    expect(rowOf([], testInks, measure).width).toBe(0);
  });
});
