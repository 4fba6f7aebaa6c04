// What is made of the folders and GGUF files of tests/reference: the parts of each tokenizer.json,
// its added tokens, and the fields that no code reads; and how the bundled models' own tokenizers
// cut some texts. Tests of the built package compare the ids with Hugging Face's.
// `npm run golden` writes the file; read the difference before you commit it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { GoldenSections } from "../../../tests/golden/golden.js";
import { cases, fixture, lines, linesOf } from "../testing/tokenizer-files.js";
import { OTHER_COMPONENTS, replaced, wrongValues } from "../testing/tokenizer-parts.js";
import { BundledEngine } from "./bundled.js";
import { readingOf } from "./class-of.js";
import { parseDescription } from "./description.js";
import { fromGguf, readOtherFiles } from "./other-files.js";
import { readSentencePiece } from "./sentencepiece.js";
import { asAutoTokenizer, type Described } from "./settings.js";
import { ModelTokenizer } from "./tokenizer.js";

type Settings = Readonly<Record<string, unknown>>;

const textIn = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const saved = JSON.parse(textIn("tests/reference/tokenizer-settings.json")) as {
  files: Record<string, Settings>;
  cases: { family: string; file: string; settings: Settings | null }[];
  drawn: {
    family: string;
    file: string;
    settings: Settings;
    map?: object;
    added?: object;
    /** The added tokens of its tokenizer.json: number, text and flags of each. */
    tokens: string;
    post_processor?: object;
    padding?: object;
  }[];
};

/** The added tokens that a line lists. */
function tokensOf(line: string): object[] {
  const tokens = line === "" ? [] : line.split(", ");
  return tokens.map((token) => {
    const [id = "", content = "", flags = ""] = token.split(" ");
    const is = (letter: string): boolean => flags.includes(letter);
    const spaces = { lstrip: is("l"), rstrip: is("r"), single_word: is("s") };
    return { id: Number(id), content, ...spaces, normalized: is("n"), special: is("x") };
  });
}

const golden = new GoldenSections("tokenizers.txt");
afterAll(() => golden.end());
const compare = (name: string, found: readonly string[]): void =>
  expect(found).toEqual(golden.textOf(name, found.join("\n")).split("\n"));

/** The longest value that is written whole, in characters. */
const LONGEST = 400;

/** A value as JSON; of a long one the beginning, and a digest of all of it. */
function brief(value: unknown): string {
  const json = JSON.stringify(value);
  if (json.length <= LONGEST) return json;
  const digest = createHash("sha256").update(json).digest("hex").slice(0, 8);
  return `${Array.from(json).slice(0, 80).join("")} … ${json.length} characters, ${digest}`;
}

type Place = Record<"Sequence" | "SpecialToken", { id: string; type_id?: number } | undefined>;
/** A template as its tokens and texts, each with its type. */
const templateOf = (places: readonly Place[]): string =>
  places
    .map(({ Sequence: text, SpecialToken: token }) => text ?? token)
    .map((place) => `${place?.id}:${place?.type_id}`)
    .join(" ");

function partOf(part: unknown): string {
  const { type, single, pair, special_tokens, ...others } = (part ?? {}) as Settings;
  if (type !== "TemplateProcessing") return brief(part);
  const templates = [single, pair].map((places) => templateOf(places as Place[]));
  return `${templates.join(" | ")} ${brief(special_tokens)} ${brief(others)}`;
}

const FLAGS = ["special", "lstrip", "rstrip", "single_word", "normalized"];

function outlineOf(json: string): string[] {
  const { model, added_tokens, ...parts } = JSON.parse(json) as Settings & {
    model: Settings;
    added_tokens?: Settings[];
  };
  return [
    ...Object.entries(parts).map(([name, part]) => `${name} ${partOf(part)}`),
    ...Object.entries(model).map(([name, value]) => `model.${name} ${brief(value)}`),
    `added ${brief((added_tokens ?? []).map((token) => [token.id, token.content, ...FLAGS.filter((flag) => token[flag] === true)].join(" ")))}`,
  ];
}

const outlineOfFolder = (made: Described | null): string[] =>
  made === null
    ? ["no tokenizer"]
    : [
        ...outlineOf(made.json),
        `named ${brief(made.named)}`,
        ...made.unread.map(({ field, value }) => `unread ${field} ${value}`),
      ];

/** The lists of a GGUF file that are made from one of the other files. */
function listsOf(name: string): Settings {
  if (name.endsWith(".model")) {
    const { pieces } = readSentencePiece(name, fixture(name));
    return {
      tokens: pieces.map(({ text }) => text),
      scores: pieces.map(({ score }) => score),
      token_type: pieces.map(({ type }) => type),
    };
  }
  const text = fixture(name).toString();
  if (name === "vocab.json")
    return {
      tokens: Object.keys(JSON.parse(text) as object),
      merges: linesOf("merges.txt").slice(1),
    };
  return { tokens: linesOf(name) };
}

