import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { HeadscopeError } from "../../www/engine/errors.js";
import { fromGguf, readOtherFiles } from "../../www/engine/tokenizer/other-files.js";
import { readSentencePiece } from "../../www/engine/tokenizer/sentencepiece.js";
import type { ModelTokenizer } from "../../www/engine/tokenizer/tokenizer.js";
import { tokenizerOf } from "./library.js";

// Written by tests/reference/tokenizer_files.py.
interface Case {
  /** A folder's files by their names, as they are called here. */
  files?: Record<string, string>;
  /** Its tokenizer_config.json. */
  settings?: object;
  /** Of a GGUF file what is no list; the lists are those of `pieces`. */
  metadata?: Record<string, unknown>;
  pieces?: string;
  /** Four digits for the ids of each line. */
  digests: string;
}

const reference = new URL("../reference/tokenizer-files/", import.meta.url);
const stored = (name: string): Buffer => readFileSync(new URL(name, reference));
const { lines, cases } = JSON.parse(stored("cases.json").toString()) as {
  lines: string[];
  cases: Record<string, Case>;
};
const charsmap = gunzipSync(stored("charsmap.gz"));
const texts = JSON.parse(stored("files.json").toString()) as Record<string, string>;
const fixture = (name: string): Buffer =>
  Buffer.from(texts[name] ?? "", name.endsWith(".model") ? "base64" : "utf8");
const whole = (name: string): Buffer =>
  // The parts of a message of protobuf are one where they stand behind one another.
  /^(t5|fairseq|albert)/.test(name) ? Buffer.concat([fixture(name), charsmap]) : fixture(name);
const linesOf = (name: string): string[] => fixture(name).toString().split("\n").slice(0, -1);

type Files = Record<string, string | Buffer>;

async function jsonOf(name: string, files: Files, kind?: string): Promise<string | null> {
  const [family, written] = name.split(" ");
  const config = JSON.stringify({ model_type: family, tokenizer_class: kind });
  const read = (file: string): Promise<Uint8Array | null> => {
    const found = files[file];
    return Promise.resolve(found === undefined ? null : Buffer.from(found));
  };
  const made = await readOtherFiles(config, read, written === undefined ? "source" : "target");
  return made?.json ?? null;
}

function filesOf({ files = {}, settings }: Case): Files {
  const own = Object.entries(files).map(([name, file]): [string, Buffer] => [name, whole(file)]);
  return { ...Object.fromEntries(own), "tokenizer_config.json": JSON.stringify(settings) };
}

/** The lists of a GGUF file that was made from one of the other files. */
function listsOf(pieces: string): Record<string, unknown> {
  if (pieces.endsWith(".model")) {
    const all = readSentencePiece(pieces, whole(pieces)).pieces;
    const padding = Array.from({ length: pieces === "t5.model" ? 100 : 0 }, (_, at) => {
      return { text: `[PAD${at}]`, score: 0, type: 3 };
    });
    const padded = [...all, ...padding];
    const scores = Float32Array.from(padded, ({ score }) => score);
    return {
      tokens: padded.map(({ text }) => text),
      scores,
      token_type: padded.map(({ type }) => type),
    };
  }
  if (pieces === "vocab.json") {
    const ids = JSON.parse(fixture(pieces).toString()) as Record<string, number>;
    const tokens = Object.keys(ids).sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0));
    const token_type = tokens.map((_, id) => (id < 6 ? 3 : 1));
    return { tokens, token_type, merges: linesOf("merges.txt").slice(1) };
  }
  const isSpecial = (piece: string): boolean => /^\[.+\]$/.test(piece);
  const tokens = linesOf(pieces).map((piece) => {
    if (isSpecial(piece)) return piece;
    return /^##./u.test(piece) ? piece.slice(2) : `▁${piece}`;
  });
  return { tokens, token_type: tokens.map((piece) => (isSpecial(piece) ? 3 : 1)) };
}

function metadataOf({ metadata = {}, pieces = "" }: Case): Map<string, unknown> {
  const lists = Object.entries(listsOf(pieces));
  const named = lists.map(([key, list]): [string, unknown] => [`tokenizer.ggml.${key}`, list]);
  return new Map([...Object.entries(metadata), ...named]);
}

