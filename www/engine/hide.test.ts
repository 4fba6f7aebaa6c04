import { describe, expect, it } from "vitest";
import type { RunInput } from "./contract.js";
import { prepare } from "./request.js";
import { INFO } from "./testing/fake-wasm.js";
import { maskingTokenizer, wordTokenizer } from "./testing/word-tokenizer.js";
import { Vocabulary } from "./vocabulary.js";

const ENCODER = { ...INFO, architecture: "encoder", startToken: null } as const;
const masking = new Vocabulary(maskingTokenizer(), ENCODER);
const prepared = (input: RunInput): ReturnType<typeof prepare> => prepare(input, ENCODER, masking);

describe("hidden tokens", () => {
  it("are replaced by the mask token, which keeps what it hides", () => {
    const { request, tokens } = prepared({ text: "the cat the", hidden: [1] });
    expect(request).toEqual({ ids: [3, 5, 3, 1] });
    expect(tokens?.[1]).toEqual({
      id: 5,
      text: "[MASK]",
      word: -1,
      special: true,
      role: "mask",
      hiddenText: "cat",
      hiddenId: 4,
    });
    expect(tokens?.map(({ text }) => text)).toEqual(["the", "[MASK]", "the", "</s>"]);
  });

  it("may be several, in any order, and the same one twice", () => {
    expect(prepared({ text: "the cat the", hidden: [2, 0, 2] }).request.ids).toEqual([5, 4, 5, 1]);
  });

  it("may be in a text given by ids", () => {
    const { request, tokens } = prepared({ ids: [3, 4], hidden: [0] });
    expect(request.ids).toEqual([5, 4]);
    expect(tokens?.map(({ role, hiddenText }) => [role, hiddenText])).toEqual([
      ["mask", "the"],
      [null, undefined],
    ]);
  });

  it("leave token types and all else as they are", () => {
    const { request } = prepared({ text: "the", textPair: "cat", hidden: [2] });
    expect(request).toEqual({ ids: [3, 1, 5, 1], tokenTypeIds: [0, 0, 1, 1] });
  });

  it("that are none change nothing, in any model", () => {
    expect(prepared({ text: "the cat", hidden: [] })).toEqual(prepared({ text: "the cat" }));
    expect(
      prepare({ text: "the", hidden: [] }, INFO, new Vocabulary(wordTokenizer(), INFO)).request.ids,
    ).toEqual([3, 1]);
  });

  it("a mask token that was typed hides nothing", () => {
    const [token] = prepared({ text: "[MASK] cat" }).tokens ?? [];
    expect(token).toEqual({ id: 5, text: "[MASK]", word: -1, special: true, role: "mask" });
  });

  it("are refused without a mask token", () => {
    const refused = expect.objectContaining({ code: "input/no-mask-token" }) as Error;
    expect(() =>
      prepare({ text: "the", hidden: [0] }, INFO, new Vocabulary(wordTokenizer(), INFO)),
    ).toThrow(refused);
    expect(() => prepare({ ids: [3], hidden: [0] }, INFO, new Vocabulary(null, INFO))).toThrow(
      refused,
    );
  });

  it.each<[string, unknown, string]>([
    ["behind the text", [4], "4"],
    ["before it", [-1], "-1"],
    ["between two tokens", [0.5], "0.5"],
    ["at no number", [NaN], "NaN"],
    ["at a text", ["1"], "a string"],
    ["at a bigint", [1n], "a bigint"],
    ["on the end token", [3], "position 3, where </s> stands"],
    ["that are no list", 1, "a number"],
    ["that are null", null, "null"],
  ])("%s are refused", (_, hidden, got) => {
    const refused = expect.objectContaining({ code: "input/bad-hidden", got }) as Error;
    expect(() => prepared({ text: "the cat the", hidden: hidden as number[] })).toThrow(refused);
  });

  it("in ids that are no list are refused", () => {
    expect(() => prepared({ ids: "34" as never, hidden: [0] })).toThrow(
      expect.objectContaining({ code: "input/malformed" }) as Error,
    );
  });
});

describe("the mask token", () => {
  it("is the tokenizer's, where it has one", () => {
    expect(masking.maskToken).toBe(5);
    expect(new Vocabulary(wordTokenizer(), INFO).maskToken).toBeNull();
    expect(new Vocabulary(null, INFO).maskToken).toBeNull();
  });
});

describe("special ids", () => {
  it("are the tokenizer's, without one the config's", () => {
    expect(masking.specialIds).toEqual([0, 1, 2, 5]);
    expect(new Vocabulary(null, { ...INFO, startToken: 9, padToken: null }).specialIds).toEqual([
      9, 1,
    ]);
  });
});
