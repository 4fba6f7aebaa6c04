import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HeadscopeError } from "../../www/engine/errors.js";
import {
  OTHER_COMPONENTS,
  replaced,
  wrongValues,
} from "../../www/engine/testing/tokenizer-parts.js";
import type { ModelTokenizer } from "../../www/engine/tokenizer/tokenizer.js";
import { tokenizerOf } from "./library.js";

interface Case {
  text: string;
  pair?: string;
  ids: number[];
  type_ids?: number[];
  /** Of each token; null for special ones. Absent for pairs, as `decoded`. */
  words?: (number | null)[];
  decoded?: string;
}

const reference = new URL("../reference/tokenizers.json", import.meta.url);
const fixtures = JSON.parse(readFileSync(reference, "utf8")) as Record<
  string,
  { tokenizer: object; cases: Case[] }
>;
const read = (kind: string): string => JSON.stringify(fixtures[kind]?.tokenizer);
const load = (kind: string): ModelTokenizer => tokenizerOf(read(kind));
const texts = (tokenizer: ModelTokenizer, text: string): string[] =>
  tokenizer.encode(text, null).tokens.map((token) => token.text);

const KINDS = Object.keys(fixtures);
/** Counts words from 0: special tokens that are typed are words to Hugging Face and none here. */
const counted = (words: unknown[]): number[] => {
  const order = [...new Set(words)];
  return words.map((word) => order.indexOf(word));
};

describe.each(KINDS)("a %s tokenizer", (kind) => {
  const tokenizer = load(kind);
  const cases = fixtures[kind]?.cases ?? [];

  it.each(cases)("gives Hugging Face's ids for $text", ({ text, pair, ids, type_ids }) => {
    const encoded = tokenizer.encode(text, pair ?? null);
    expect(encoded.tokens.map(({ id }) => id)).toEqual(ids);
    if (type_ids !== undefined) expect(encoded.typeIds).toEqual(type_ids);
    for (const token of [...encoded.tokens, ...tokenizer.tokens(ids)]) {
      expect(token.text).not.toMatch(/^$|\uFFFD|[\p{Cc}\p{Cs}]|^\p{White_Space}|\p{White_Space}$/u);
      expect(token.special).toBe(token.word === -1);
    }
  });

  it.each(cases.filter(({ decoded }) => decoded !== undefined))(
    "decodes the ids of $text as Hugging Face does",
    ({ ids, decoded }) => {
      expect(tokenizer.decode(ids)).toBe(decoded);
    },
  );

  it.each(cases.filter(({ words }) => words !== undefined))(
    "has Hugging Face's words of $text",
    ({ text, words = [] }) => {
      const { tokens } = tokenizer.encode(text, null);
      const isPlain = (_: unknown, at: number): boolean => tokens[at]?.special === false;
      const numbers = tokens.filter(isPlain).map(({ word }) => word);
      expect(numbers).toEqual(counted(words.filter(isPlain)));
    },
  );
});

it("the text of a token leaves out what stands for a space or for the middle of a word", () => {
  expect(texts(load("metaspace-bpe"), "the street")).toEqual(["the", "street", "</s>"]);
  expect(texts(load("wordpiece"), "streetless").join("")).toBe("[CLS]streetless[SEP]");
  expect(texts(load("bytelevel-bpe"), "a street")).toEqual(["a", "s", "tre", "et"]);
  expect(texts(load("bytelevel-bpe"), "🙂").join("")).toBe("⟨F0⟩⟨9F⟩⟨99⟩⟨82⟩");
});

it("the text of what the vocabulary lacks is what was typed, as part of its word", () => {
  const { tokens } = load("metaspace-bpe").encode("the 🙂 and 世界!", null);
  const unknown = tokens.filter(({ role }) => role === "unknown");
  expect(unknown.map(({ text, special }) => [text, special])).toEqual([
    ["🙂", false],
    ["世界", false],
    ["!", false],
  ]);
  expect(unknown.every(({ word }) => word >= 0)).toBe(true);
  expect(texts(load("wordpiece"), "世 ☃")).toEqual(["[CLS]", expect.any(String), "☃", "[SEP]"]);
});

it.each(["metaspace-bpe", "bytelevel-bpe", "wordpiece"])(
  "of a %s tokenizer says whether a token goes on with a word",
  (kind) => {
    const tokenizer = load(kind);
    const { tokens } = tokenizer.encode("the unbelievable streets, animals!", null);
    const plain = tokens.filter(({ special }) => !special);
    const expected = plain.map(
      ({ word, text }, at) => at > 0 && word === plain[at - 1]?.word && /^\p{L}/u.test(text),
    );
    // A text may begin without the space that begins a word elsewhere.
    expect(plain.slice(1).map(({ id }) => tokenizer.continuesWord(id))).toEqual(expected.slice(1));
    expect(expected).toContain(true);
    expect(
      tokens.filter(({ special }) => special).map(({ id }) => tokenizer.continuesWord(id)),
    ).not.toContain(true);
    expect(tokenizer.continuesWord(1e6)).toBe(false);
  },
);