it.each(Object.entries(cases))("the tokenizer of %s is as in the golden file", async (name, of) => {
  if (of.metadata) {
    const lists = Object.entries(listsOf(of.pieces ?? ""));
    const named = lists.map(([key, list]): [string, unknown] => [`tokenizer.ggml.${key}`, list]);
    compare(name, outlineOf(fromGguf(new Map([...Object.entries(of.metadata), ...named]))));
    return;
  }
  const [model_type, written] = name.split(" ");
  const small = { "tokenizer_config.json": Buffer.from(JSON.stringify(of.settings)) };
  const own = Object.entries(of.files ?? {}).map(([as, file]) => [as, fixture(file)] as const);
  const folder: Record<string, Buffer> = { ...Object.fromEntries(own), ...small };
  const read = (file: string): Promise<Buffer | null> => Promise.resolve(folder[file] ?? null);
  const side = written === undefined ? "source" : "target";
  const made = await readOtherFiles(JSON.stringify({ model_type }), read, side);
  compare(name, outlineOfFolder(made));
});

it.each(saved.cases.map((one, at) => [`folder ${at + 1}: ${one.family}`, one] as const))(
  "the tokenizer.json of %s is as in the golden file",
  (name, { family, file, settings }) => {
    const config = JSON.stringify({ model_type: family, vocab_size: 1000 });
    const small = { "tokenizer_config.json": settings && JSON.stringify(settings) };
    const made = asAutoTokenizer(JSON.stringify(saved.files[file]), small, config);
    compare(name, outlineOfFolder(made));
  },
);

/** The values of `tokenizer.ggml.pre` that are read, as llama.cpp names them. */
const PRE = `gpt-2 gpt2 roberta bart opt gpt-neo gpt-neox olmo mpt phi phi-2 jais trillion
  granite-docling gigachat a.x-4.0 mellum exaone4 modern-bert jina-es jina-de jina-v1-en jina-v2-es
  jina-v2-de jina-v2-code roberta-bpe default falcon smollm starcoder starcoder2 refact command-r
  codeshell exaone minerva-7b mellum2 llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0
  lfm2 jina-v5-nano dbrx smaug-bpe glm4 chatglm-bpe qwen2 qwen3 deepseek-r1-qwen kormo f2llmv2
  stablelm2 megrez hunyuan solar-open grok-2 qwen35 gpt-4o llama4 kanana2 talkie minimax-m2 tekken
  tiny_aya cohere2moe deepseek-llm deepseek-coder deepseek-v3 hunyuan-dense joyai-llm hy_v4
  seed-coder`.split(/\s+/);

it("each rule of words that a GGUF file can name is as in the golden file", () => {
  const lists = { model: "gpt2", bos_token_id: 0, ...listsOf("vocab.json") };
  const found = PRE.map((pre) => {
    const fields = Object.entries({ ...lists, pre }).map(([key, value]): [string, unknown] => [
      `tokenizer.ggml.${key}`,
      value,
    ]);
    const { normalizer, pre_tokenizer, model, post_processor } = JSON.parse(
      fromGguf(new Map(fields)),
    ) as Settings & { model: Settings };
    const [template] = partOf(post_processor).split(" | ");
    return `${pre}: ${[normalizer, pre_tokenizer, model.ignore_merges].map(brief).join(" ")} ${template}`;
  });
  compare("gguf rules of words", found);
});

/** Classes of transformers without their ending, and one that it does not have. */
const CLASS_NAMES = `Bartpho BertGeneration BertJapanese BertTokenizerLegacy Bertweet BioGpt Blenderbot
  BlenderbotSmall Bloom ByT5 CLIP CTRL Canine Clvp Cohere Cpm CpmAnt DPRContextEncoder
  DPRQuestionEncoder DPRReader Dia Esm Esmc FNet FSMT FastSpeech2Conformer Flaubert Funnel
  GPTNeoXJapanese GPTSw3 Gemma Lasr LayoutLMv2 LayoutLMv3 LayoutXLM Llama Luke M2M100 MLuke
  Marian MarkupLM Mgpstr MyT5 Nougat OpenAIGPT Own PLBart Parakeet Pegasus Perceiver Phobert
  PreTrained ProphetNet PythonBackend Qwen3_5 Reformer RemBert RoCBert RoFormer SeamlessM4T
  Siglip Siglip2 Speech2Text SpeechT5 Splinter Tapas Tipsv2 TokenizersBackend Udop VideoPrism
  Vits Wav2Vec2CTC Wav2Vec2PhonemeCTC Whisper XLM XLNet`;
