import { refuse } from "../errors.js";
import { isObject, mismatch, optional, type Shape } from "../shape.js";
import type { Spelling } from "./readable.js";

/** The parts of a tokenizer.json that are read here; the library reads the rest. */
export interface Description {
  normalizer: Component | null;
  pre_tokenizer: Component | null;
  decoder: Component | null;
  model: { type?: string; continuing_subword_prefix?: string; end_of_word_suffix?: string | null };
}

/** A normalizer, pre-tokenizer or decoder; a sequence of them names its parts by their kind. */
export interface Component {
  type: string;
  normalizers?: Component[];
  pretokenizers?: Component[];
  decoders?: Component[];
  replacement?: string;
  lowercase?: boolean | null;
  add_prefix_space?: boolean | null;
  use_regex?: boolean | null;
  split?: boolean;
  behavior?: string;
  pattern?: { Regex?: string; String?: string };
  content?: string;
  invert?: boolean;
  strip_left?: boolean;
  strip_right?: boolean;
}

/** Reads the file's text, or says what is wrong with it. */
export function parseDescription(json: string): Description {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    parsed = null;
  }
  if (!isObject(parsed) || !("model" in parsed)) {
    const expected = "a Hugging Face tokenizer.json, a JSON object with a `model`";
    throw refuse("load/bad-tokenizer", "tokenizer.json", expected, "something else");
  }
  const wrong = mismatch(parsed, TOKENIZER);
  if (wrong) {
    const expected = `${wrong.expected} as \`${wrong.path.slice(1)}\``;
    throw refuse("tokenizer/bad-field", "tokenizer.json", expected, wrong.got);
  }
  // The shape is that of the type.
  return parsed as unknown as Description;
}

/** How this tokenizer spells its pieces. */
export function spellingOf({ pre_tokenizer, decoder, model }: Description): Spelling {
  const components = [...flatten(pre_tokenizer), ...flatten(decoder)];
  if (components.some(({ type }) => type === "ByteLevel")) return { kind: "byte-level" };
  const metaspace = components.find(({ type }) => type === "Metaspace");
  if (metaspace !== undefined)
    return { kind: "metaspace", replacement: metaspace.replacement ?? "▁" };
  if (model.type === "WordPiece")
    return { kind: "word-piece", prefix: model.continuing_subword_prefix ?? "##" };
  return { kind: "plain", suffix: model.end_of_word_suffix ?? "" };
}

function flatten(component: Component | null): Component[] {
  if (component === null) return [];
  return [
    component,
    ...[...(component.pretokenizers ?? []), ...(component.decoders ?? [])].flatMap(flatten),
  ];
}

// ASCII symbols count as punctuation too.
const PUNCTUATION = "\\p{P}\\u0021-\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u007E";
// Rust's `\w`.
const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";
/** What a word is to these pre-tokenizers. */
const WORDS: Readonly<Record<string, string>> = {
  BertPreTokenizer: `[^\\s${PUNCTUATION}]+|[${PUNCTUATION}]`,
  Whitespace: `[${WORD}]+|[^\\s${WORD}]+`,
  WhitespaceSplit: "\\S+",
  ByteLevel: "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
};

/**
 * Spells out, in components that the library has, those in which it differs from Hugging Face's
 * tokenizers: cutting at Metaspace, punctuation marks one by one, lowercase (JavaScript's depends on
 * what stands beside a sigma), and white space: JavaScript counts U+FEFF and not U+0085, Unicode and
 * the patterns of a `Split` or a `Replace` the reverse.
 */
export function repair(description: Description): Description {
  return {
    ...description,
    normalizer: description.normalizer && repairNormalizer(description.normalizer),
    pre_tokenizer: description.pre_tokenizer && repairPreTokenizer(description.pre_tokenizer),
  };
}

function repairNormalizer(component: Component): Component {
  const { type, normalizers, strip_left, strip_right, lowercase } = component;
  if (type === "Sequence" && normalizers !== undefined)
    return { type, normalizers: normalizers.map(repairNormalizer) };
  if (type === "Strip") {
    const ends = [
      ...(strip_left === true ? ["\\A\\s+"] : []),
      ...(strip_right === true ? ["\\s+\\z"] : []),
    ];
    return {
      type: "Sequence",
      normalizers: ends.map((Regex) => ({ type: "Replace", pattern: { Regex }, content: "" })),
    };
  }
  if (type === "Lowercase" || lowercase === true) {
    const sigma: Component = { type: "Replace", pattern: { String: "Σ" }, content: "σ" };
    return { type: "Sequence", normalizers: [sigma, component] };
  }
  return component;
}