function caseOf(name: string): Case {
  const found = cases[name];
  if (found === undefined) throw new Error(name);
  return found;
}

/** 16 bits of FNV-1a, as the script has it. */
function digest(ids: readonly number[]): string {
  let hashed = 0x811c9dc5;
  for (const byte of Buffer.from(ids.join(","))) hashed = Math.imul(hashed ^ byte, 0x01000193);
  return ((hashed ^ (hashed >>> 16)) & 0xffff).toString(16).padStart(4, "0");
}

const idsOf = (tokenizer: ModelTokenizer, text: string, pair: string | null = null): number[] =>
  tokenizer.encode(text, pair).tokens.map(({ id }) => id);

it.each(Object.keys(cases))("ids of 1,000 lines are Hugging Face's: %s", async (name) => {
  const one = caseOf(name);
  const json = one.metadata ? fromGguf(metadataOf(one)) : await jsonOf(name, filesOf(one));
  const tokenizer = tokenizerOf(json ?? "");
  const wrong = lines
    .map((line, at) => ({
      line,
      ids: idsOf(tokenizer, line),
      digest: one.digests.slice(4 * at, 4 * at + 4),
    }))
    .filter(({ ids, digest: expected }) => digest(ids) !== expected);
  expect(wrong).toEqual([]);
  expect(lines).toHaveLength(1000);
});

describe("a folder without tokenizer.json", () => {
  const bert = filesOf(caseOf("bert"));

  it("has no tokenizer where it has none of the other files, or languages that are numbered in another way", async () => {
    expect(await jsonOf("bert", { "tokenizer_config.json": "{}" })).toBeNull();
    expect(await jsonOf("m2m_100", { "sentencepiece.bpe.model": "" }, "NllbTokenizer")).toBeNull();
    expect(await jsonOf("big_bird", { "spiece.model": "" })).toBeNull();
    expect(await jsonOf("plbart", { "sentencepiece.bpe.model": "" })).toBeNull();
  });

  it("puts the special tokens of its family around two texts", async () => {
    const types = async (family: string, own: object = {}): Promise<unknown> => {
      const json = await jsonOf(family, filesOf({ ...caseOf(family), ...own }));
      const { tokens, typeIds } = tokenizerOf(json ?? "").encode("the", "a");
      return tokens
        .map(({ text, special }, at) => `${special ? text : "-"}${typeIds[at]}`)
        .join(" ");
    };
    expect(await types("bert")).toMatch(/^\[CLS\]0 (-0 )+\[SEP\]0 (-1 )+\[SEP\]1$/);
    expect(await types("roberta")).toMatch(/^<s>0 (-0 )+<\/s>0 <\/s>0 (-0 )+<\/s>0$/);
    expect(await types("llama")).toMatch(/^<s>0 (-0 )+<s>1 (-1 ?)+$/);
    expect(await types("mbart")).toMatch(/<\/s>0 fr_XX0$/);
    expect(await types("mbart50")).toMatch(/^fr_XX0 (-[01] )+<\/s>0$/);
    const settings = { src_lang: null, additional_special_tokens: ["__am__", "__en__"] };
    expect(await types("m2m_100", { settings })).toMatch(/^__en__0 (-[01] )+<\/s>0$/);
  });

  it("reads what its small files add: tokens, other names of the special ones, and a case", async () => {
    const size = linesOf("bert.txt").length;
    const settings = {
      do_lower_case: false,
      sep_token: { content: "</s>" },
      added_tokens_decoder: { [size]: { content: "<new>", special: true } },
    };
    const json = await jsonOf("bert", {
      ...bert,
      "added_tokens.json": JSON.stringify({ "<older>": size + 1 }),
      "tokenizer_config.json": JSON.stringify(settings),
    });
    const { tokens } = tokenizerOf(json ?? "").encode("A<new> <older>", null);
    expect(tokens.map(({ id, text, special }) => `${special ? "" : id}${text}`)).toEqual([
      "[CLS]",
      `${linesOf("bert.txt").indexOf("A")}A`,
      "<new>",
      `${size + 1}<older>`,
      "</s>",
    ]);
  });

  it("of Marian has ids from vocab.json, of pieces of the target too", async () => {
    const json = await jsonOf("marian", filesOf(caseOf("marian")));
    const tokenizer = tokenizerOf(json ?? "");
    const numbers = JSON.parse(fixture("marian.json").toString()) as Record<string, number>;
    expect(tokenizer.decode([numbers["▁straß"] ?? 0, numbers["你好"] ?? 0])).toBe("straß你好");
  });

  it.each<[why: string, family: string, files: Files]>([
    ["merges.txt: expected vocab.json beside it", "gpt2", { "merges.txt": "a b" }],
    [
      'merges.txt: expected pairs of pieces of the vocabulary; .* found "a c"',
      "gpt2",
      { "merges.txt": "a c", "vocab.json": '{"a":0,"b":1,"ab":2}' },
    ],
    [
      "vocab.json: expected an integer from 0 as .b;",
      "gpt2",
      { "merges.txt": "a b", "vocab.json": '{"a":0,"b":-1}' },
    ],
    ["vocab.txt: expected the token .CLS., which", "bert", { "vocab.txt": "a\nb\n" }],
    [
      "tokenizer_config.json: expected a JSON object",
      "bert",
      { ...bert, "tokenizer_config.json": "[]" },
    ],
    [
      "source.spm: expected vocab.json beside it",
      "marian",
      { "source.spm": whole("fairseq.model") },
    ],
    [
      "target.spm: expected target_vocab.json beside it",
      "marian written",
      {
        "target.spm": whole("fairseq.model"),
        "vocab.json": '{"a":0}',
        "tokenizer_config.json": '{"separate_vocabs":true}',
      },
    ],
    ["spiece.model: expected a model of SentencePiece", "t5", { "spiece.model": "<html>" }],
    [
      "spiece.model: expected a model of SentencePiece",
      "t5",
      { "spiece.model": fixture("t5.model").subarray(0, -5) },
    ],
    ["spiece.model: expected a model of SentencePiece", "t5", { "spiece.model": "" }],
  ])("is refused in a sentence: %s", async (why, family, files) => {
    const thrown: unknown = await jsonOf(family, files).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(HeadscopeError);
    expect(thrown).toMatchObject({
      code: "load/bad-tokenizer",
      message: expect.stringMatching(why) as string,
    });
  });
});