const FAMILY_NAMES = `albert bart bert big_bird camembert data2vec-text deberta deberta-v2 distilbert electra ernie
  eurobert gemma gemma2 gemma3_text gpt-sw3 gpt2 gpt_neo gpt_neox ibert internlm3 llama m2m_100
  marian mbart megatron-bert ministral mistral modernbert mpnet mt5 mvp olmo2 opt phi3 plbart
  qwen2 qwen3 roberta roberta-prelayernorm seed_oss smollm3 stablelm starcoder2 t5 xlm-roberta
  xlm-roberta-xl gpt_bigcode zamba`;

it("each class and each family is read as in the golden file", () => {
  const read = (settings: Settings, config: Settings, json = ""): string => {
    try {
      const reading = readingOf(settings, config, json);
      return typeof reading === "string" ? reading : (reading.names[0] ?? "");
    } catch (thrown) {
      const why = /reads other files|makes other tokens|code of its own/.exec(String(thrown));
      return why?.[0] ?? String(thrown);
    }
  };
  const auto_map = { AutoTokenizer: ["own.Slow", "own.Fast"] };
  const classes = CLASS_NAMES.split(/\s+/).map((name) => {
    const tokenizer_class = /^(Tokenizers|Python|.*Legacy)/.test(name) ? name : `${name}Tokenizer`;
    // A family without a class asks whether the folder's code may run where a class is unknown.
    const own = read({ tokenizer_class, auto_map }, { model_type: "llama" });
    return `${tokenizer_class}: ${read({ tokenizer_class }, {})} | ${own}`;
  });
  const families = FAMILY_NAMES.split(/\s+/).map((model_type) => {
    const llama = { tokenizer_class: "LlamaTokenizer" };
    const all = [
      read({}, { model_type }),
      read(llama, { model_type }),
      read(llama, { model_type }, '{"type":"ByteLevel"}'),
      read({ auto_map }, { model_type }),
    ];
    return `${model_type}: ${all.join(" | ")}`;
  });
  compare("classes and families", [...classes, ...families]);
});

it("the special tokens of drawn folders are as in the golden file", () => {
  const found = saved.drawn.map((one, at) => {
    const { family, file, settings, tokens, map = null, added = null } = one;
    const { post_processor = null, padding = null } = one;
    const small = {
      "tokenizer_config.json": JSON.stringify(settings),
      "special_tokens_map.json": map && JSON.stringify(map),
      "added_tokens.json": added && JSON.stringify(added),
    };
    const config = JSON.stringify({ model_type: family, vocab_size: 1000 });
    const parts = { added_tokens: tokensOf(tokens), post_processor, padding };
    const json = JSON.stringify({ ...saved.files[file], ...parts });
    const lists = outlineOfFolder(asAutoTokenizer(json, small, config));
    const told = lists.filter((line) => /^(added|named|unread|post_processor)/.test(line));
    return `${at + 1} ${family}: ${told.join("; ")}`;
  });
  compare("drawn folders", found);
});

it.each(["tiny-bert", "tiny-gpt", "en-fr"])("%s cuts texts as in the golden file", (name) => {
  const description = parseDescription(textIn(`models/${name}/tokenizer.json`));
  const tokenizer = new ModelTokenizer(description, new BundledEngine(description));
  const texts = lines.filter((_, at) => at % 40 === 0);
  const found = texts.map((text, at) => {
    const pair = at % 7 === 0 ? (lines[at + 1] ?? null) : null;
    const { tokens, typeIds } = tokenizer.encode(text, pair, at % 3 !== 0);
    const all = tokens.map(({ id, text: label, word, role }, place) => {
      const signs = [typeIds[place] === 1 ? "²" : "", tokenizer.continuesWord(id) ? "+" : ""];
      return `${word < 0 ? "" : word}${signs.join("")} ${id} ${label}${role === null ? "" : ` (${role})`}`;
    });
    const ids = tokens.map(({ id }) => id);
    const again = tokenizer.tokens(ids).map(({ word }) => word);
    return [
      `${JSON.stringify(text)}: ${all.join(", ")}`,
      `= ${JSON.stringify(tokenizer.decode(ids))}`,
      `= ${JSON.stringify(tokenizer.decode(ids.slice(0, -2), { nameBytes: true }))} ${again.join(" ")}`,
    ].join("\n ");
  });
  compare(`models/${name}`, found.join("\n").split("\n"));
});

it("each value of a tokenizer.json is demanded as in the golden file", () => {
  const seen = new Set<string>();
  const found = wrongValues(JSON.parse(OTHER_COMPONENTS)).flatMap(([path, by]) => {
    const name = path.join(".");
    if (seen.has(name)) return [];
    try {
      parseDescription(replaced(OTHER_COMPONENTS, path, by));
      return [];
    } catch (thrown) {
      seen.add(name);
      return `${name} = ${JSON.stringify(by)}: ${(thrown as Error).message}`;
    }
  });
  compare("shapes", found);
});
