import { fit, isRecord, jsonIn, Misfit, numberIn, type Shape, textIn } from "../../data/shape.js";
import { kindOf, refuse } from "../errors.js";
import { isComputedWithoutFile } from "./class-of.js";
import type { Described, NamedTexts } from "./settings.js";
import { MBART, MBART_50 } from "./languages.js";
import { unreadIn } from "./unread.js";
import { cut, type Piece, readSentencePiece, type SentencePiece } from "./sentencepiece.js";

type Ids = ReadonlyMap<string, number>;
type Settings = Readonly<Record<string, unknown>>;
type Names = Readonly<Record<string, string | undefined>>;
/**
 * The tokens around one text and around a pair, with each type that is not 0: `cls A sep B:1
 * sep:1`.
 */
type Template = readonly [single: string, pair: string];

/** An added token, which a text may contain literally. */
interface Added {
  id: number;
  content: string;
  special: boolean;
  lstrip?: boolean;
  rstrip?: boolean;
}

/** Components of a tokenizer.json by name, with the ids that the library would number otherwise. */
interface Parts {
  readonly unread?: Readonly<Record<string, number>>;
  readonly [name: string]: unknown;
}

/** The parts from which a tokenizer.json is built. */
interface Recipe {
  /** The name of the file with the pieces, for messages. */
  file: string;
  ids: Ids;
  parts: Parts;
  /** The special tokens by role: `bos`, `cls`. */
  names: Names;
  template: Template;
  added: readonly Added[];
}

function compose({ file, ids, parts, names, template, added }: Recipe): string {
  const byContent = new Map(added.map((token) => [token.content, token]));
  for (const [part, content] of Object.entries(names)) {
    if (content === undefined) continue;
    const id = byContent.get(content)?.id ?? ids.get(content);
    // In tokenizers whose words begin with their space, the mask token includes the space before
    // it.
    const lstrip = part === "mask" && content === "<mask>";
    if (id !== undefined) byContent.set(content, { id, content, special: true, lstrip });
  }
  byContent.delete("");
  const place = (item: string): object => {
    const [part = "", type] = item.split(":");
    const [id, type_id] = [names[part] ?? part, Number(type ?? 0)];
    if (part === "A" || part === "B") return { Sequence: { id, type_id } };
    if (byContent.has(id)) return { SpecialToken: { id, type_id } };
    const remedy = "save the tokenizer again with tokenizer.save_pretrained";
    throw bad(file, `the token ${id}, which this model's texts need; ${remedy}`, "none");
  };
  const [single, pair] = template.map((line) => line.split(" ").map(place));
  const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false };
  const special_tokens = Object.fromEntries(
    Array.from(byContent, ([content, { id }]) => [
      content,
      { id: content, ids: [id], tokens: [content] },
    ]),
  );
  const { unread, ...components } = parts;
  const numbers = Array.from(byContent, ([content, { id }]) => [content, id] as const);
  return JSON.stringify({
    normalizer: null,
    ...components,
    ...(unread && { unread: { ...unread, ...Object.fromEntries(numbers) } }),
    // The library numbers tokens behind its vocabulary in the order of this list.
    added_tokens: [...byContent.values()]
      .sort((a, b) => a.id - b.id)
      .map((token) => ({ ...plain, ...token })),
    post_processor: { type: "TemplateProcessing", single, pair, special_tokens },
  });
}

function bad(file: string, expected: string, got: string): Error {
  return refuse("load/bad-tokenizer", file, expected, got);
}

const numbered = (texts: readonly string[]): Ids => new Map(texts.map((text, id) => [text, id]));

/** The pieces that are added tokens, found in a text as they are. */
function marked(pieces: readonly Piece[]): Added[] {
  const all = pieces.map(({ text, type }, id) => ({
    id,
    content: text,
    special: type === 3,
    type,
  }));
  return all.filter(({ type }) => type === 3 || type === 4);
}

