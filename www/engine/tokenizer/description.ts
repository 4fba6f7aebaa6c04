import { fit, isRecord, jsonIn, Misfit, orNull, rule, type Shape } from "../../data/shape.js";
import { refuse } from "../errors.js";
import type { Spelling } from "./readable.js";

/** The parts of a tokenizer.json that are read here; the library reads the rest. */
export interface Description {
  normalizer: Component | null;
  pre_tokenizer: Component | null;
  decoder: Component | null;
  model: { type?: string; continuing_subword_prefix?: string; end_of_word_suffix?: string | null };
  /** Ids of pieces that no text is cut into: of Marian's target language. Headscope's own field. */
  unread?: Record<string, number>;
}

/** A normalizer, pre-tokenizer or decoder; a sequence of them names its parts by their kind. */
export interface Component {
  type: string;
  normalizers?: Component[];
  pretokenizers?: Component[];
  decoders?: Component[];
  replacement?: string;
  lowercase?: boolean | null;
  handle_chinese_chars?: boolean | null;
  individual_digits?: boolean | null;
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

export function parseDescription(json: string): Description {
  const parsed = jsonIn(json);
  if (!isRecord(parsed) || !("model" in parsed)) {
    const expected = "a Hugging Face tokenizer.json, a JSON object with a `model`";
    throw refuse("load/bad-tokenizer", "tokenizer.json", expected, "something else");
  }
  const fitted = fit(parsed, TOKENIZER);
  if (fitted instanceof Misfit) {
    const expected = `${fitted.expected} as \`${fitted.path.slice(1)}\``;
    throw refuse("tokenizer/bad-field", "tokenizer.json", expected, fitted.got);
  }
  // The shape is that of the type.
  return parsed as unknown as Description;
}

export function spellingOf({ normalizer, pre_tokenizer, decoder, model }: Description): Spelling {
  const components = [...flatten(pre_tokenizer), ...flatten(decoder)];
  const spelling = { bytes: false, space: "", prefix: "", suffix: "" };
  if (components.some(({ type }) => type === "ByteLevel"))
    return { ...spelling, bytes: true, space: "Ġ" };
  const metaspace = components.find(({ type }) => type === "Metaspace");
  if (metaspace !== undefined) return { ...spelling, space: metaspace.replacement ?? "▁" };
  // Others put the sign in place of a space before the text is cut, and a space in its place afterwards.
  const mark =
    flatten(decoder).find(({ content }) => content === " ")?.pattern?.String ??
    flatten(normalizer).find(({ pattern }) => pattern?.String === " ")?.content;
  if (mark) return { ...spelling, space: mark };
  return model.type === "WordPiece"
    ? { ...spelling, prefix: model.continuing_subword_prefix ?? "##" }
    : { ...spelling, suffix: model.end_of_word_suffix ?? "" };
}

function flatten(component: Component | null): Component[] {
  if (component === null) return [];
  return [
    component,
    ...(component.normalizers ?? []).flatMap(flatten),
    ...(component.pretokenizers ?? []).flatMap(flatten),
    ...(component.decoders ?? []).flatMap(flatten),
  ];
}

// ASCII symbols count as punctuation too.
const PUNCTUATION = "\\p{P}\\u0021-\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u007E";
const FURTHER_HAN = "[\\u{20000}-\\u{2CEAF}\\u{2F800}-\\u{2FA1F}]";
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
 * what stands beside a sigma), Han beyond 16 bits, numbers other than ASCII's, and white space: JavaScript counts U+FEFF and not U+0085, Unicode and
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
  const sigma: Component = { type: "Replace", pattern: { String: "Σ" }, content: "σ" };
  const han: Component = { type: "Replace", pattern: { Regex: FURTHER_HAN }, content: " $& " };
  const first = [
    ...(type === "Lowercase" || lowercase === true ? [sigma] : []),
    ...(component.handle_chinese_chars === true ? [han] : []),
  ];
  return first.length === 0 ? component : { type: "Sequence", normalizers: [...first, component] };
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
  if (type === "Digits")
    return isolate(component.individual_digits === true ? "\\p{N}" : "\\p{N}+");
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

