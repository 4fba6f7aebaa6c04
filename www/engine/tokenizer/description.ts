/**
 * The parts of a tokenizer.json that are read in JavaScript: its shape, the spelling of its pieces,
 * its unknown token. The library reads the rest.
 */

import { fit, isRecord, jsonIn, Misfit, orNull, rule, type Shape } from "../../data/shape.js";
import { refuse } from "../errors.js";
import type { Spelling } from "./readable.js";

export interface Description {
  added_tokens?: readonly { id: number; content: string; special?: boolean }[] | null;
  normalizer?: Component | null;
  pre_tokenizer?: Component | null;
  post_processor?: Partial<Record<"single" | "pair", readonly Place[]>> | null;
  decoder?: Component | null;
  model: {
    type?: string;
    vocab?: Readonly<Record<string, number>> | readonly (readonly [string, number])[] | null;
    merges?: readonly (string | readonly [string, string])[] | null;
    unk_token?: string | null;
    unk_id?: number | null;
    fuse_unk?: boolean | null;
    continuing_subword_prefix?: string;
    max_input_chars_per_word?: number;
    end_of_word_suffix?: string | null;
  };
  /**
   * Ids of pieces that no text is split into: of Marian's target language. Headscope's own field.
   */
  unread?: Record<string, number>;
}

/** A place of a template: a text, or a special token. */
interface Place {
  Sequence?: { id: string; type_id?: number };
  SpecialToken?: { id: string; type_id?: number };
}

/** A normalizer, pre-tokenizer or decoder; a sequence has its parts in a field by their kind. */
export interface Component {
  type: string;
  normalizers?: Component[];
  pretokenizers?: Component[];
  decoders?: Component[];
  replacement?: string;
  pattern?: { Regex?: string; String?: string };
  content?: string;
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
  // `fit` has checked that the value has the type's shape.
  return parsed as unknown as Description;
}

export function spellingOf({ normalizer, pre_tokenizer, decoder, model }: Description): Spelling {
  const components = [...flatten(pre_tokenizer), ...flatten(decoder)];
  const spelling = { bytes: false, space: "", prefix: "", suffix: "" };
  if (components.some(({ type }) => type === "ByteLevel"))
    return { ...spelling, bytes: true, space: "Ġ" };
  const metaspace = components.find(({ type }) => type === "Metaspace");
  if (metaspace !== undefined) return { ...spelling, space: metaspace.replacement ?? "▁" };
  // Others put the sign in place of a space before the text is cut, and a space in its place
  // afterwards.
  const mark =
    flatten(decoder).find(({ content }) => content === " ")?.pattern?.String ??
    flatten(normalizer).find(({ pattern }) => pattern?.String === " ")?.content;
  if (mark) return { ...spelling, space: mark };
  return model.type === "WordPiece"
    ? { ...spelling, prefix: model.continuing_subword_prefix ?? "##" }
    : { ...spelling, suffix: model.end_of_word_suffix ?? "" };
}

function flatten(component?: Component | null): Component[] {
  if (!component) return [];
  return [
    component,
    ...(component.normalizers ?? []).flatMap(flatten),
    ...(component.pretokenizers ?? []).flatMap(flatten),
    ...(component.decoders ?? []).flatMap(flatten),
  ];
}

/** Shapes of several fields with the same shape. */
const fields = (shape: Shape, names: readonly string[]): Record<string, Shape> =>
  Object.fromEntries(names.map((name) => [name, shape]));

