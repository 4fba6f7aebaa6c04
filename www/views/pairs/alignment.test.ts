import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Tensor, Token } from "../../data/index.js";
import { ALIGNMENTS } from "../../state/index.js";
import {
  align,
  counterpartOf,
  fromShared,
  sharedAxis,
  sharedPattern,
  toShared,
} from "./alignment.js";

const word = (text: string, at: number): Token => ({
  id: at,
  text,
  word: at,
  special: false,
  role: null,
});
const tokens = (text: string): Token[] =>
  text
    .split(" ")
    .filter((part) => part !== "")
    .map(word);
const found = (one: string, other: string): (string | null)[] => {
  const [first, second] = [tokens(one), tokens(other)];
  return align(first, second).toOther.map((at) =>
    at === null ? null : (second[at]?.text ?? null),
  );
};

describe("align", () => {
  it("pairs swapped words with themselves", () => {
    expect(
      align(tokens("The dog bites the man ."), tokens("The man bites the dog .")).toOther,
    ).toEqual([0, 4, 2, 3, 1, 5]);
  });

  it("pairs a word that was exchanged with what stands in its place", () => {
    expect(found("I saw a cat", "I saw a dog")).toEqual(["I", "saw", "a", "dog"]);
  });

  it("leaves what one text has more without a counterpart", () => {
    expect(found("He sat on the bank", "He sat on the muddy bank")).toEqual([
      "He",
      "sat",
      "on",
      "the",
      "bank",
    ]);
    expect(found("He sat on the muddy bank", "He sat on the bank")[4]).toBeNull();
  });

  it("pairs pieces of a word in their order, and special tokens by what they do", () => {
    const [un, seen] = ["un", "seen"].map((text) => ({ ...word(text, 0), id: 1 }));
    const end = (text: string): Token => ({ id: 9, text, word: -1, special: true, role: "end" });
    if (!un || !seen) throw new Error("no pieces");
    expect(
      align([un, seen, end("</s>")], [{ ...word("unseen", 0) }, end("[SEP]")]).toOther,
    ).toEqual([0, null, 1]);
  });

  it("takes the reader's word before its own", () => {
    const { toOther, toOne } = align(tokens("a b c"), tokens("a b c"), "words", [
      { one: 0, other: 2 },
      { one: 7, other: 0 },
    ]);
    expect(toOther).toEqual([2, 1, null]);
    expect(toOne).toEqual([null, 1, 0]);
  });

  it("pairs what stands at the same place when it is asked to, whatever stands there", () => {
    expect(
      align(tokens("The dog bites the man ."), tokens("The man bites the dog ."), "positions")
        .toOther,
    ).toEqual([0, 1, 2, 3, 4, 5]);
    const { toOther, toOne } = align(tokens("a b c"), tokens("c b"), "positions", [
      { one: 2, other: 0 },
    ]);
    expect([toOther, toOne]).toEqual([
      [null, 1, 0],
      [2, 1],
    ]);
    expect(align([], tokens("a"), "positions")).toEqual({ toOther: [], toOne: [null] });
  });

  const anyText = fc
    .array(fc.constantFrom("a", "b", "c", "d", "E"), { maxLength: 9 })
    .map((words) => words.map(word));
  const anyWay = fc.constantFrom(...ALIGNMENTS);
  const anyHand = fc.array(fc.record({ one: fc.nat({ max: 9 }), other: fc.nat({ max: 9 }) }), {
    maxLength: 3,
  });

  it("pairs one with one", () => {
    fc.assert(
      fc.property(anyText, anyText, anyWay, anyHand, (one, other, by, hand) => {
        const { toOther, toOne } = align(one, other, by, hand);
        toOther.forEach((to, at) => to !== null && expect(toOne[to]).toBe(at));
        toOne.forEach((to, at) => to !== null && expect(toOther[to]).toBe(at));
      }),
    );
  });
});

const tokensDifference = (text: string): Token[] =>
  text.split(" ").map((word, at) => ({ id: at, text: word, word: at, special: false, role: null }));
const square = (size: number, value: (query: number, key: number) => number): Tensor => ({
  data: Float32Array.from({ length: size * size }, (_, index) =>
    value(Math.floor(index / size), index % size),
  ),
  shape: [size, size],
  axes: ["query", "key"],
});

const [ONE, OTHER] = [tokensDifference("a dog bites"), tokensDifference("now a cat bites")];
const ALIGNED = align(ONE, OTHER);
const AXIS = sharedAxis(ONE, OTHER, ALIGNED);
const [FIRST, SECOND] = [
  square(3, (query, key) => 10 * query + key),
  square(4, (query, key) => (query === 3 && key === 3 ? -Infinity : 1)),
];
const SHARED = sharedPattern(FIRST, SECOND, AXIS, AXIS);

describe("a shared axis", () => {
  it("has the first text in its order, and marks in its place what the second has more", () => {
    expect(AXIS.tokens.map(({ text }) => text)).toEqual(["− now", "a", "dog", "bites"]);
    expect([AXIS.one, AXIS.other]).toEqual([
      [null, 0, 1, 2],
      [0, 1, 2, 3],
    ]);
  });

  it("drops nothing and repeats nothing, whatever is aligned", () => {
    const axis = sharedAxis(
      tokensDifference("x a b"),
      tokensDifference("b y a z"),
      align(tokensDifference("x a b"), tokensDifference("b y a z")),
    );
    expect(axis.one.filter((at) => at !== null)).toEqual([0, 1, 2]);
    expect(axis.other.filter((at) => at !== null).sort()).toEqual([0, 1, 2, 3]);
  });
});

describe("a shared pattern", () => {
  it("is the first less the second, and no number where one of them has none", () => {
    expect([...SHARED.tensor.data]).toEqual([
      NaN,
      NaN,
      NaN,
      NaN,
      NaN,
      -1,
      0,
      1,
      NaN,
      9,
      10,
      11,
      NaN,
      19,
      20,
      NaN,
    ]);
    expect(SHARED.tensor.shape).toEqual([4, 4]);
  });

  it("knows where a cell is in either pattern, and back", () => {
    const cell = { query: 1, key: 2 };
    expect(toShared("one", { query: 0, key: 1 }, SHARED)).toEqual(cell);
    expect(fromShared("one", cell, AXIS, AXIS)).toEqual({ query: 0, key: 1 });
    expect(fromShared("other", cell, AXIS, AXIS)).toEqual({ query: 1, key: 2 });
    expect(fromShared("one", { query: 0, key: 0 }, AXIS, AXIS)).toBeNull();
    expect(counterpartOf({ query: 0, key: 1 }, ALIGNED.toOther, ALIGNED.toOther)).toEqual({
      query: 1,
      key: 2,
    });
    expect(counterpartOf({ query: 0, key: 0 }, ALIGNED.toOne, ALIGNED.toOne)).toBeNull();
    expect([counterpartOf(null, [], []), toShared("one", null, SHARED)]).toEqual([null, null]);
  });
});
