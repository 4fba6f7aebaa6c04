// The tokens that the page shows, of an engine that stands in for the library.
import { expect, it } from "vitest";
import { maskingTokenizer } from "../testing/word-tokenizer.js";
import { parseDescription } from "./description.js";
import type { TokenizerEngine } from "./engine.js";
import { ModelTokenizer } from "./tokenizer.js";

const PIECES = ["<unk>", "</s>", "▁the", "▁cat", "s", "!", "▁", "<0xE4>", "<0xBD>", "<0xA0>"];
const spelt = (ids: readonly number[]): string => ids.map((id) => PIECES[id] ?? "").join("");

/** An engine that is given pieces in place of a text, and calls all of a section one word. */
const engine: TokenizerEngine = {
  added: [
    { id: 0, content: "<unk>", special: true },
    { id: 1, content: "</s>", special: true },
  ],
  encode(text, pair, addsSpecial) {
    const read = (one: string): string[] => one.split(" ").filter(Boolean);
    const texts = [...read(text), ...(addsSpecial ? ["</s>"] : []), ...read(pair ?? "")];
    const ids = texts.map((one) => Math.max(0, PIECES.indexOf(one)));
    let section = 0;
    const words = ids.map((id) => (id === 1 ? (section += 2) - 1 : section));
    return { ids, texts, words, types: texts.map((_, at) => Number(at > read(text).length)) };
  },
  decode: (ids) => ids.map((id) => PIECES[id] ?? "").join(" "),
  decodePieces: (pieces) => pieces.join(" "),
  piece: (id) => PIECES[id],
  id: (piece) => PIECES.indexOf(piece),
};
const description = {
  decoder: { type: "Replace", pattern: { String: "▁" }, content: " " },
  model: { type: "BPE", unk_token: "<unk>", vocab: {}, merges: [] },
};
const tokenizer = new ModelTokenizer(parseDescription(JSON.stringify(description)), engine);
type Told = [text: string, word: number, role: string | null];
const told = (text: string, pair: string | null = null): Told[] =>
  tokenizer.encode(text, pair).tokens.map(({ text: label, word, role }) => [label, word, role]);

it("counts the words of a text that the library leaves whole, through both texts", () => {
  expect(told("▁the ▁cat s !", "▁the s")).toEqual([
    ["the", 0, null],
    ["cat", 1, null],
    ["s", 1, null],
    ["!", 2, null],
    ["</s>", -1, "end"],
    ["the", 3, null],
    ["s", 3, null],
  ]);
  expect(tokenizer.encode("▁the", "s").typeIds).toEqual([0, 0, 1]);
  expect(tokenizer.encode("▁the", null, false).tokens).toHaveLength(1);
});

it("shows what has no piece as it was typed, within its word", () => {
  expect(told("▁the ☃ s")).toEqual([
    ["the", 0, null],
    ["☃", 1, "unknown"],
    ["s", 2, null],
    ["</s>", -1, "end"],
  ]);
  // The name of the unknown token itself is that token.
  expect(told("<unk> ▁the").slice(0, 2)).toEqual([
    ["<unk>", -1, "unknown"],
    ["the", 0, null],
  ]);
});

it("has the tokens of bare ids, also of ids without a piece", () => {
  const tokens = tokenizer.tokens([2, 4, 1, 3, 99]);
  expect(tokens).toEqual([
    { id: 2, text: "the", word: 0, special: false, role: null },
    { id: 4, text: "s", word: 0, special: false, role: null },
    { id: 1, text: "</s>", word: -1, special: true, role: "end" },
    { id: 3, text: "cat", word: 1, special: false, role: null },
    { id: 99, text: "#99", word: -1, special: true, role: null },
  ]);
  // Where the text of the ids is read as other ids, words follow the spelling.
  expect(tokenizer.tokens([4, 7, 3]).map(({ word }) => word)).toEqual([0, 0, 1]);
});

it("says of a token by itself how it reads and whether it goes on with a word", () => {
  const ids = [2, 4, 5, 1, 6, 7, 99];
  expect(ids.map((id) => tokenizer.text(id))).toEqual([
    ...["the", "s", "!", "</s>", "␣", "⟨E4⟩", "#99"],
  ]);
  expect(ids.filter((id) => tokenizer.continuesWord(id))).toEqual([4]);
});

it("decodes without special tokens, and names the bytes of a character that is cut", () => {
  expect(tokenizer.decode([2, 1, 3, 99])).toBe("▁the ▁cat");
  expect(tokenizer.decode([1])).toBe("");
  expect(tokenizer.decode([7, 8], { nameBytes: true })).toBe("<0xE4> <0xBD>");
  const broken = new ModelTokenizer(parseDescription(JSON.stringify(description)), {
    ...engine,
    decode: (ids) => `${spelt(ids)}\uFFFD`,
  });
  expect(broken.decode([2, 7, 8])).toBe("▁the<0xE4><0xBD>\uFFFD");
  expect(broken.decode([2, 7, 8], { nameBytes: true })).toBe("▁the ⟨E4⟩⟨BD⟩");
  expect(broken.decode([7, 8, 9], { nameBytes: true })).toBe("你");
});

it("knows special tokens by their names, and the mask", () => {
  expect([tokenizer.specialIds, tokenizer.maskId]).toEqual([[0, 1], null]);
  const masking = maskingTokenizer();
  expect(masking.maskId).toBe(5);
  const { tokens } = masking.encode("the [MASK]<pad>", null);
  expect(tokens.map(({ role }) => role)).toEqual([null, "mask", "pad", "end"]);
});
