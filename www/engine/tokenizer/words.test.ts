import { expect, it } from "vitest";
import type { Spelling } from "./readable.js";
import { numberWords } from "./words.js";

const MARKED: Spelling = { bytes: false, space: "▁", prefix: "", suffix: "" };

it.each([
  ["▁the ▁cat s", [4, 5, 5]],
  ["▁don ' t ▁stop .", [4, 5, 6, 7, 8]],
  ["▁snake _case 2", [4, 4, 4]],
  ["▁no ?! ?", [4, 5, 5]],
  // A mark by itself belongs to the piece behind it, a run of marks to the run.
  ["▁a ▁ b", [4, 5, 5]],
  ["▁ ( a", [4, 4, 5]],
  ["▁ ▁▁ ▁a", [4, 4, 5]],
  // A byte goes on with any word.
  ["▁a <0xE4> . b", [4, 4, 4, 5]],
  ["▁a ⟨ ⟩ b", [4, 4, 4, 4]],
])("%s has the words %j", (text, words) => {
  const pieces = text.split(" ").map((piece) => ({
    piece,
    text: piece.replaceAll("▁", "").replace(/^<0x(..)>$/, "⟨$1⟩"),
  }));
  expect(numberWords(pieces, MARKED, 4)).toEqual(words);
});

it("without a mark of spaces a word ends between letters and signs alone", () => {
  const pieces = ["▁a", "b", "!", "c"].map((piece) => ({ piece, text: piece }));
  expect(numberWords(pieces, { ...MARKED, space: "" }, 0)).toEqual([0, 0, 1, 2]);
  expect(numberWords([], MARKED, 3)).toEqual([]);
});