const BERT = { cls: "[CLS]", sep: "[SEP]", unk: "[UNK]", pad: "[PAD]", mask: "[MASK]" };
const LLAMA = { bos: "<s>", eos: "</s>", unk: "<unk>", pad: "<pad>" };
const ROBERTA = { ...LLAMA, cls: "<s>", sep: "</s>", mask: "<mask>" };
const END_OF_TEXT = "<|endoftext|>";
const TYPED: Template = ["cls A sep", "cls A sep B:1 sep:1"];
const DOUBLED: Template = ["cls A sep", "cls A sep sep B sep"];

/**
 * The special tokens of families and their template; without a template the settings decide which
 * tokens are added.
 */
const FAMILIES: readonly [families: readonly string[], names: Names, template?: Template][] = [
  [["bert", "distilbert", "electra", "ernie"], BERT, TYPED],
  [["mpnet"], { ...ROBERTA, unk: "[UNK]" }, DOUBLED],
  [["albert"], { ...BERT, unk: "<unk>", pad: "<pad>" }, TYPED],
  [
    ["roberta", "bart", "xlm-roberta", "camembert", "data2vec-text", "ibert", "mvp"],
    ROBERTA,
    DOUBLED,
  ],
  [["t5", "mt5"], LLAMA, ["A eos", "A eos B eos"]],
  [["marian"], LLAMA, ["A eos", "A B eos"]],
  [["mbart"], { ...ROBERTA, source: "en_XX" }, ["A eos source", "A B eos source"]],
  [["mbart50"], { ...ROBERTA, source: "en_XX" }, ["source A eos", "source A B eos"]],
  [["m2m-100"], { ...LLAMA, source: "__en__" }, ["source A eos", "source A B eos"]],
  [["opt"], { bos: "</s>", eos: "</s>", unk: "</s>", pad: "<pad>" }],
  [["gemma", "gemma2", "gemma3-text"], { ...LLAMA, bos: "<bos>", eos: "<eos>" }],
  [["llama", "mistral", "phi3"], LLAMA],
];
const OTHERS: (typeof FAMILIES)[number] = [
  [],
  { bos: END_OF_TEXT, eos: END_OF_TEXT, unk: END_OF_TEXT },
];

/** A template with a start token, an end token, or neither around each text. */
function around(bos: unknown, eos: unknown): Template {
  const single = `${bos === true ? "bos " : ""}A${eos === true ? " eos" : ""}`;
  return [single, `${single} ${single.replace("A", "B").replace(/\w+/g, "$&:1")}`];
}

/** The result of reading a file of pieces: ids, normalizer, pre-tokenizer, decoder and model. */
interface Made {
  ids: Ids;
  parts: Parts;
  pieces?: readonly Piece[];
}

function wordPiece(ids: Ids, unk_token: string | undefined, settings: Settings): Made {
  const { do_lower_case = true, strip_accents = null, tokenize_chinese_chars = true } = settings;
  const accents = { lowercase: do_lower_case, strip_accents };
  const others = { clean_text: true, handle_chinese_chars: tokenize_chinese_chars };
  const most = { max_input_chars_per_word: 100 };
  const model = { type: "WordPiece", vocab: Object.fromEntries(ids), unk_token, ...most };
  const parts = {
    normalizer: { type: "BertNormalizer", ...accents, ...others },
    pre_tokenizer: { type: "BertPreTokenizer" },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: { ...model, continuing_subword_prefix: "##" },
  };
  return { ids, parts };
}

/** The pattern of English contractions at the end of a word. */
const ENDINGS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const GPT_2 = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
/** The pattern of white space with which most patterns end. */
const SPACES = "\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const LLAMA_3 = `${ENDINGS}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|${SPACES}`;
const QWEN = LLAMA_3.replace("{1,3}", "");
const QWEN_3_5 = `${ENDINGS}|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|${SPACES}`;
const [UPPER, LOWER] = ["[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]", "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"];
/**
 * A pattern of words that are split at a change from lower to upper case, with an ending and a
 * number of digits per piece.
 */