const COMPONENT = {
  type: "text",
  ...fields("flag?", [
    "clean_text",
    "handle_chinese_chars",
    "strip_accents",
    "lowercase",
    "strip_left",
  ]),
  ...fields("flag?", [
    "strip_right",
    "add_prefix_space",
    "use_regex",
    "split",
    "invert",
    "cleanup",
  ]),
  ...fields("flag?", ["individual_digits"]),
  ...fields("text?", [
    "content",
    "replacement",
    "str_rep",
    "prepend_scheme",
    "behavior",
    "prefix",
    "suffix",
  ]),
  ...fields("text?", ["pad_token", "word_delimiter_token", "precompiled_charsmap"]),
  ...fields("count?", ["start", "stop"]),
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

/** The names of the special tokens in the places of a template. */
function namesIn(places: unknown): string[] {
  const all = (Array.isArray(places) ? (places as unknown[]) : []).map((place) => {
    const token = isRecord(place) ? place.SpecialToken : undefined;
    return isRecord(token) ? token.id : undefined;
  });
  return all.filter((id) => typeof id === "string");
}

/** The shape of a special token of a template: as many pieces as ids. */
const special = (value: unknown): Shape => {
  const { ids }: Record<string, unknown> = isRecord(value) ? value : {};
  const count = Array.isArray(ids) ? ids.length : 0;
  const pieces = (given: unknown): Shape => {
    const isFit = !Array.isArray(given) || given.length === count;
    return isFit ? ["text"] : new Misfit(`a piece for each of the ${count} \`ids\``, given);
  };
  return { id: "text", ids: ["count"], tokens: pieces };
};

/**
 * The shape of a template with the special tokens that it names; the library would fail at a text
 * if one of them was missing.
 */
const templates = (value: unknown): Record<string, Shape> => {
  const { single, pair }: Record<string, unknown> = isRecord(value) ? value : {};
  const names = [...namesIn(single), ...namesIn(pair)];
  const tokens = (given: unknown): Shape => {
    const absent = names.find((name) => isRecord(given) && !Object.hasOwn(given, name));
    if (absent === undefined) return { "*": special };
    return new Misfit(`the token ${absent}, which the template names,`, given, "none of that name");
  };
  return { single: template("A"), pair: template("A", "B"), special_tokens: tokens };
};

/** The required fields of some kinds of component; the library refuses an unknown kind. */
const NEEDED: Readonly<Record<string, Record<string, Shape>>> = {
  Split: { pattern },
  Replace: { pattern },
  Prepend: { prepend: "text" },
  FixedLength: { length: "length" },
  BertProcessing: { sep: end, cls: end },
  RobertaProcessing: { sep: end, cls: end },
};

/**
 * The shape of a normalizer, pre-tokenizer, post-processor or decoder: a field that several kinds
 * share has one type in all of them.
 */
const component =
  (list: string) =>
  (value: unknown): Shape => {
    const type = isRecord(value) && typeof value.type === "string" ? value.type : "";
    return {
      ...COMPONENT,
      ...(Object.hasOwn(NEEDED, type) && NEEDED[type]),
      ...(type === "TemplateProcessing" && templates(value)),
      ...(type === "Sequence" && { [list]: [component(list)] }),
    };
  };

/** The shape of a model; without a type, the library decides by the fields. */
const model = (value: unknown): Shape => {
  const { type, vocab, merges: pairs }: Record<string, unknown> = isRecord(value) ? value : {};
  const isKnown = type === "BPE" || type === "WordPiece" || type === "Unigram";
  const hasScores = isKnown ? type === "Unigram" : Array.isArray(vocab);
  const vocabulary: Shape = hasScores ? [["text", "number"]] : { "*": "count" };
  // A merge is `a b` or `["a", "b"]`.
  const merges: Shape =
    Array.isArray(pairs) && Array.isArray(pairs[0]) ? [["text", "text"]] : ["text"];
  const pieceNeeded = type === "WordPiece" ? "text" : "text?";
  return {
    ...fields("text?", ["type", "continuing_subword_suffix", "end_of_word_suffix"]),
    ...fields("flag?", ["fuse_unk", "byte_fallback", "ignore_merges"]),
    ...fields("count?", ["unk_id", "max_input_chars_per_word"]),
    dropout: rule("null or 0, without which ids are drawn at random", (value) => !value),
    vocab: isKnown ? vocabulary : orNull(vocabulary),
    merges: type === "BPE" ? merges : orNull(merges),
    unk_token: pieceNeeded,
    continuing_subword_prefix: pieceNeeded,
  };
};

const TOKENIZER: Shape = {
  added_tokens: orNull([
    {
      id: "count",
      content: "text",
      ...fields("flag?", ["single_word", "lstrip", "rstrip", "normalized", "special"]),
    },
  ]),
  normalizer: orNull(component("normalizers")),
  pre_tokenizer: orNull(component("pretokenizers")),
  post_processor: orNull(component("processors")),
  decoder: orNull(component("decoders")),
  model,
  unread: orNull({ "*": "count" }),
};