function repairPreTokenizer(component: Component): Component {
  const { type, pretokenizers, split, behavior, add_prefix_space, use_regex } = component;
  const replacement = component.replacement ?? "▁";
  if (type === "Sequence" && pretokenizers !== undefined)
    return { type, pretokenizers: pretokenizers.map(repairPreTokenizer) };
  if (type === "Metaspace" && split !== false)
    return {
      type: "Sequence",
      pretokenizers: [component, isolate(`${replacement}[^${replacement}]*`)],
    };
  if (type === "Punctuation" && (behavior ?? "Isolated") === "Isolated")
    return isolate(`[${PUNCTUATION}]`);
  const Regex = WORDS[type];
  if (Regex === undefined || use_regex === false) return component;
  const words: Component = { type: "Split", pattern: { Regex }, invert: true };
  if (type !== "ByteLevel") return words;
  const prefix: Component = { type: "Replace", pattern: { Regex: "\\A(?! )" }, content: " " };
  return {
    type: "Sequence",
    pretokenizers: [
      ...(add_prefix_space === true ? [prefix] : []),
      words,
      { type, use_regex: false },
    ],
  };
}

/** Each match is a word of its own, and so is what lies between two. */
function isolate(Regex: string): Component {
  return { type: "Split", pattern: { Regex }, behavior: "Isolated", invert: false };
}

/** A component by its `type`. The library refuses a type that it does not know. */
const oneOf =
  (types: () => Record<string, Shape>) =>
  (value: unknown): Shape => {
    const known = types();
    const type = isObject(value) ? value.type : null;
    return typeof type === "string" && Object.hasOwn(known, type)
      ? (known[type] ?? "any")
      : { type: "text" };
  };

/** What is tagged by its only field. */
const eitherOf =
  (first: string, second: string, shape: Shape) =>
  (value: unknown): Shape =>
    isObject(value) && first in value ? { [first]: shape } : { [second]: shape };

const PATTERN = eitherOf("Regex", "String", "text");
const REPLACE: Shape = { pattern: PATTERN, content: "text?" };

const normalizer = oneOf(() => ({
  Sequence: { normalizers: [normalizer] },
  BertNormalizer: {
    clean_text: "flag?",
    handle_chinese_chars: "flag?",
    strip_accents: "flag?",
    lowercase: "flag?",
  },
  Replace: REPLACE,
  Strip: { strip_left: "flag?", strip_right: "flag?" },
  Prepend: { prepend: "text" },
}));

const preTokenizer = oneOf(() => ({
  Sequence: { pretokenizers: [preTokenizer] },
  ByteLevel: { add_prefix_space: "flag?", use_regex: "flag?" },
  Metaspace: {
    replacement: "text?",
    str_rep: "text?",
    prepend_scheme: "text?",
    split: "flag?",
  },
  Split: { pattern: PATTERN, behavior: "text?", invert: "flag?" },
  Punctuation: { behavior: "text?" },
  Digits: { individual_digits: "flag?" },
  Replace: REPLACE,
  FixedLength: { length: "length" },
}));

const TEMPLATE: Shape = [eitherOf("SpecialToken", "Sequence", { id: "text", type_id: "id?" })];
const ENDS: Shape = { sep: ["text", "id"], cls: ["text", "id"] };

const postProcessor = oneOf(() => ({
  Sequence: { processors: [postProcessor] },
  TemplateProcessing: { single: TEMPLATE, pair: TEMPLATE },
  BertProcessing: ENDS,
  RobertaProcessing: ENDS,
}));

const decoder = oneOf(() => ({
  Sequence: { decoders: [decoder] },
  WordPiece: { prefix: "text?", cleanup: "flag?" },
  Metaspace: { replacement: "text?" },
  BPEDecoder: { suffix: "text?" },
  CTC: {
    pad_token: "text?",
    word_delimiter_token: "text?",
    cleanup: "flag?",
  },
  Replace: REPLACE,
  Strip: { content: "text?", start: "id?", stop: "id?" },
}));

/** `a b` or `["a", "b"]`. */
const merges = (value: unknown): Shape =>
  Array.isArray(value) && Array.isArray(value[0]) ? [["text", "text"]] : ["text"];

/** Of a type that it does not know, or of none, the library takes a model by what the model holds. */
const model = (value: unknown): Shape => {
  const { type, vocab }: Record<string, unknown> = isObject(value) ? value : {};
  const isKnown = type === "BPE" || type === "WordPiece" || type === "Unigram";
  const hasScores = isKnown ? type === "Unigram" : Array.isArray(vocab);
  const vocabulary: Shape = hasScores ? [["text", "number"]] : { "*": "id" };
  return {
    type: "text?",
    vocab: isKnown ? vocabulary : optional(vocabulary),
    merges: type === "BPE" ? merges : optional(merges),
    unk_token: type === "WordPiece" ? "text" : "text?",
    unk_id: "id?",
    continuing_subword_prefix: type === "WordPiece" ? "text" : "text?",
    continuing_subword_suffix: "text?",
    end_of_word_suffix: "text?",
    max_input_chars_per_word: "id?",
    fuse_unk: "flag?",
    byte_fallback: "flag?",
    ignore_merges: "flag?",
  };
};

/** The fields of a tokenizer.json that the library or Headscope reads. */
const TOKENIZER: Shape = {
  added_tokens: [
    {
      id: "id",
      content: "text",
      single_word: "flag?",
      lstrip: "flag?",
      rstrip: "flag?",
      normalized: "flag?",
      special: "flag?",
    },
  ],
  normalizer: optional(normalizer),
  pre_tokenizer: optional(preTokenizer),
  post_processor: optional(postProcessor),
  decoder: optional(decoder),
  model,
};