const cased = (ending: string, digits: string): string =>
  [
    `[^\\r\\n\\p{L}\\p{N}]?${UPPER}*${LOWER}+${ending}`,
    `[^\\r\\n\\p{L}\\p{N}]?${UPPER}+${LOWER}*${ending}`,
    `${digits}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|${SPACES}`,
  ].join("|");
const HAN = "[一-龥぀-ゟ゠-ヿ]+";
/** Letters of alphabets with two cases, as DeepSeek LLM lists them. */
const ALPHABETS =
  "A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃";

/** The rule by which a byte-level BPE splits a text into words. */
interface WordRule {
  /** The patterns, each of which splits the parts that the patterns before it leave. */
  patterns: readonly string[];
  /** Whether a word of the vocabulary is always one piece, without regard to the merges. */
  ignoresMerges?: boolean;
  /** Whether a text gets the start token if the file does not say. */
  addsBos?: boolean;
  /** Whether the text is composed (NFC) first, as in the tokenizer.json of these families. */
  composes?: boolean;
}

/**
 * The rule of each `tokenizer.ggml.pre` of GGUF files, and of a family of the same name. Source:
 * `llama-vocab.cpp` of llama.cpp; where that only approximates the tokenizer.json pattern quoted in
 * its comment, the quoted pattern.
 */
const WORDS: readonly [names: readonly string[], rule: WordRule][] = [
  [
    [
      "gpt-2",
      "gpt2",
      "roberta",
      "bart",
      "opt",
      "gpt-neo",
      "gpt-neox",
      "olmo",
      "mpt",
      "phi",
      "phi-2",
      "jais",
      "trillion",
      "granite-docling",
      "gigachat",
      "a.x-4.0",
      "mellum",
      "exaone4",
      "modern-bert",
      "jina-es",
      "jina-de",
      "jina-v1-en",
      "jina-v2-es",
      "jina-v2-de",
      "jina-v2-code",
      "roberta-bpe",
    ],
    { patterns: [GPT_2] },
  ],
  [["default"], { patterns: ["[\\p{P}\\$\\+<=>\\^~\\|]+", GPT_2, "\\p{N}+", "[0-9][0-9][0-9]"] }],
  [["falcon"], { patterns: ["[\\p{P}\\$\\+<=>\\^~\\|`]+", GPT_2, "[0-9][0-9][0-9]"] }],
  [
    [
      "smollm",
      "starcoder",
      "starcoder2",
      "refact",
      "command-r",
      "codeshell",
      "exaone",
      "minerva-7b",
      "mellum2",
    ],
    { patterns: ["\\p{N}", GPT_2] },
  ],
  [
    [
      "llama3",
      "llama-v3",
      "llama-bpe",
      "falcon3",
      "falcon-h1",
      "pixtral",
      "midm-2.0",
      "lfm2",
      "jina-v5-nano",
    ],
    { patterns: [LLAMA_3], ignoresMerges: true, addsBos: true },
  ],
  [["dbrx", "smaug-bpe", "glm4", "chatglm-bpe"], { patterns: [LLAMA_3] }],
  [
    [
      "qwen2",
      "qwen3",
      "deepseek-r1-qwen",
      "kormo",
      "f2llmv2",
      "stablelm2",
      "megrez",
      "hunyuan",
      "solar-open",
      "grok-2",
    ],
    { patterns: [QWEN], composes: true },
  ],
  [["qwen35"], { patterns: [QWEN_3_5], composes: true }],
  [
    ["gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2"],
    { patterns: [cased(`${ENDINGS}?`, "\\p{N}{1,3}")] },
  ],
  [["tekken"], { patterns: [cased("", "\\p{N}")], ignoresMerges: true, addsBos: true }],
  [
    ["tiny_aya", "cohere2moe"],
    { patterns: ["\\d{1,3}(?=(?:\\d{3})*\\b)", cased(`${ENDINGS}?`, "\\p{N}{1,3}")] },
  ],
  [
    ["deepseek-llm"],
    {
      patterns: [
        "[\\r\\n]",
        `\\s?[${ALPHABETS}]+`,
        "\\s?[!-/:-~！-／：-～‘-‟　-。]+",
        "\\s+$",
        "[一-龥ࠀ-一가-퟿]+",
        "\\p{N}+",
      ],
    },
  ],
  [
    ["deepseek-coder"],
    { patterns: ["[\\r\\n]", "\\s?\\p{L}+", "\\s?\\p{P}+", "[一-龥ࠀ-一가-퟿]+", "\\p{N}"] },
  ],
  [
    ["deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4"],
    {
      patterns: [
        "\\p{N}{1,3}",
        HAN,
        `[!"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_\`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|${SPACES}`,
      ],
    },
  ],
  [
    ["seed-coder"],
    {
      patterns: [
        `${ENDINGS}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}\\r\\n]+|${SPACES}`,
      ],
    },
  ],
];
const wordsOf = (wanted: string): WordRule | undefined =>
  WORDS.find(([names]) => names.includes(wanted))?.[1];

