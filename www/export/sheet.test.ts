import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recorder, testInks } from "../draw/testing/recorder.js";
import { rowOf, sheetOf, wrapped } from "./sheet.js";

const CHARACTER = 6;
const measure =
  () =>
  (text: string): number =>
    text.length * CHARACTER;
const count = (text: string): number => Array.from(text).length;
const print = (
  width: number,
  height = 200,
): { width: number; height: number; paint: () => void } => ({
  width,
  height,
  paint: () => undefined,
});

describe("a text in lines", () => {
  it.each<[text: string, room: number, most: number, lines: string[]]>([
    ["The dog, it bites the man.", 12, 9, ["The dog, it", "bites the", "man."]],
    ["don't stop well-known (words)", 11, 9, ["don't stop", "well-known", "(words)"]],
    ["one two three four", 5, 2, ["one", "two…"]],
    ["", 5, 2, []],
  ])("breaks %j between words and marks what it leaves out", (text, room, most, lines) => {
    expect(wrapped(text, room, most, count)).toEqual(lines);
  });

  it("never runs over, and breaks between the characters of a language without spaces", () => {
    expect(wrapped("狗咬了那个人。", 4, 9, count).join("")).toBe("狗咬了那个人。");
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), fc.integer({ min: 4, max: 20 }), (text, room) => {
        const lines = wrapped(text, room, 3, count);
        expect(lines.length).toBeLessThanOrEqual(3);
        for (const line of lines) expect(count(line)).toBeLessThanOrEqual(room);
      }),
    );
  });
});

describe("a sheet", () => {
  it("leaves the end of a very long text to the description, and keeps all words above the picture", () => {
    const { brush, done } = recorder();
    const words = { title: "A head", lines: ["word ".repeat(200)], maker: "Headscope" };
    const sheet = sheetOf(print(300), words, testInks, measure);
    sheet.paint(brush);
    const lines = done("fillText").slice(1, -1);
    expect(lines).toHaveLength(3);
    expect(String(lines[2]?.args[0])).toMatch(/…$/);
    const [[x = 0, y = 0] = []] = done("translate").map(({ args }) => args as number[]);
    for (const { args } of lines) {
      expect(String(args[0]).length * CHARACTER).toBeLessThanOrEqual(300);
      expect(Number(args[2])).toBeLessThan(y);
    }
    expect([x + 300 < sheet.width, y + 200 < sheet.height]).toEqual([true, true]);
  });
});

describe("a row of pictures", () => {
  it("has each under its name, in the direction that it is read in, none over another", () => {
    const { brush, done } = recorder();
    const written: [text: string, direction: string, align: string, x: number][] = [];
    brush.fillText = (text, x) => written.push([text, brush.direction, brush.textAlign, x]);
    const parts = [
      { name: "הכלב נשך!", print: print(300) },
      { name: "Bites!", print: print(100, 260) },
    ];
    const row = rowOf(parts, testInks, measure);
    row.paint(brush);
    expect(written).toEqual([
      ["הכלב נשך!", "rtl", "left", 0],
      ["Bites!", "ltr", "left", 340],
    ]);
    const [[, top = 0] = [], [next, other] = []] = done("translate").map(
      ({ args }) => args as number[],
    );
    expect([next, other]).toEqual([340, top]);
    expect(row).toMatchObject({ width: 440, height: top + 260 });
  });
});
