type Kind = keyof typeof KINDS;

/**
 * What a value must be: a kind by name, with `?` where it may be null or left out; a list of one shape, or a pair of two; an object by its fields, where `*` stands
 * for all of them; or the shape that a function takes from the value.
 */
type Shape =
  | Kind
  | `${Kind}?`
  | readonly [Shape]
  | readonly [Shape, Shape]
  | { readonly [field: string]: Shape }
  | ((value: unknown) => Shape);

/** Each with what it is called in a sentence. */
const KINDS = {
  any: ["anything", () => true],
  text: ["a string", (value) => typeof value === "string"],
  flag: ["true or false", (value) => typeof value === "boolean"],
  number: ["a number", (value) => typeof value === "number"],
  id: ["an integer from 0", (value) => Number.isInteger(value) && Number(value) >= 0],
  length: ["an integer from 1", (value) => Number.isInteger(value) && Number(value) >= 1],
} satisfies Record<string, [expected: string, fits: (value: unknown) => boolean]>;

export interface Mismatch {
  /** Where in the value, such as `.post_processor.single[0]`; empty for the value itself. */
  path: string;
  expected: string;
  got: unknown;
}

/** The first place where a value has another shape. */
export function mismatch(value: unknown, shape: Shape): Mismatch | null {
  if (typeof shape === "function") return mismatch(value, shape(value));
  if (typeof shape === "string") {
    const isOptional = shape.endsWith("?");
    if (isOptional && isNothing(value)) return null;
    const [expected, fits] = KINDS[(isOptional ? shape.slice(0, -1) : shape) as Kind];
    return fits(value) ? null : { path: "", expected, got: value };
  }
  const isList = Array.isArray(shape);
  if (!isObject(value) || Array.isArray(value) !== isList)
    return { path: "", expected: isList ? "a list" : "an object", got: value };
  const shapes = shape as Readonly<Record<string, Shape>>;
  const each = isList && shape.length === 1 ? shapes[0] : shapes["*"];
  // Vocabularies have 100,000s of values: no list of them is made.
  for (const field in each === undefined ? shapes : value) {
    const found = mismatch(value[field], each ?? shapes[field] ?? "any");
    if (found) return { ...found, path: `${isList ? `[${field}]` : `.${field}`}${found.path}` };
  }
  return null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const isNothing = (value: unknown): boolean => value === null || value === undefined;

const optional =
  (shape: Shape) =>
  (value: unknown): Shape =>
    isNothing(value) ? "any" : shape;

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
export const TOKENIZER: Shape = {
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
