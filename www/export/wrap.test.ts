import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrapped } from "./wrap.js";

const count = (text: string): number => Array.from(text).length;

describe("wrapped", () => {
  it("breaks between words, and between the characters of a language without spaces", () => {
    expect(wrapped("The dog, it bites the man.", 12, 9, count)).toEqual([
      "The dog, it",
      "bites the",
      "man.",
    ]);
    expect(wrapped("狗咬了那个人。", 4, 9, count).join("")).toBe("狗咬了那个人。");
    expect(wrapped("don't stop well-known (words)", 11, 9, count)).toEqual([
      "don't stop",
      "well-known",
      "(words)",
    ]);
  });

  it("marks what it leaves out", () => {
    expect(wrapped("one two three four", 5, 2, count)).toEqual(["one", "two…"]);
    expect(wrapped("", 5, 2, count)).toEqual([]);
  });

  it("never runs over", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), fc.integer({ min: 4, max: 20 }), (text, room) => {
        const lines = wrapped(text, room, 3, count);
        expect(lines.length).toBeLessThanOrEqual(3);
        for (const line of lines) expect(count(line)).toBeLessThanOrEqual(room);
      }),
    );
  });
});