it.each<[key: string, value: unknown, why: string]>([
  ["model", "rwkv", "expected llama, gpt2, bert or t5 as tokenizer.ggml.model; .*, found rwkv"],
  ["tokens", undefined, "expected tokenizer.ggml.tokens"],
  ["tokens", [1, 2], "expected tokenizer.ggml.tokens with a string"],
  ["token_type", [1], "expected tokenizer.ggml.token_type .*, found 1 of them"],
  ["pre", "of tomorrow", "expected a tokenizer.ggml.pre that is known here; .*, found of tomorrow"],
  ["merges", ["no such"], 'expected pairs of pieces of the vocabulary; .*, found "no such"'],
  ["add_eos_token", true, "expected the token eos, which this model's texts need"],
])("a GGUF file whose %s is %j is refused in a sentence", (key, value, why) => {
  const metadata = metadataOf(caseOf("gguf gpt-2")).set(`tokenizer.ggml.${key}`, value);
  if (key === "add_eos_token") metadata.set("tokenizer.ggml.eos_token_id", 1e6);
  expect(() => fromGguf(metadata)).toThrow(new RegExp(`^the GGUF file: ${why}`));
});

it("a GGUF file of Gemma merges runs of spaces as Gemma's tokenizer.json does", () => {
  const tokens = ["<unk>", "▁", "a", "  ", "   ", "    ", "▁a"];
  const token_type = [2, 1, 1, 4, 4, 4, 1];
  const lists = { model: "llama", tokens, token_type, add_bos_token: false };
  const named = Object.entries(lists).map(([key, value]): [string, unknown] => {
    return [`tokenizer.ggml.${key}`, value];
  });
  const tokenizer = tokenizerOf(fromGguf(new Map([["general.architecture", "gemma3"], ...named])));
  // Of tokenizers 0.23.3 with the merges that Gemma's converter makes: longest left part first.
  expect([" a", "     ", "     a"].map((text) => idsOf(tokenizer, text))).toEqual([
    [6],
    [5, 1],
    [5, 6],
  ]);
});