/** The parts of a byte-level BPE with merges of the form `a b`. */
function byteLevel(
  file: string,
  ids: Ids,
  merges: readonly string[],
  { patterns, ignoresMerges = false, composes = false }: WordRule,
  addsPrefix: unknown = false,
): Made {
  const odd = merges.find((merge) => !/^\S+ \S+$/.test(merge) || !ids.has(merge.replace(" ", "")));
  const expected = "pairs of pieces of the vocabulary; download both files again, of one model";
  if (odd !== undefined) throw bad(file, expected, `"${odd}"`);
  const splits = patterns.map((Regex) => {
    return { type: "Split", pattern: { Regex }, behavior: "Isolated", invert: false };
  });
  const prefix = addsPrefix === true;
  const isGpt2 = patterns.length === 1 && patterns[0] === GPT_2;
  const bytes = { type: "ByteLevel", add_prefix_space: prefix, trim_offsets: true };
  const cuts = { ...bytes, use_regex: isGpt2 };
  const parts = {
    normalizer: composes ? { type: "NFC" } : null,
    pre_tokenizer: isGpt2 ? cuts : { type: "Sequence", pretokenizers: [...splits, cuts] },
    decoder: bytes,
    model: { type: "BPE", vocab: Object.fromEntries(ids), merges, ignore_merges: ignoresMerges },
  };
  return { ids, parts };
}

const FIRST_OF_FAIRSEQ = ["<s>", "<pad>", "</s>", "<unk>"];
/**
 * Special tokens of fairseq's models: those that Hugging Face puts in place of the first pieces of
 * a file, and those behind the last.
 */
const FAIRSEQ: readonly [
  family: string,
  first: readonly string[],
  replaced: number,
  last: readonly string[],
][] = [
  ["xlm-roberta", FIRST_OF_FAIRSEQ, 3, ["<mask>"]],
  ["mbart", FIRST_OF_FAIRSEQ, 3, [...MBART, "<mask>"]],
  ["mbart50", FIRST_OF_FAIRSEQ, 3, [...MBART_50, "<mask>"]],
  ["camembert", ["<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>", "<unk>NOTUSED"], 1, ["<mask>"]],
];

function vocabularyOf(family: string, settings: Settings, pieces: readonly Piece[]): Piece[] {
  const plain = (texts: readonly string[], type = 1): Piece[] =>
    texts.map((text) => ({ text, score: text === "<unk>NOTUSED" ? -100 : 0, type }));
  const layout = FAIRSEQ.find(([name]) => name === family);
  if (layout) return [...plain(layout[1]), ...pieces.slice(layout[2]), ...plain(layout[3], 3)];
  const isNumber = ({ text }: Piece): boolean => family === "albert" && /\d,$/.test(text);
  const count = family === "t5" || family === "mt5" ? numberIn(settings.extra_ids ?? 100) : 0;
  if (!Number.isInteger(count))
    throw bad("tokenizer_config.json", "a whole number as extra_ids", kindOf(settings.extra_ids));
  return [
    // ALBERT scores numbers lower, and has its comma in one piece.
    ...pieces.map((piece) => (isNumber(piece) ? { ...piece, score: piece.score - 100 } : piece)),
    ...Array.from({ length: count }, (_, at) => {
      return { text: `<extra_id_${count - 1 - at}>`, score: 0, type: 3 };
    }),
  ];
}