it("special tokens say what they are for, also where they are typed", () => {
  const { tokens, typeIds } = load("wordpiece").encode("a", "b");
  expect(tokens.map(({ role }) => role)).toEqual(["start", null, "end", null, "end"]);
  expect(typeIds).toEqual([0, 0, 0, 1, 1]);
  expect(tokens.map(({ word }) => word)).toEqual([-1, 0, -1, 1, -1]);
  const typed = load("metaspace-bpe").encode("the</s>the", null);
  expect(typed.tokens.map(({ special }) => special)).toEqual([false, true, false, true]);
});

it("bare ids get the words of the text that they spell, else those of the spelling", () => {
  const words = (all: { word: number }[]): number[] => all.map(({ word }) => word);
  for (const kind of ["metaspace-bpe", "bytelevel-bpe", "wordpiece"]) {
    const tokenizer = load(kind);
    const { tokens } = tokenizer.encode("the animal didn't cross the street, and", null);
    expect(words(tokenizer.tokens(tokens.map(({ id }) => id)))).toEqual(words(tokens));
  }
  const tokenizer = load("metaspace-bpe");
  const { tokens } = tokenizer.encode("street animal", null);
  const ids = tokens.filter(({ special }) => !special).map(({ id }) => id);
  // The same pieces the other way round spell something else.
  const guessed = words(tokenizer.tokens(ids.toReversed()));
  expect(guessed[0]).toBe(0);
  expect(guessed.every((word, at) => at === 0 || word - (guessed[at - 1] ?? 0) <= 1)).toBe(true);
});

it.each(["", "[1]", "{}", '{"added_tokens":[],"model":{"type":"Nonsense"}}'])(
  "refuses the file %j in a sentence",
  (json) => {
    expect(() => tokenizerOf(json)).toThrow(
      expect.objectContaining({ code: "load/bad-tokenizer" }) as Error,
    );
  },
);

describe("a tokenizer.json in which one value has another type", () => {
  /** What a broken file may come to: nothing, or a refusal. */
  const CODES = [null, "load/bad-tokenizer", "tokenizer/bad-field", "tokenizer/failed"];

  /** The code and the sentence of what goes wrong with a file, null where nothing does. */
  function failureWith(json: string): string | null {
    try {
      const tokenizer = tokenizerOf(json);
      const { tokens } = tokenizer.encode("The </s> ΑΣ 12, 🙂.", null);
      tokenizer.encode("a", "b");
      tokenizer.tokens([0, 1, 2, 9]);
      tokenizer.decode(
        tokens.map(({ id }) => id),
        { nameBytes: true },
      );
      return null;
    } catch (thrown) {
      return thrown instanceof HeadscopeError ? thrown.code : String(thrown);
    }
  }

  it.each(["a file of all other components", ...KINDS])(
    "works or is refused by its code: %s",
    (kind) => {
      const json = KINDS.includes(kind) ? read(kind) : OTHER_COMPONENTS;
      expect(failureWith(json)).toBeNull();
      const outcomes = wrongValues(JSON.parse(json)).map(([path, by]) => [
        failureWith(replaced(json, path, by)),
        `${path.join(".")} = ${JSON.stringify(by)}`,
      ]);
      const named = outcomes.filter(([failure]) => failure === "tokenizer/bad-field");
      expect(named.length).toBeGreaterThan(outcomes.length / 3);
      expect(outcomes.filter(([failure]) => !CODES.includes(failure ?? null))).toEqual([]);
    },
  );

  it.each(KINDS)("works or is refused by its code, with any changes: %s", (kind) => {
    // Each value, an empty or flat one as a whole, stands at an odd place.
    const good = read(kind).split(/(?<=[:,[])("[^"]*"(?!:)|[\w.-]+|\{[^{}]*\}|\[[^[\]]*\])/);
    const values = good.filter((_, at) => at % 2 === 1);
    const by = fc.oneof(fc.json(), fc.constantFrom('"["', '{"toString":""}', ...values));
    const change = fc.record({ at: fc.nat(), by });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const parts = [...good];
        for (const { at, by } of changes) parts[2 * (at % (parts.length >> 1)) + 1] = by;
        const failure = failureWith(parts.join(""));
        expect(CODES).toContain(failure);
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 100) },
    );
  });

  it.each([
    ["post_processor single", "a list as `post_processor.single`"],
    ["post_processor single 1 Sequence id", "A as `post_processor.single[1].Sequence.id`"],
    ["added_tokens 2 content", "a string as `added_tokens[2].content`"],
  ])("is refused in a sentence that names the field: %j", (path, expected) => {
    expect(() => tokenizerOf(replaced(read("wordpiece"), path.split(" "), 7))).toThrow(
      `tokenizer.json: expected ${expected}, found 7.`,
    );
  });

  it.each([
    [
      "post_processor special_tokens",
      {},
      "the token [CLS], which the template names, as `post_processor.special_tokens`, found none of that name.",
    ],
    [
      "post_processor special_tokens [CLS] tokens",
      [],
      "a piece for each of the 1 `ids` as `post_processor.special_tokens.[CLS].tokens`, found a list of 0.",
    ],
  ])("is refused where a text would stop the library: %j", (path, by, expected) => {
    const json = replaced(read("wordpiece"), path.split(" "), by);
    expect(() => tokenizerOf(json)).toThrow(`tokenizer.json: expected ${expected}`);
  });

  it("is refused where a text stops the library: a template behind a template", () => {
    const { post_processor } = JSON.parse(read("wordpiece")) as { post_processor: object };
    const twice = { type: "Sequence", processors: [post_processor, post_processor] };
    expect(() => tokenizerOf(replaced(read("wordpiece"), ["post_processor"], twice))).toThrow(
      "expected parts with which the library cuts a text and a pair, such as `post_processor`,",
    );
  });
});

