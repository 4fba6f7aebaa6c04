import { describe, expect, it } from "vitest";
import { printBars, barOutline } from "./bars.js";
import { testInks, recorder } from "./testing/recorder.js";

const measure =
  () =>
  (text: string): number =>
    6 * text.length;

describe("bars in a file", () => {
  it("are as long as their values, to the left of zero where those are negative", () => {
    const bars = [0.5, -0.25, NaN].map((value, index) => ({
      label: `b${index}`,
      value,
      text: String(value),
      marked: index === 0,
    }));
    const { brush, done } = recorder();
    const print = printBars(bars, "What it looks at", 1, testInks, measure);
    print.paint(brush);
    const [first, second, third] = done("fillRect").map(
      ({ args }) => args as [number, number, number, number],
    );
    if (!first || !second || !third) throw new Error("a bar is missing");
    expect(first[2]).toBeCloseTo(2 * second[2]);
    expect(second[0] + second[2]).toBeCloseTo(first[0]);
    expect(third[2]).toBe(1);
    expect(done("fillRect").map(({ fill }) => fill)).toEqual(["accent", "muted", "muted"]);
    expect(done("fillText").map(({ args }) => args[0])).toEqual([
      "What it looks at",
      "b0",
      "0.5",
      "b1",
      "-0.25",
      "b2",
      "NaN",
    ]);
    expect(print.height).toBeGreaterThan(3 * 20);
  });

  it("have no label that runs into them: a long one is cut", () => {
    const { brush, done } = recorder();
    printBars([{ label: "word ".repeat(40), value: 1, text: "1" }], "", 1, testInks, measure).paint(
      brush,
    );
    const label = String(done("fillText")[0]?.args[0]);
    expect(label).toMatch(/^word .*…$/);
    expect(measure()(label)).toBeLessThan(Number(done("fillRect")[0]?.args[0]));
  });
});

describe("an outline of bars", () => {
  it("stands on the ground and is as high as its share", () => {
    expect(barOutline([4, 1], 0, 2, 4)).toBe("M0,1V0h0.8V1zM1,1V0.75h0.8V1z");
  });

  it("draws some of them at their own place", () => {
    expect(barOutline([4, 1, 2], 1, 2, 4)).toBe("M1,1V0.75h0.8V1z");
    expect(barOutline([4, 1, 2], 3, 3, 4)).toBe("");
  });

  it("leaves no gaps between bars without a pixel each", () => {
    expect(
      barOutline(
        Array.from({ length: 61 }, () => 1),
        0,
        1,
        1,
      ),
    ).toBe("M0,1V0h1V1z");
  });

  it("draws nothing for what is no height", () => {
    expect(barOutline([NaN, -1, 0, Infinity], 0, 4, 2)).toBe(
      "M0,1V1h0.8V1zM1,1V1h0.8V1zM2,1V1h0.8V1zM3,1V0h0.8V1z",
    );
    expect(barOutline([0], 0, 1, 0)).toBe("M0,1V1h0.8V1z");
  });
});