/** The parts that split words at spaces alone, with a run of spaces as one. */
const spaced = (normalizers: readonly object[]): object => {
  const merge = { type: "Replace", pattern: { Regex: " {2,}" }, content: " " };
  return {
    normalizer: { type: "Sequence", normalizers: [...normalizers, merge] },
    pre_tokenizer: { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true },
  };
};

/**
 * The parts of Marian and M2M-100: SentencePiece, for which only a space is white space, and a
 * vocab.json that numbers the pieces of both languages.
 */
function marian(read: SentencePiece, ids: Ids): Made {
  const unknown = ids.get("<unk>") ?? 0;
  const unread = new Map(ids);
  // The ids are too many for the arguments of one call.
  const last = [...ids.values()].reduce((most, id) => Math.max(most, id));
  // An id without a piece stands for no text; a placeholder lets the library number the other
  // pieces.
  const pieces = Array.from({ length: last + 1 }, (_, id): Piece => {
    return { text: `\u{F0000}${id}`, score: 0, type: 1 };
  });
  for (const piece of read.pieces.filter(({ type }) => type === 1)) {
    pieces[ids.get(piece.text) ?? pieces.length] = piece;
    // A piece without an id is unknown to the model.
    if (!unread.delete(piece.text)) unread.set(piece.text, unknown);
  }
  // Marian's language tokens, and the unknown token, which a BPE finds by its name.
  for (const [text, id] of ids)
    if (/^(>>.+<<|<unk>)$/.test(text)) pieces[id] = { text, score: 0, type: 3 };
  const { normalizer, ...parts } = cut(read, pieces, unknown);
  const ends = { type: "Replace", pattern: { Regex: "\\A +| +\\z" }, content: "" };
  const table = normalizer === null ? [] : [{ ...normalizer, longest: true }];
  const own = spaced([...table, ends]);
  return { ids, parts: { ...parts, ...own, unread: Object.fromEntries(unread) }, pieces };
}

const VOCABULARIES = {
  source: [
    "vocab.txt",
    "merges.txt",
    "tokenizer.model",
    "spiece.model",
    "sentencepiece.bpe.model",
    "source.spm",
  ],
  // Marian splits the texts that it generates by a separate file.
  target: ["target.spm"],
};

/** The settings that are read for every family. */
const READS = [
  "add_bos_token",
  "add_eos_token",
  "add_prefix_space",
  "do_lower_case",
  "extra_ids",
  "keep_accents",
  "separate_vocabs",
  "src_lang",
  "strip_accents",
  "tokenize_chinese_chars",
];

/**
 * The tokenizer.json equivalent to the other files of a model's folder, for the texts that the
 * model reads or for those that it generates; null if the folder has none of the files.
 * @throws load/bad-tokenizer for files that cannot be read or contradict each other
 */
