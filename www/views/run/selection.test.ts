import { describe, expect, it } from "vitest";
import { FAKE_INFO, FAKE_READER } from "../../../tests/support/fake-model.js";
import type { ModelInfo, Tensor, Token } from "../../data/index.js";
import {
  axisOf,
  carryHidden,
  chosenHead,
  headsBeside,
  isHideable,
  neighbourOf,
  stacksOf,
  strongestCell,
} from "./selection.js";

const SIZE = { layers: 2, heads: 4, kvHeads: 4, headDim: 8 };
const ENCODER: ModelInfo = {
  ...FAKE_INFO,
  family: "bert",
  architecture: "encoder",
  stacks: { encoder: SIZE },
};
const DECODER: ModelInfo = {
  ...FAKE_INFO,
  family: "gpt2",
  architecture: "decoder",
  stacks: { decoder: SIZE },
};
const WEIGHTS: Tensor = {
  data: Float32Array.of(0.7, 0.2, 0.1, 0.1, 0.3, 0.6),
  shape: [2, 3],
  axes: ["query", "key"],
};
const token = (special: boolean): Token => ({ id: 0, text: "x", word: 0, special, role: null });

describe("the head that a State asks for", () => {
  it("is the nearest that the model has", () => {
    expect(chosenHead({ stack: "cross", layer: 99, head: 3 }, FAKE_INFO)).toEqual({
      stack: "cross",
      layer: 2,
      head: 3,
    });
    expect(chosenHead({ stack: "cross", layer: 1, head: 99 }, ENCODER)).toEqual({
      stack: "encoder",
      layer: 1,
      head: 3,
    });
    expect(stacksOf(DECODER)).toEqual(["decoder"]);
  });

  it("has beside it the heads that were asked for and exist, in their order, never itself", () => {
    const head = { stack: "encoder", layer: 0, head: 1 } as const;
    expect(headsBeside([3, 1, 9, 0], head, ENCODER)).toEqual([0, 3]);
  });

  it("has neighbours within the model only", () => {
    const head = { stack: "cross", layer: 0, head: 7 } as const;
    expect(neighbourOf(head, "layer-before", FAKE_INFO)).toEqual({ layer: 0, head: 7 });
    expect(neighbourOf(head, "layer-after", FAKE_INFO)).toEqual({ layer: 1, head: 7 });
    expect(neighbourOf(head, "head-before", FAKE_INFO)).toEqual({ layer: 0, head: 6 });
    expect(neighbourOf(head, "head-after", FAKE_INFO)).toEqual({ layer: 0, head: 7 });
  });
});

describe("a token", () => {
  it("is a query or a key, depending on the stack and the text", () => {
    const axes = (["encoder", "decoder", "cross"] as const).map((stack) => [
      axisOf("source", stack, FAKE_INFO),
      axisOf("target", stack, FAKE_INFO),
    ]);
    expect(axes).toEqual([
      ["query", null],
      [null, "query"],
      ["key", "query"],
    ]);
    expect([axisOf("source", "decoder", DECODER), axisOf("target", "decoder", DECODER)]).toEqual([
      "query",
      null,
    ]);
  });
});

describe("cells", () => {
  it("that stand out are between ordinary tokens", () => {
    expect(
      strongestCell(
        WEIGHTS,
        [token(true), token(false)],
        [token(false), token(false), token(true)],
      ),
    ).toEqual({ query: 1, key: 1 });
    expect(
      strongestCell(WEIGHTS, [token(true), token(true)], [token(true), token(true), token(true)]),
    ).toEqual({ query: 0, key: 0 });
    expect(strongestCell(WEIGHTS, [], [])).toBeNull();
  });
});

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
