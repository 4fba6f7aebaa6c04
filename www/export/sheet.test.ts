import { describe, expect, it } from "vitest";
import { testInks, recorder } from "../draw/testing/recorder.js";
import { sheetOf } from "./sheet.js";

const CHARACTER = 6;
const picture = { width: 300, height: 200, paint: () => undefined };
const measure =
  () =>
  (text: string): number =>
    text.length * CHARACTER;
const words = { title: "A head", lines: ["Model: M", "Text: one two three"], maker: "Headscope" };

describe("sheetOf", () => {
  it("grows around the picture, and says everything on its paper", () => {
    const sheet = sheetOf(picture, words, testInks, measure);
    const { brush, done } = recorder();
    sheet.paint(brush);
    expect(sheet.width).toBeGreaterThan(picture.width);
    expect(done("fillRect")).toMatchObject([
      { args: [0, 0, sheet.width, sheet.height], fill: "paper" },
    ]);
    expect(done("fillText").map(({ args }) => args[0])).toEqual([
      "A head",
      "Model: M",
      "Text: one two three",
      "Headscope",
    ]);
  });

  it("moves the picture below its words and inside its edges", () => {
    const { brush, done } = recorder();
    const sheet = sheetOf(picture, words, testInks, measure);
    sheet.paint(brush);
    const [[x, y] = []] = done("translate").map(({ args }) => args as number[]);
    const lowest = Math.max(
      ...done("fillText")
        .slice(0, 3)
        .map(({ args }) => Number(args[2])),
    );
    expect(y).toBeGreaterThan(lowest);
    expect((x ?? 0) + picture.width).toBeLessThan(sheet.width);
    expect((y ?? 0) + picture.height).toBeLessThan(sheet.height);
  });

  it("breaks a long text into lines, and leaves the end of a very long one to the description", () => {
    const { brush, done } = recorder();
    sheetOf(picture, { ...words, lines: ["word ".repeat(200)] }, testInks, measure).paint(brush);
    const lines = done("fillText")
      .slice(1, -1)
      .map(({ args }) => String(args[0]));
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/…$/);
    for (const line of lines) expect(line.length * CHARACTER).toBeLessThanOrEqual(picture.width);
  });
});