export async function readOtherFiles(
  config: string,
  read: (file: string) => Promise<Uint8Array | null>,
  side: keyof typeof VOCABULARIES = "source",
): Promise<Described | null> {
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  const settingsIn = async (file: string, shape: Shape = "any"): Promise<Settings> => {
    const bytes = await read(file);
    return bytes === null ? {} : parse(file, decode(bytes), shape);
  };
  const idsIn = async (file: string): Promise<Ids> =>
    new Map(Object.entries((await settingsIn(file, { "*": "count" })) as Record<string, number>));
  for (const file of VOCABULARIES[side]) {
    const bytes = await read(file);
    if (bytes === null) continue;
    const { model_type, tokenizer_class } = parse("config.json", config, "any");
    const map = await settingsIn("special_tokens_map.json");
    const own = await settingsIn("tokenizer_config.json");
    const settings: Record<string, unknown> = { tokenizer_class, ...map, ...own };
    const isOf = (name: string): boolean => textIn(settings.tokenizer_class).startsWith(name);
    // NLLB is an M2M-100 with other language ids.
    if (isOf("Nllb")) return null;
    // The SentencePiece models of these families have special tokens that no file lists.
    if (model_type === "big_bird" || model_type === "plbart") return null;
    if (!isComputedWithoutFile(settings, { model_type })) return null;
    const family = isOf("MBart50") ? "mbart50" : textIn(model_type).replaceAll("_", "-");
    const language = contentOf(settings.src_lang);
    settings.source_token = family === "m2m-100" && language ? `__${language}__` : language;
    const later = await idsIn("added_tokens.json");
    const [, usual, template] = FAMILIES.find(([all]) => all.includes(family)) ?? OTHERS;
    const names: Names = Object.fromEntries(
      Object.entries(usual).map(([part, name]) => [
        part,
        contentOf(settings[`${part}_token`]) ?? name,
      ]),
    );
    const addsBos = settings.add_bos_token ?? usual !== OTHERS[1];
    const lines = decode(bytes).split(/\r?\n/);
    if (lines.at(-1) === "") lines.pop();
    const isNumbered = file === "merges.txt" || family === "marian" || family === "m2m-100";
    const isApart = side === "target" && settings.separate_vocabs === true;
    const vocabulary = isApart ? "target_vocab.json" : "vocab.json";
    const numbers = isNumbered ? await idsIn(vocabulary) : null;
    if (numbers?.size === 0) throw bad(file, `${vocabulary} beside it; download that too`, "none");
    const merges = lines.filter((line, at) => at > 0 || !line.startsWith("#version"));
    const make = (): Made => {
      if (file === "vocab.txt") return wordPiece(numbered(lines), names.unk, settings);
      if (numbers !== null && file === "merges.txt")
        return byteLevel(
          file,
          numbers,
          merges,
          wordsOf(family) ?? { patterns: [GPT_2] },
          settings.add_prefix_space,
        );
      const read = readSentencePiece(file, bytes);
      return numbers === null
        ? sentencePiece(family, settings, read, names.unk)
        : marian(read, numbers);
    };
    const made = make();
    const ids = new Map([...made.ids, ...later]);
    const added = [...marked(made.pieces ?? []), ...addedTokens(settings, later, ids)];
    const ends = template ?? around(addsBos, settings.add_eos_token);
    const unread = [
      ...unreadIn("tokenizer_config.json", own, READS),
      ...unreadIn("special_tokens_map.json", map, READS),
    ];
    return {
      json: compose({ file, ids, parts: made.parts, names, template: ends, added }),
      unread,
      isOfOtherFiles: true,
      named: namedTexts(names),
    };
  }
  return null;
}

/** Special tokens by the names that settings give them; a language's token is none of these. */
const namedTexts = (names: Names): NamedTexts =>
  Object.fromEntries(
    Object.entries(names).flatMap(([part, text]) =>
      text && part !== "source" ? [[`${part}_token`, text]] : [],
    ),
  ) as NamedTexts;

const contentOf = (token: unknown): string | undefined => {
  const content = isRecord(token) ? token.content : token;
  return typeof content === "string" ? content : undefined;
};

/** The settings with further special tokens, in a list or by name. */
const LISTS = [
  "additional_special_tokens",
  "extra_special_tokens",
  "model_specific_special_tokens",
];

