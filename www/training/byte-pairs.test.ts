import { assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { learnBytePairs, SPACE } from "./byte-pairs.js";

describe("byte pairs", () => {
  it("merge the most frequent pair first", () => {
    const { pieces, merges, text } = learnBytePairs("low lower lowest low", 99);
    expect(merges.slice(0, 3)).toEqual([
      ["l", "o"],
      ["lo", "w"],
      [SPACE, "low"],
    ]);
    expect(text).toEqual([
      `${SPACE}low`,
      `${SPACE}lowe`,
      "r",
      `${SPACE}lowe`,
      "s",
      "t",
      `${SPACE}low`,
    ]);
    expect(pieces.slice(-merges.length)).toEqual(merges.map((pair) => pair.join("")));
  });

  it("keep the text, in pieces that there are", () => {
    const words = string({ unit: "grapheme", maxLength: 40 });
    assert(
      property(words, (some) => {
        const { pieces, text } = learnBytePairs(`${some} ${some}`, 30);
        const read = text.join("").replaceAll(SPACE, " ");
        expect(read.replace(/^ /, "")).toBe(
          `${some} ${some}`.replaceAll(SPACE, " ").replace(/^ /, ""),
        );
        expect(text.filter((piece) => !pieces.includes(piece))).toEqual([]);
        expect(new Set(pieces).size).toBe(pieces.length);
      }),
    );
  });

  it("stop at the wanted number of pieces, and where no pair comes twice", () => {
    const text = "the cat and the hat and the bat ".repeat(9);
    expect(learnBytePairs(text, 20).pieces).toHaveLength(20);
    expect(learnBytePairs("abcdef", 99).merges).toEqual([]);
  });
});
