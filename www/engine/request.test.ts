import { describe, expect, it } from "vitest";
import type { ModelInfo } from "../data/index.js";
import { prepare } from "./request.js";
import { INFO } from "./testing/fake-wasm.js";
import { wordTokenizer } from "./testing/word-tokenizer.js";
import { Vocabulary } from "./vocabulary.js";

const BERT: ModelInfo = { ...INFO, family: "bert", architecture: "encoder", startToken: null };
const translator = new Vocabulary(wordTokenizer(), INFO);
const encoder = new Vocabulary(wordTokenizer(), BERT);
const nameless = new Vocabulary(null, INFO);

describe("prepare", () => {
  it("tokenizes a text with the model's special tokens, and lets an encoder-decoder translate it", () => {
    const { request, tokens } = prepare({ text: "the cat" }, INFO, translator);
    expect(request).toEqual({ ids: [3, 4, 1], generate: {} });
    expect(tokens?.map(({ text, role }) => [text, role])).toEqual([
      ["the", null],
      ["cat", null],
      ["</s>", "end"],
    ]);
  });

  it("uses ids exactly as given", () => {
    const ids = [9.5, -1, NaN];
    expect(prepare({ ids }, INFO, nameless)).toEqual({
      request: { ids, generate: {} },
      tokens: null,
    });
  });

  it("puts the start token before a target text and takes its end token off", () => {
    expect(prepare({ text: "the", target: "cat the" }, INFO, translator).request).toEqual({
      ids: [3, 1],
      targetIds: [0, 4, 3],
    });
  });

  it("a token that begins and ends texts begins one in front of it, and ends it anywhere else", () => {
    const writer = new Vocabulary(null, {
      ...INFO,
      architecture: "decoder",
      startToken: 5,
      endToken: 5,
    });
    expect(writer.tokens([5, 3, 5]).map(({ role }) => role)).toEqual(["start", null, "end"]);
    expect(translator.tokens([1, 3]).map(({ role }) => role)).toEqual(["end", null]);
  });

  it("an empty target is the start token alone", () => {
    expect(prepare({ text: "the", target: "" }, INFO, translator).request.targetIds).toEqual([0]);
  });

  it("does not touch target ids", () => {
    expect(prepare({ ids: [3], targetIds: [5, 1] }, INFO, nameless).request).toEqual({
      ids: [3],
      targetIds: [5, 1],
    });
  });

  it("tells a pair of texts apart by token types", () => {
    expect(prepare({ text: "the", textPair: "cat" }, BERT, encoder).request).toEqual({
      ids: [3, 1, 4, 1],
      tokenTypeIds: [0, 0, 1, 1],
    });
  });

  it("hands on masks, types and edits", () => {
    const edits = { heads: [{ gate: 0 }] };
    const request = prepare(
      { ids: [3], attentionMask: [1], tokenTypeIds: [1], edits },
      BERT,
      encoder,
    ).request;
    expect(request).toEqual({ ids: [3], attentionMask: [1], tokenTypeIds: [1], edits });
  });

  it.each([
    ["neither text nor ids", {}, "input/empty"],
    ["both text and ids", { text: "the", ids: [3] }, "input/malformed"],
    ["both targets", { text: "the", target: "cat", targetIds: [0] }, "input/malformed"],
  ])("refuses %s", (_, input, code) => {
    expect(() => prepare(input, INFO, translator)).toThrow(
      expect.objectContaining({ code }) as Error,
    );
  });

  it("refuses a target for a model that writes none", () => {
    expect(() => prepare({ text: "the", target: "cat" }, BERT, encoder)).toThrow(
      expect.objectContaining({ code: "input/unexpected-target" }) as Error,
    );
  });

  it("refuses a text without a tokenizer", () => {
    expect(() => prepare({ text: "the" }, INFO, nameless)).toThrow(
      expect.objectContaining({ code: "input/missing-tokenizer" }) as Error,
    );
  });
});