/** Fields of one shape by their names. */
const fields = (shape: Shape, names: string): Record<string, Shape> =>
  Object.fromEntries(names.split(" ").map((name) => [name, shape]));

const COMPONENT = {
  type: "text",
  ...fields("flag?", "clean_text handle_chinese_chars strip_accents lowercase strip_left"),
  ...fields("flag?", "strip_right add_prefix_space use_regex split invert cleanup"),
  ...fields("flag?", "individual_digits"),
  ...fields("text?", "content replacement str_rep prepend_scheme behavior prefix suffix"),
  ...fields("text?", "pad_token word_delimiter_token precompiled_charsmap"),
  ...fields("count?", "start stop"),
} satisfies Shape;

const pattern = (value: unknown): Shape =>
  isRecord(value) && "Regex" in value ? { Regex: "text" } : { String: "text" };
const template = (...texts: string[]): Shape => [
  (value) => {
    const id = rule(texts.join(" or "), (given) => texts.some((text) => text === given));
    return isRecord(value) && "SpecialToken" in value
      ? { SpecialToken: { id: "text", type_id: "count?" } }
      : { Sequence: { id, type_id: "count?" } };
  },
];
const end: Shape = ["text", "count"];

/** The fields that components of some kinds must have; the library refuses a kind that it does not know. */
const NEEDED: Readonly<Record<string, Record<string, Shape>>> = {
  Split: { pattern },
  Replace: { pattern },
  Prepend: { prepend: "text" },
  FixedLength: { length: "length" },
  TemplateProcessing: { single: template("A"), pair: template("A", "B") },
  BertProcessing: { sep: end, cls: end },
  RobertaProcessing: { sep: end, cls: end },
};

/** A normalizer, pre-tokenizer, post-processor or decoder: a field that several kinds have is of one type in all of them. */
const component =
  (list: string) =>
  (value: unknown): Shape => {
    const type = isRecord(value) ? String(value.type) : "";
    return {
      ...COMPONENT,
      ...(Object.hasOwn(NEEDED, type) && NEEDED[type]),
      ...(type === "Sequence" && { [list]: [component(list)] }),
    };
  };

/** Of a type that it does not know, or of none, the library takes a model by what the model holds. */
const model = (value: unknown): Shape => {
  const { type, vocab, merges: pairs }: Record<string, unknown> = isRecord(value) ? value : {};
  const isKnown = type === "BPE" || type === "WordPiece" || type === "Unigram";
  const hasScores = isKnown ? type === "Unigram" : Array.isArray(vocab);
  const vocabulary: Shape = hasScores ? [["text", "number"]] : { "*": "count" };
  // `a b` or `["a", "b"]`.
  const merges: Shape =
    Array.isArray(pairs) && Array.isArray(pairs[0]) ? [["text", "text"]] : ["text"];
  const pieceNeeded = type === "WordPiece" ? "text" : "text?";
  return {
    ...fields("text?", "type continuing_subword_suffix end_of_word_suffix"),
    ...fields("flag?", "fuse_unk byte_fallback ignore_merges"),
    ...fields("count?", "unk_id max_input_chars_per_word"),
    vocab: isKnown ? vocabulary : orNull(vocabulary),
    merges: type === "BPE" ? merges : orNull(merges),
    unk_token: pieceNeeded,
    continuing_subword_prefix: pieceNeeded,
  };
};

const TOKENIZER: Shape = {
  added_tokens: [
    {
      id: "count",
      content: "text",
      ...fields("flag?", "single_word lstrip rstrip normalized special"),
    },
  ],
  normalizer: orNull(component("normalizers")),
  pre_tokenizer: orNull(component("pretokenizers")),
  post_processor: orNull(component("processors")),
  decoder: orNull(component("decoders")),
  model,
  unread: orNull({ "*": "count" }),
};