describe("what is decoded with the bytes of a character that was cut in two", () => {
  const numbered = (pieces: string[]): object =>
    Object.fromEntries(pieces.map((piece, id) => [piece, id]));
  const bpe = (parts: object): ModelTokenizer => {
    const none = { normalizer: null, pre_tokenizer: null, post_processor: null };
    return tokenizerOf(JSON.stringify({ added_tokens: [], ...none, ...parts }));
  };

  it("is U+FFFD as Hugging Face's, or named where that is asked for, among a byte-level tokenizer's pieces", () => {
    const tokenizer = load("bytelevel-bpe");
    const ids = tokenizer.encode("a 🙂 street", null).tokens.map(({ id }) => id);
    const cut = ids.filter((id) => tokenizer.text(id) !== "⟨82⟩");
    expect(cut).toHaveLength(ids.length - 1);
    expect(tokenizer.decode(cut)).toContain("\uFFFD");
    expect(tokenizer.decode(cut, { nameBytes: true })).toBe(
      tokenizer.decode(ids).replace("🙂", "⟨F0⟩⟨9F⟩⟨99⟩"),
    );
    expect(tokenizer.decode(ids, { nameBytes: true })).toBe(tokenizer.decode(ids));
  });

  it("is so where bytes are pieces beside others, as Llama's are", () => {
    const vocab = numbered(["<unk>", "▁a", "▁dog", "<0xE4>", "<0xBD>", "<0xA0>"]);
    const decoders = [
      { type: "Replace", pattern: { String: "▁" }, content: " " },
      { type: "ByteFallback" },
      { type: "Fuse" },
      { type: "Strip", content: " ", start: 1, stop: 0 },
    ];
    const tokenizer = bpe({
      decoder: { type: "Sequence", decoders },
      model: { type: "BPE", unk_token: "<unk>", byte_fallback: true, vocab, merges: [] },
    });
    expect(tokenizer.decode([1, 3, 4, 2])).toBe("a\uFFFD\uFFFD dog");
    expect(tokenizer.decode([1, 3, 4, 2], { nameBytes: true })).toBe("a⟨E4⟩⟨BD⟩ dog");
    expect(tokenizer.decode([1, 3, 4, 5, 4, 2], { nameBytes: true })).toBe("a你⟨BD⟩ dog");
  });

  it("has the ends of words that a vocabulary of bytes marks, as the library leaves them", () => {
    const pieces = ["a</w>", "ï", "¿", "½</w>", ".</w>", "ð"];
    const bytes = { add_prefix_space: false, trim_offsets: true };
    const tokenizer = bpe({
      pre_tokenizer: { type: "ByteLevel", ...bytes, use_regex: true },
      decoder: { type: "ByteLevel", ...bytes },
      model: { type: "BPE", end_of_word_suffix: "</w>", vocab: numbered(pieces), merges: [] },
    });
    const typed = [0, 1, 2, 3, 4];
    expect(tokenizer.decode(typed)).toBe("a</w>\uFFFD</w>.</w>");
    expect(tokenizer.decode([...typed, 5], { nameBytes: true })).toBe("a</w>\uFFFD</w>.</w>⟨F0⟩");
  });
});
