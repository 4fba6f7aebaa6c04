import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  cases,
  type FilesCase,
  fixture,
  lines,
  linesOf,
  stored,
} from "../../www/engine/testing/tokenizer-files.js";
import { fromGguf, readOtherFiles } from "../../www/engine/tokenizer/other-files.js";
import { readSentencePiece } from "../../www/engine/tokenizer/sentencepiece.js";
import type { ModelTokenizer } from "../../www/engine/tokenizer/tokenizer.js";
import { tokenizerOf } from "./library.js";

const charsmap = gunzipSync(stored("charsmap.gz"));
const whole = (name: string): Buffer =>
  // The parts of a message of protobuf are one where they stand behind one another.
  /^(t5|fairseq|albert)/.test(name) ? Buffer.concat([fixture(name), charsmap]) : fixture(name);

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

function filesOf({ files = {}, settings }: FilesCase): Files {
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

function metadataOf({ metadata = {}, pieces = "" }: FilesCase): Map<string, unknown> {
  const lists = Object.entries(listsOf(pieces));
  const named = lists.map(([key, list]): [string, unknown] => [`tokenizer.ggml.${key}`, list]);
  return new Map([...Object.entries(metadata), ...named]);
}

function caseOf(name: string): FilesCase {
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
