import { describe, expect, it } from "vitest";
import { tokenizerOf } from "./library.js";

const PIECES = [
  "<unk>",
  "<s>",
  "<0x0A>",
  "▁",
  "▁the",
  "▁cat",
  "s",
  "'",
  "t",
  ".",
  "▁▁",
  "▁don",
  "!",
];
const id = (piece: string): number => PIECES.indexOf(piece);
/** As of Llama 2: spaces are marked in the text, which is not cut. */
const LLAMA = {
  added_tokens: [
    {
      id: 1,
      content: "<s>",
      special: true,
      normalized: false,
      single_word: false,
      lstrip: false,
      rstrip: false,
    },
  ],
  normalizer: {
    type: "Sequence",
    normalizers: [
      { type: "Prepend", prepend: "▁" },
      { type: "Replace", pattern: { String: " " }, content: "▁" },
    ],
  },
  pre_tokenizer: null,
  post_processor: null,
  decoder: {
    type: "Sequence",
    decoders: [
      { type: "Replace", pattern: { String: "▁" }, content: " " },
      { type: "ByteFallback" },
      { type: "Fuse" },
      { type: "Strip", content: " ", start: 1, stop: 0 },
    ],
  },
  model: {
    type: "BPE",
    unk_token: "<unk>",
    byte_fallback: true,
    vocab: Object.fromEntries(
      [...PIECES, ..."h e c a d o n".split(" "), "▁t", "▁th", "▁c", "▁ca", "▁d", "▁do"].map(
        (piece, at) => [piece, at],
      ),
    ),
    merges: ["▁ t", "▁t h", "▁th e", "▁ c", "▁c a", "▁ca t", "▁ d", "▁d o", "▁do n", "▁ ▁"],
  },
};

describe("a tokenizer that leaves a text whole", () => {
  const tokenizer = tokenizerOf(JSON.stringify(LLAMA));
  const wordsOf = (text: string): string[] => {
    const words: string[] = [];
    for (const { text: label, word } of tokenizer.encode(text, null).tokens)
      words[word] = (words[word] ?? "") + label;
    return words;
  };

  it.each<[string, string[]]>([
    ["the cats", ["the", "cats"]],
    ["the cat. don't!", ["the", "cat", ".", "don", "'", "t", "!"]],
    ["the\ncat", ["the", "↵", "cat"]],
    ["the   cat", ["the", "␣␣", "cat"]],
    [" the", ["␣", "the"]],
  ])("begins a word at the mark of a space and at a sign: %j", (text, expected) => {
    expect(wordsOf(text)).toEqual(expected);
  });

  it("has no mark in a label", () => {
    const { tokens } = tokenizer.encode("the cats  don't", null);
    expect(tokens.map(({ text }) => text).join("")).not.toContain("▁");
    expect(tokenizer.text(id("▁"))).toBe("␣");
  });

  it("gives bare ids the words of their text", () => {
    const { tokens } = tokenizer.encode("the cats. don't", null);
    const again = tokenizer.tokens(tokens.map((token) => token.id));
    expect(again.map(({ word }) => word)).toEqual(tokens.map(({ word }) => word));
  });
});
