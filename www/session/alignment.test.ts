import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordToken } from "../../tests/support/fake-model.js";
import type { Stack, Tensor, Token } from "../data/index.js";
import { matrixOf } from "../elements/testing/mount.js";
import { ALIGNMENTS } from "../state/index.js";
import { align, pairedHead, sharedAxis, sharedPattern } from "./alignment.js";
import { changedWords } from "./changed-words.js";
import type { HeadFigures } from "./run/head.js";

const tokens = (text: string): Token[] => (text === "" ? [] : text.split(" ").map(wordToken));

describe("align", () => {
  it.each<[what: string, one: string, other: string, toOther: (number | null)[]]>([
    ["swapped words", "The dog bites the man .", "The man bites the dog .", [0, 4, 2, 3, 1, 5]],
    ["an exchanged word", "I saw a cat", "I saw a dog", [0, 1, 2, 3]],
    ["a word more in the second", "on the bank", "on the muddy bank", [0, 1, 3]],
    ["a word more in the first", "on the muddy bank", "on the bank", [0, 1, null, 2]],
    ["capitals", "Dogs bark", "Now dogs bark", [1, 2]],
    ["an empty text", "", "a", []],
  ])("pairs words: %s", (_, one, other, toOther) => {
    expect(align(tokens(one), tokens(other)).toOther).toEqual(toOther);
  });

  it("pairs pieces of a word in their order, and special tokens by what they do", () => {
    const [un, seen] = tokens("un seen").map((piece) => ({ ...piece, word: 0, id: 1 }));
    const end = (text: string): Token => ({ id: 9, text, word: -1, special: true, role: "end" });
    if (!un || !seen) throw new Error("no pieces");
    const { toOther } = align([un, seen, end("</s>")], [wordToken("unseen", 0), end("[SEP]")]);
    expect(toOther).toEqual([0, null, 1]);
  });

  it("prefers pairs made by hand", () => {
    const hand = [
      { one: 0, other: 2 },
      { one: 7, other: 0 },
    ];
    expect(align(tokens("a b c"), tokens("a b c"), "words", hand)).toMatchObject({
      toOther: [2, 1, null],
      toOne: [null, 1, 0],
    });
  });

  it("pairs positions when asked to", () => {
    const one = tokens("The dog bites");
    const other = tokens("bites dog");
    expect(align(one, other, "positions").toOther).toEqual([0, 1, null]);
    expect(align(one, other, "positions", [{ one: 2, other: 0 }])).toMatchObject({
      toOther: [null, 1, 0],
      toOne: [2, 1],
    });
  });

  const anyText = fc
    .array(fc.constantFrom("a", "b", "c", "d", "E"), { maxLength: 9 })
    .map((words) => words.map(wordToken));
  const anyWay = fc.constantFrom(...ALIGNMENTS);
  const anyHand = fc.array(fc.record({ one: fc.nat({ max: 9 }), other: fc.nat({ max: 9 }) }), {
    maxLength: 3,
  });

  it("pairs one with one, a text with itself, and the same from both sides", () => {
    fc.assert(
      fc.property(anyText, anyText, anyWay, anyHand, (one, other, by, hand) => {
        const { toOther, toOne } = align(one, other, by, hand);
        toOther.forEach((to, at) => to !== null && expect(toOne[to]).toBe(at));
        toOne.forEach((to, at) => to !== null && expect(toOther[to]).toBe(at));
        expect(align(one, one, by).toOther).toEqual(one.map((_, at) => at));
        const there = align(one, other, by);
        const back = align(other, one, by);
        expect([there.toOther, there.toOne]).toEqual([back.toOne, back.toOther]);
      }),
    );
  });
});

const square = (size: number, value: (query: number, key: number) => number): Tensor => {
  const places = [...Array(size * size).keys()];
  return matrixOf(
    size,
    places.map((place) => value(Math.floor(place / size), place % size)),
  );
};

