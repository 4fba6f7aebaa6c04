import { expect, it } from "vitest";
import type { CoreInfo } from "../data/index.js";
import type { RunInput } from "./contract.js";
import { prepare, Vocabulary } from "./vocabulary.js";
import { INFO } from "./testing/fake-wasm.js";
import {
  MASKING_JSON,
  maskingTokenizer,
  smallTokenizer,
  wordTokenizer,
} from "./testing/word-tokenizer.js";

const ENCODER: CoreInfo = {
  ...INFO,
  family: "bert",
  architecture: "encoder",
  tokenTypes: 2,
  startToken: null,
};
const translator = (input: RunInput, vocabulary = new Vocabulary(wordTokenizer(), INFO)) =>
  prepare(input, INFO, vocabulary);
const encoder = (input: RunInput) =>
  prepare(input, ENCODER, new Vocabulary(maskingTokenizer(), ENCODER));
const ofTypes = (tokenTypes: number) => {
  const info = { ...ENCODER, tokenTypes };
  const vocabulary = new Vocabulary(maskingTokenizer(), info);
  return prepare({ text: "the", textPair: "cat" }, info, vocabulary).request;
};
const withoutTokenizer = (input: RunInput) => translator(input, new Vocabulary(null, INFO));
const all = { ids: [3], attentionMask: [1], tokenTypeIds: [1], edits: { heads: [{ gate: 0 }] } };

it.each<[string, object, object]>([
  ["a text", translator({ text: "the cat" }), { ids: [3, 4, 1], generate: {} }],
  [
    "a text of a model without a head",
    prepare({ ids: [3] }, { ...INFO, predicts: false }, new Vocabulary(null, INFO)),
    { ids: [3], targetIds: [0] },
  ],
  ["ids, whatever they are", withoutTokenizer({ ids: [9.5, -1] }), { ids: [9.5, -1] }],
  ["a target text", translator({ text: "the", target: "cat the" }), { targetIds: [0, 4, 3] }],
  ["an empty target", translator({ text: "the", target: "" }), { targetIds: [0] }],
  ["target ids", withoutTokenizer({ ids: [3], targetIds: [5, 1] }), { targetIds: [5, 1] }],
  ["two texts", encoder({ text: "the", textPair: "cat" }), { tokenTypeIds: [0, 0, 1, 1] }],
  ["all else", encoder(all as RunInput), all],
  [
    "masked tokens",
    encoder({ text: "the", textPair: "cat", masked: [2, 0] }),
    { ids: [5, 1, 5, 1] },
  ],
  ["masked ids", encoder({ ids: [3, 4], masked: [0] }), { ids: [5, 4] }],
  ["no masked tokens", withoutTokenizer({ ids: [3], masked: [] }), { ids: [3] }],
  ["ids that are typed", withoutTokenizer({ text: "5, #17 2" }), { ids: [5, 17, 2] }],
])("what is prepared for the core of %s", (_, { request }: { request?: object }, expected) => {
  expect(request).toMatchObject(expected);
});

it.each([0, 1])("two texts have no types in a model that knows %i kinds of token", (kinds) => {
  expect(ofTypes(kinds)).toEqual({ ids: [3, 1, 4, 1] });
});

it.each<[string, (input: RunInput) => object, object]>([
  ["input/empty", translator, {}],
  ["input/malformed", translator, { text: "the", ids: [3] }],
  ["input/malformed", translator, { text: "the", target: "cat", targetIds: [0] }],
  ["input/unexpected-target", encoder, { text: "the", target: "cat" }],
  ["input/missing-tokenizer", withoutTokenizer, { text: "the" }],
  ["input/no-mask-token", translator, { text: "the", masked: [0] }],
  ["input/malformed", encoder, { ids: "34", masked: [0] }],
])("%s is the refusal by %o of %j", (code, prepared, input) => {
  expect(() => prepared(input)).toThrow(expect.objectContaining({ code }) as Error);
});

it.each<[string, unknown, string]>([
  ["behind the text", [4], "4"],
  ["between two tokens", [0.5], "0.5"],
  ["at a bigint", [1n], "a bigint"],
  ["on the end token", [3], "position 3, where </s> stands"],
  ["that are no list", 1, "a number"],
])("masked tokens %s are refused", (_, masked, got) => {
  const refusal = expect.objectContaining({ code: "input/bad-masked", got }) as Error;
  expect(() => encoder({ text: "the cat the", masked: masked as number[] })).toThrow(refusal);
});

it("a vocabulary names roles and special ids by the tokenizer, else by the config", () => {
  const writer = new Vocabulary(null, {
    ...INFO,
    startToken: 5,
    endTokens: [5, 7],
    padToken: null,
  });
  expect(writer.tokens([5, 3, 5]).map(({ role }) => role)).toEqual(["start", null, "end"]);
  expect([writer.specialIds, writer.maskToken]).toEqual([[5, 7], null]);
  expect(writer.tokens([3, 7]).map(({ role }) => role)).toEqual([null, "end"]);
  const masking = new Vocabulary(maskingTokenizer(), ENCODER);
  expect([masking.specialIds, masking.maskToken]).toEqual([[0, 1, 2, 5], 5]);
});

it("reads and names what a model writes by the vocabulary of its target", () => {
  const written = smallTokenizer(MASKING_JSON.replace(/"the":3,"cat":4/, '"le":3,"chat":4'));
  const vocabulary = new Vocabulary(wordTokenizer(), INFO, written);
  expect(translator({ text: "the", target: "chat" }, vocabulary).request).toMatchObject({
    ids: [3, 1],
    targetIds: [0, 4],
  });
  expect(vocabulary.tokens([3]).map(({ text }) => text)).toEqual(["the"]);
  expect(vocabulary.targetTokens([0, 3]).map(({ text }) => text)).toEqual(["<pad>", "le"]);
  expect(vocabulary.named({ id: 4 })).toMatchObject({ text: "chat" });
  expect([vocabulary.decode([3]), vocabulary.decode([3], { target: true })]).toEqual(["the", "le"]);
});
