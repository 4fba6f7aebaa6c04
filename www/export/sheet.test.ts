import fc from "fast-check";
import { expect, it } from "vitest";
import { recorder, testInks } from "../draw/testing/recorder.js";
import { sheetOf, wrapped } from "./sheet.js";

const count = (text: string): number => Array.from(text).length;

it.each<[text: string, room: number, most: number, lines: string[]]>([
  ["The dog, it bites the man.", 12, 9, ["The dog, it", "bites the", "man."]],
  ["don't stop well-known (words)", 11, 9, ["don't stop", "well-known", "(words)"]],
  ["one two three four", 5, 2, ["one", "two…"]],
  ["狗咬了那个人。", 4, 9, ["狗咬了", "那个人。"]],
  ["", 5, 2, []],
])("a text %j is broken between words and marked where it is cut", (text, room, most, lines) => {
  expect(wrapped(text, room, most, count)).toEqual(lines);
});

it("no line is longer than its room", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), fc.integer({ min: 4, max: 20 }), (text, room) => {
      const lines = wrapped(text, room, 3, count);
      expect(lines.length).toBeLessThanOrEqual(3);
      for (const line of lines) expect(count(line)).toBeLessThanOrEqual(room);
    }),
  );
});

it("a sheet leaves the end of a very long text to the description, and keeps all words above the picture", () => {
  const { brush, done } = recorder();
  const words = { title: "A head", lines: ["word ".repeat(200)], maker: "Headscope" };
  const picture = { width: 300, height: 200, paint: () => undefined };
  const sheet = sheetOf(picture, words, testInks);
  sheet.paint(brush);
  const lines = done("fillText").slice(1, -1);
  expect(lines).toHaveLength(3);
  expect(String(lines[2]?.args[0])).toMatch(/…$/);
  const [[x = 0, y = 0] = []] = done("translate").map(({ args }) => args as number[]);
  for (const { args } of lines) expect(Number(args[2])).toBeLessThan(y);
  expect([x + 300 < sheet.width, y + 200 < sheet.height]).toEqual([true, true]);
});
