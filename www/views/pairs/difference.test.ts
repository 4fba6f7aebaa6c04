import { describe, expect, it } from "vitest";
import type { Tensor, Token } from "../../data/index.js";
import { align } from "./alignment.js";
import { counterpartOf, fromShared, sharedAxis, sharedPattern, toShared } from "./difference.js";

const tokens = (text: string): Token[] =>
  text.split(" ").map((word, at) => ({ id: at, text: word, word: at, special: false, role: null }));
const square = (size: number, value: (query: number, key: number) => number): Tensor => ({
  data: Float32Array.from({ length: size * size }, (_, index) =>
    value(Math.floor(index / size), index % size),
  ),
  shape: [size, size],
  axes: ["query", "key"],
});

const [ONE, OTHER] = [tokens("a dog bites"), tokens("now a cat bites")];
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
      tokens("x a b"),
      tokens("b y a z"),
      align(tokens("x a b"), tokens("b y a z")),
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

  it("of a pattern and itself is zero", () => {
    const same = align(ONE, ONE);
    const axis = sharedAxis(ONE, ONE, same);
    expect([...sharedPattern(FIRST, FIRST, axis, axis).tensor.data]).toEqual(Array(9).fill(0));
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
