// Folders without tokenizer.json, and GGUF files, that are not read: there is no tokenizer in them,
// or a sentence says what is wrong.
import { describe, expect, it } from "vitest";
import { HeadscopeError } from "../errors.js";
import { fixture, linesOf } from "../testing/tokenizer-files.js";
import { fromGguf, readOtherFiles } from "./other-files.js";

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

describe("a folder without tokenizer.json", () => {
  it("has no tokenizer where it has none of the other files, or languages that are numbered in another way", async () => {
    expect(await jsonOf("bert", { "tokenizer_config.json": "{}" })).toBeNull();
    expect(await jsonOf("m2m_100", { "sentencepiece.bpe.model": "" }, "NllbTokenizer")).toBeNull();
    expect(await jsonOf("big_bird", { "spiece.model": "" })).toBeNull();
    expect(await jsonOf("plbart", { "sentencepiece.bpe.model": "" })).toBeNull();
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
      { "vocab.txt": fixture("bert.txt"), "tokenizer_config.json": "[]" },
    ],
    [
      "source.spm: expected vocab.json beside it",
      "marian",
      { "source.spm": fixture("fairseq.model") },
    ],
    [
      "target.spm: expected target_vocab.json beside it",
      "marian written",
      {
        "target.spm": fixture("fairseq.model"),
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
  const fields = {
    model: "gpt2",
    pre: "gpt-2",
    tokens: Object.keys(JSON.parse(fixture("vocab.json").toString()) as object),
    merges: linesOf("merges.txt").slice(1),
    ...(key === "add_eos_token" && { eos_token_id: 1e6 }),
    [key]: value,
  };
  const named = Object.entries(fields).map(([field, one]): [string, unknown] => [
    `tokenizer.ggml.${field}`,
    one,
  ]);
  expect(() => fromGguf(new Map(named))).toThrow(new RegExp(`^the GGUF file: ${why}`));
});

it("a GGUF file without scores gives every piece the same one", () => {
  const tokens = ["<unk>", "</s>", "▁a", "b"];
  const fields = { model: "t5", tokens, unknown_token_id: 0, eos_token_id: 1 };
  const named = Object.entries(fields).map(([field, one]): [string, unknown] => [
    `tokenizer.ggml.${field}`,
    one,
  ]);
  const { model } = JSON.parse(fromGguf(new Map(named))) as Record<string, unknown>;
  expect(model).toMatchObject({ unk_id: 0, vocab: tokens.map((text) => [text, 0]) });
});
