import { describe, expect, it } from "vitest";
import type { Token } from "../../data/index.js";
import { FAKE_INFO, FAKE_READER } from "../../../tests/support/fake-model.js";
import { carryHidden, isHideable, toggleHidden } from "./gaps.js";

const words = (text: string): Token[] =>
  text.split(" ").map((word, at) => ({
    id: Array.from(word).reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 7),
    text: word,
    word: at,
    special: false,
    role: null,
  }));

describe("hiding", () => {
  it("is for ordinary tokens of a model that has a mask token and an output head", () => {
    const [token] = words("cat");
    expect(isHideable(FAKE_READER, token)).toBe(true);
    expect(isHideable(FAKE_READER, token && { ...token, special: true })).toBe(false);
    expect(isHideable(FAKE_READER, undefined)).toBe(false);
    expect(isHideable({ ...FAKE_READER, predicts: false }, token)).toBe(false);
    expect(isHideable(FAKE_INFO, token)).toBe(false);
  });

  it("keeps the order in which tokens were hidden, and takes one back alone", () => {
    const three = [4, 1, 2].reduce<number[]>(toggleHidden, []);
    expect(three).toEqual([4, 1, 2]);
    expect(toggleHidden(three, 1)).toEqual([4, 2]);
  });
});

describe("hidden tokens of a text that changes", () => {
  it.each([
    ["a word is added at the end", "the cat sleeps", "the cat sleeps now", [1], [1]],
    ["a word is added at the beginning", "the cat sleeps", "so the cat sleeps", [1, 2], [2, 3]],
    ["a word between is taken out", "the old cat sleeps", "the cat sleeps", [0, 3], [0, 2]],
    ["the word itself is changed", "the cat sleeps", "the dog sleeps", [1, 2], [2]],
    ["everything is changed", "the cat sleeps", "a dog barks loudly", [0, 1, 2], []],
    ["a repeated word is added", "the the", "the the the", [1], [1]],
  ])("%s", (_, before, after, hidden, expected) => {
    expect(carryHidden(hidden, words(before), words(after))).toEqual(expected);
  });
});