/** The added tokens of the small files. */
function addedTokens(settings: Settings, later: Ids, ids: Map<string, number>): Added[] {
  const { added_tokens_decoder: decoder } = settings;
  const named = LISTS.flatMap((list): unknown[] => Object.values(settings[list] ?? {})).flatMap(
    (token) => contentOf(token) ?? [],
  );
  // Tokens without an id are numbered behind all others.
  for (const text of named) if (!ids.has(text)) ids.set(text, ids.size);
  const tokens: Settings[] = [
    ...Array.from(later, ([content, id]) => ({ content, id })),
    ...named.map((content) => ({ content, special: true })),
    ...Object.entries(isRecord(decoder) ? decoder : {}).map(([id, token]) => {
      return { ...(isRecord(token) ? token : {}), id: Number(id) };
    }),
  ];
  return tokens.flatMap(({ content, special: isSpecial, lstrip, rstrip, ...token }) => {
    const id = token.id ?? ids.get(textIn(content));
    if (typeof content !== "string" || typeof id !== "number") return [];
    const strips = { lstrip: lstrip === true, rstrip: rstrip === true };
    return [{ id, content, special: isSpecial === true, ...strips }];
  });
}

function sentencePiece(
  family: string,
  settings: Settings,
  read: SentencePiece,
  unk = "<unk>",
): Made {
  const pieces = vocabularyOf(family, settings, read.pieces);
  const ids = numbered(pieces.map(({ text }) => text));
  const addsPrefix = read.addsPrefix && settings.add_prefix_space !== false;
  const parts = cut({ ...read, addsPrefix }, pieces, ids.get(unk) ?? 0);
  const table = parts.normalizer === null ? [] : [parts.normalizer];
  if (family === "mbart50") Object.assign(parts, spaced(table));
  if (family === "albert") {
    const pattern = { Regex: "``|''" };
    const normalizers = [
      { type: "Replace", pattern, content: '"' },
      ...(settings.keep_accents === true ? [] : [{ type: "NFKD" }, { type: "StripAccents" }]),
      ...(settings.do_lower_case === false ? [] : [{ type: "Lowercase" }]),
      ...table,
    ];
    parts.normalizer = { type: "Sequence", normalizers };
  }
  return { ids, parts, pieces };
}

/** Parses a JSON file and checks its shape. */
function parse(file: string, json: string, shape: Shape): Settings {
  const parsed = jsonIn(json);
  const fitted = isRecord(parsed) ? fit(parsed, shape) : new Misfit("a JSON object", parsed);
  if (!(fitted instanceof Misfit)) return parsed as Settings;
  const where = fitted.path && ` as ${fitted.path}`;
  throw bad(file, `${fitted.expected}${where}; download it again`, fitted.got);
}

/**
 * The space marks of llama.cpp: each space is `▁`, and one more `▁` is added at the start of a text
 * and behind a special token, even before a space.
 */
function marks(addsPrefix: boolean): object {
  const spaces = { type: "Replace", pattern: { String: " " }, content: "▁" };
  const normalizers = addsPrefix ? [{ type: "Prepend", prepend: "▁" }, spaces] : [spaces];
  return { normalizer: { type: "Sequence", normalizers }, pre_tokenizer: null };
}

/**
 * The text of the tokenizer.json equivalent to a GGUF file's metadata.
 * @throws load/bad-tokenizer for a tokenizer of another kind, or metadata that contradict each
 *   other
 */
