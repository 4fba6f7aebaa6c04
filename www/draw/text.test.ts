import { describe, expect, it } from "vitest";
import { recorder } from "./testing/recorder.js";
import { writeLabel } from "./text.js";

describe("the label of a token", () => {
  it("is written in its own direction, and what comes after it is not turned by it", () => {
    const { brush, done } = recorder();
    const directions: string[] = [];
    const fillText = brush.fillText.bind(brush);
    brush.fillText = (text, x, y) => {
      directions.push(brush.direction);
      fillText(text, x, y);
    };
    for (const label of ["dog", "כלב…", "!"]) writeLabel(brush, label, 1, 2);
    expect(directions).toEqual(["ltr", "rtl", "ltr"]);
    expect(brush.direction).toBe("ltr");
    expect(done("fillText").map(({ args }) => args)).toEqual([
      ["dog", 1, 2],
      ["כלב…", 1, 2],
      ["!", 1, 2],
    ]);
  });
});