describe("two patterns on the same axes", () => {
  const one = tokens("a dog bites");
  const other = tokens("now a cat bites");
  const axis = sharedAxis(align(one, other));
  const first = square(3, (query, key) => 10 * query + key);
  const second = square(4, (query, key) => (query === 3 && key === 3 ? -Infinity : 1));
  const shared = sharedPattern(first, second, axis, axis);

  it("have the first text in its order, and mark in its place what the second has more", () => {
    expect(axis.tokens.map(({ text }) => text)).toEqual(["− now", "a", "dog", "bites"]);
    expect(axis).toMatchObject({ one: [null, 0, 1, 2], other: [0, 1, 2, 3] });
    const x = tokens("x a b");
    const y = tokens("b y a z");
    const moved = sharedAxis(align(x, y));
    expect(moved.one.filter((at) => at !== null)).toEqual([0, 1, 2]);
    expect(moved.other.filter((at) => at !== null).sort((a, b) => a - b)).toEqual([0, 1, 2, 3]);
  });

  it("are the first less the second: NaN where one lacks the pair, infinite where one masks it", () => {
    const rows = ["NaN NaN NaN NaN", "NaN -1 0 1", "NaN 9 10 11", "NaN 19 20 Infinity"];
    expect([...shared.tensor.data]).toEqual(rows.join(" ").split(" ").map(Number));
    expect(shared.tensor.shape).toEqual([4, 4]);
    expect(shared.range).toBe(22);
  });

  it("do not differ where both mask a pair", () => {
    const masked = square(3, (query, key) => (key > query ? -Infinity : key));
    const own = sharedAxis(align(one, one));
    expect([...sharedPattern(masked, masked, own, own).tensor.data]).toEqual(Array(9).fill(0));
  });
});

describe("two heads", () => {
  const figures = (stack: Stack, queries: Token[], keys: Token[]): HeadFigures => {
    const tensor = square(3, (query, key) => query + key);
    const stages = { raw: tensor, scores: tensor, masked: tensor, weights: tensor };
    const head = { stack, layer: 0, head: 0 };
    return { head, stages, queries, keys } as unknown as HeadFigures;
  };
  const read = tokens("a dog bites");
  const written = tokens("un chien mord");
  const encoder = figures("encoder", read, read);
  const cross = figures("cross", written, read);
  const translator = { architecture: "encoder-decoder" } as const;
  const reader = { architecture: "encoder" } as const;
  const state = { aligned: "words", pairs: [], stage: "weights" } as const;

  it("have a difference if their axes have the same texts, in one model or in two", () => {
    const same = pairedHead(encoder, encoder, [translator, reader], state);
    expect(same.shared?.tensor.data).toEqual(new Float32Array(9));
    const apart = pairedHead(encoder, cross, [translator, translator], state);
    expect(apart.shared).toBeNull();
    // What both read has its counterpart all the same.
    expect([apart.queries.toOther, apart.keys.toOther]).toEqual([
      [null, null, null],
      [0, 1, 2],
    ]);
  });
});

const marked = (before: string, after: string): string =>
  changedWords(before, after)
    .map(({ text, changed }) => (changed ? `[${text}]` : text))
    .join(" ");

const words = fc.array(fc.constantFrom("le", "chat", "noir", "lait"), { maxLength: 12 });

describe("what an edit changed in a translation", () => {
  it.each([
    ["Le chien mord l'homme.", "Le chien mord l'homme.", "Le chien mord l'homme."],
    ["Le chien mord l'homme.", "L'homme mord le chien.", "[Le] [chien] mord [l'homme.]"],
    ["Le petit chat noir", "Le chat", "Le [petit] chat [noir]"],
    ["Le chat", "Le petit chat noir", "Le chat"],
    ["", "Le chat", ""],
    ["Le chat", "", "[Le] [chat]"],
  ])("%s → %s", (before, after, expected) => {
    expect(marked(before, after)).toBe(expected);
  });

  it("keeps every word, and what it keeps stands in the other text in the same order", () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        const diff = changedWords(before.join(" "), after.join(" "));
        expect(diff.map(({ text }) => text)).toEqual(before);
        const rest: string[] = [...after];
        for (const { text } of diff.filter(({ changed }) => !changed)) {
          const at = rest.indexOf(text);
          expect(at).toBeGreaterThanOrEqual(0);
          rest.splice(0, at + 1);
        }
      }),
    );
  });
});