export function fromGguf(metadata: ReadonlyMap<string, unknown>): string {
  const file = "the GGUF file";
  const remedy = "open the model's Hugging Face folder";
  const get = (key: string): unknown => metadata.get(`tokenizer.ggml.${key}`);
  const list = <Item>(key: string, type: string, length?: number): Item[] => {
    const found = get(key);
    const items =
      ArrayBuffer.isView(found) || Array.isArray(found)
        ? Array.from(found as ArrayLike<unknown>)
        : [];
    if ((length ?? items.length) === items.length && items.every((item) => typeof item === type))
      if (items.length > 0) return items as Item[];
    const expected = `tokenizer.ggml.${key} with a ${type} for each token; download it again`;
    throw bad(file, expected, found === undefined ? "none" : `${items.length} of them`);
  };
  const flag = (key: string, otherwise: boolean): boolean => {
    const value = get(key) ?? otherwise;
    if (typeof value === "boolean") return value;
    throw bad(file, `true or false as tokenizer.ggml.${key}; download it again`, kindOf(value));
  };
  const kind = String(get("model"));
  const pre = get("pre") === undefined ? "default" : String(get("pre"));
  const isGemma = String(metadata.get("general.architecture")).startsWith("gemma");
  const texts = list<string>("tokens", "string");
  const numbersOf = (key: string): number[] =>
    get(key) === undefined ? [] : list<number>(key, "number", texts.length);
  const [scores, types] = [numbersOf("scores"), numbersOf("token_type")];
  let extra = 100;
  const respell = (text: string): string => {
    if (kind === "bert" && !/^\[.*\]$/.test(text))
      return /^▁./u.test(text) ? text.slice(1) : `##${text}`;
    // Gemma's spaces are replaced before the text is split into pieces.
    if (isGemma && /^ +$/.test(text)) return "▁".repeat(text.length);
    return kind === "t5" && extra > 0 && /^\[PAD\d+\]$/.test(text) ? `<extra_id_${--extra}>` : text;
  };
  const pieces = texts.map((text, at): Piece => {
    const type = types[at] ?? 1;
    // Gemma's predefined runs of spaces and line breaks are merged before all other pieces.
    const gemmaScore = type === 4 ? 1 : -at;
    return { text: respell(text), score: isGemma ? gemmaScore : (scores[at] ?? 0), type };
  });
  const ids = numbered(pieces.map(({ text }) => text));
  const nameOf = (key: string): string | undefined =>
    pieces[Number(get(`${key}_token_id`) ?? -1)]?.text;
  const [bos, eos, unk] = [nameOf("bos"), nameOf("eos"), nameOf("unknown")];
  const names = {
    bos,
    eos,
    unk,
    cls: nameOf("cls") ?? bos ?? "[CLS]",
    sep: nameOf("seperator") ?? eos ?? "[SEP]",
  };
  const words = wordsOf(pre);
  const parts = (): Parts => {
    if (kind === "bert") {
      const do_lower_case = flag("normalizer.lowercase", true);
      const strip_accents = flag("normalizer.strip_accents", do_lower_case);
      return wordPiece(ids, unk ?? "[UNK]", { do_lower_case, strip_accents }).parts;
    }
    if (kind === "gpt2") {
      if (words !== undefined) return byteLevel(file, ids, list("merges", "string"), words).parts;
      throw bad(file, `a tokenizer.ggml.pre that is known here; ${remedy}`, pre);
    }
    const isUnigram = kind === "t5";
    const expected = `llama, gpt2, bert or t5 as tokenizer.ggml.model; ${remedy}`;
    if (!isUnigram && kind !== "llama") throw bad(file, expected, kind);
    const charsmap = "precompiled_charsmap";
    const table = get(charsmap) === undefined ? [] : list<number>(charsmap, "number");
    const cutting = {
      kind: isUnigram ? ("Unigram" as const) : ("BPE" as const),
      charsmap: Uint8Array.from(table),
      addsPrefix: flag("add_space_prefix", !isGemma),
      mergesSpaces: isUnigram && flag("remove_extra_whitespaces", true),
    };
    const merges = get("merges") === undefined ? undefined : list<string>("merges", "string");
    const cuts = cut(cutting, pieces, ids.get(unk ?? "<unk>") ?? 0, merges);
    return isUnigram ? cuts : { ...cuts, ...marks(cutting.addsPrefix) };
  };
  const isBegun = kind === "llama" || (kind === "gpt2" && words?.addsBos === true);
  const addsBos = flag("add_bos_token", bos !== undefined && isBegun);
  const addsEos = flag("add_eos_token", eos !== undefined && kind === "t5");
  const template = kind === "bert" ? TYPED : around(addsBos, addsEos);
  return compose({ file, ids, parts: parts(), names, template, added: marked(pieces) });
}
