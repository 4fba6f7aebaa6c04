/**
 * Components that tokenizer classes of transformers 5.24 build, in the form of a tokenizer.json:
 * normalizers, pre-tokenizers, decoders and the tokens around texts.
 */

import { isRecord } from "../../data/shape.js";
import { refuse } from "../errors.js";
import type { Settings } from "./special-tokens.js";

export type Component = Readonly<Record<string, unknown>> | null;

/** The result of a class: components, and the fields of the model besides vocabulary and merges. */
export interface Rebuilt {
  model: Settings;
  normalizer?: Component;
  pre_tokenizer: Component;
  decoder: Component;
}

/** The input of a class, with its special tokens. */
export interface Given {
  settings: Settings;
  /** The content of tokenizer.json. */
  file: Settings;
  /**
   * The text of a special token by name; "None", as in Python, if the settings remove the token.
   */
  text: (name: string) => string;
  /** Whether a special token of a name exists. */
  has: (name: string) => boolean;
  /** The id of a token or a piece. */
  id: (content: string) => number | undefined;
}

/** A setting as a flag; `otherwise`, the class's default, if it is absent or null. */
export const flag = (settings: Settings, name: string, otherwise: boolean): boolean =>
  Boolean(settings[name] ?? otherwise);

export const sequence = (list: string, parts: readonly Component[]): Component => ({
  type: "Sequence",
  [list]: parts,
});
export const replace = (text: string, content: string): Component => ({
  type: "Replace",
  pattern: { String: text },
  content,
});
export const replaceAll = (Regex: string, content: string): Component => ({
  type: "Replace",
  pattern: { Regex },
  content,
});
export const metaspace = (prepend_scheme: string, split = true): Component => ({
  type: "Metaspace",
  replacement: "▁",
  prepend_scheme,
  split,
});
const spaced = (scheme: string): Component =>
  sequence("pretokenizers", [{ type: "WhitespaceSplit" }, metaspace(scheme)]);

/** The places of a template: `A`, `B` or the name of a token, followed by `:1` for type 1. */
type Places = string;

/** A token of a template: its text and its id. */
export type End = readonly [content: string, id: number | undefined];

/**
 * The post-processor with the tokens that a class adds around one text and around a pair.
 * @param tokens texts and ids by names
 * @throws load/bad-tokenizer for a token without an id
 */
export function template(
  tokens: Readonly<Record<string, End>>,
  single: Places,
  pair: Places,
): Component {
  const place = (item: string): object => {
    const [part = "", type = "0"] = item.split(":");
    const type_id = Number(type);
    const [content] = tokens[part] ?? [];
    return content === undefined
      ? { Sequence: { id: part, type_id } }
      : { SpecialToken: { id: content, type_id } };
  };
  const special_tokens = Object.fromEntries(
    Object.values(tokens).map(([content, id]) => {
      if (id === undefined) throw withoutEnd(content);
      return [content, { id: content, ids: [id], tokens: [content] }];
    }),
  );
  const [one, two] = [single, pair].map((places) => places.split(" ").map(place));
  return { type: "TemplateProcessing", single: one, pair: two, special_tokens };
}

/** The error of a token around texts for which the model has no embedding. */
export function withoutEnd(content: string): Error {
  const remedy = "save the tokenizer again with tokenizer.save_pretrained";
  const expected = `the token ${content}, which this model's texts need; ${remedy}`;
  return refuse("load/bad-tokenizer", "tokenizer.json", expected, "none");
}

export const end = ({ text, id }: Given, name: string, otherwise?: number): End => [
  text(name),
  id(text(name)) ?? otherwise,
];

/** BERT's tokens around texts, with type 1 for the second text. */
export function typed(given: Given, [first, last]: readonly number[] = []): Component {
  const tokens = { cls: end(given, "cls_token", first), sep: end(given, "sep_token", last) };
  return template(tokens, "cls A sep", "cls A sep B:1 sep:1");
}

/** A start token, and texts with an end token each, two of them between the texts. */
export function doubled(given: Given, first = "bos_token", last = "eos_token"): Component {
  const tokens = { bos: end(given, first), eos: end(given, last) };
  return template(tokens, "bos A eos", "bos A eos eos B eos");
}

/**
 * The token of the source language in mBART and its relatives; the unknown token if there is none.
 */
export function language({ settings, text, id }: Given, otherwise: string, isNamed = false): End {
  const content = typeof settings.src_lang === "string" ? settings.src_lang : otherwise;
  const found = id(content);
  if (found !== undefined) return [content, found];
  const unknown = text("unk_token");
  return [isNamed ? content : unknown, id(unknown)];
}

/** RoBERTa's own post-processor, with the places of `doubled`. */
export function asRoberta(
  given: Given,
  trim_offsets: boolean,
  add_prefix_space: boolean,
  [last, first]: readonly number[] = [],
): Component {
  const [sep, cls] = [end(given, "sep_token", last), end(given, "cls_token", first)];
  for (const [content, id] of [sep, cls]) if (id === undefined) throw withoutEnd(content);
  return { type: "RobertaProcessing", sep, cls, trim_offsets, add_prefix_space };
}

/** The index of the unknown token in a list of pieces, whose score must be 0 if `isZero`. */
export function unknownIn({ file, text }: Given, otherwise: number, isZero: boolean): number {
  const { model } = file;
  const vocab = isRecord(model) && Array.isArray(model.vocab) ? (model.vocab as unknown[]) : [];
  const content = text("unk_token");
  const at = vocab.findIndex((piece) => {
    return Array.isArray(piece) && piece[0] === content && (!isZero || piece[1] === 0);
  });
  return at < 0 ? otherwise : at;
}

export const BYTE_BPE: Settings = {
  unk_token: null,
  continuing_subword_prefix: "",
  end_of_word_suffix: "",
  fuse_unk: false,
  byte_fallback: false,
  ignore_merges: false,
};

/** The settings of a BPE of characters, with bytes for unknown ones. */
export const CHARACTER_BPE: Settings = {
  unk_token: null,
  continuing_subword_prefix: null,
  end_of_word_suffix: null,
  fuse_unk: true,
  byte_fallback: true,
  ignore_merges: false,
};

export function byteLevel({ settings }: Given, normalizer: Component = null): Rebuilt {
  const prefix = { add_prefix_space: flag(settings, "add_prefix_space", false) };
  const bytes = { type: "ByteLevel", trim_offsets: true, use_regex: true };
  return {
    model: BYTE_BPE,
    normalizer,
    pre_tokenizer: { ...bytes, ...prefix },
    decoder: { ...bytes, add_prefix_space: true },
  };
}

export function wordPiece({ settings, text }: Given): Rebuilt {
  return {
    model: {
      unk_token: text("unk_token"),
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
    },
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: flag(settings, "tokenize_chinese_chars", true),
      strip_accents: settings.strip_accents ?? null,
      lowercase: flag(settings, "do_lower_case", true),
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
  };
}

export const QWEN =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/** The character table among the normalizers of a file. */
export function charsmapOf({ file }: Given): Component[] {
  const { normalizer } = file;
  const parts = isRecord(normalizer) ? (normalizer.normalizers ?? [normalizer]) : [];
  const found = (Array.isArray(parts) ? parts : []).find(
    (part) => isRecord(part) && part.type === "Precompiled",
  ) as Component | undefined;
  return found === undefined ? [] : [found];
}

export function unigram(scheme: string, unk_id: number, given: Given): Rebuilt {
  return {
    model: { unk_id, byte_fallback: false },
    normalizer: charsmapOf(given)[0] ?? null,
    pre_tokenizer: spaced(scheme),
    decoder: metaspace(scheme),
  };
}

/**
 * The components of NLLB, XGLM and mBART-50: the character table, runs of spaces as one, space
 * marks.
 */
export function oneSpace(scheme: string, given: Given): Omit<Rebuilt, "model"> {
  return {
    normalizer: sequence("normalizers", [...charsmapOf(given), replaceAll(" {2,}", " ")]),
    pre_tokenizer: metaspace(scheme),
    decoder: metaspace(scheme),
  };
}

/** Normalizers that turn white space into single spaces, compose characters and strip the end. */
export const TIDY: readonly Component[] = [
  replaceAll("\\s{2,}|[\\n\\r\\t]", " "),
  { type: "NFC" },
  { type: "Strip", strip_left: false, strip_right: true },
];

export const prefixed = ({ settings }: Given): string =>
  flag(settings, "add_prefix_space", true) ? "always" : "never";

const SPACES = replace("▁", " ");
export const AS_BYTES: readonly Component[] = [SPACES, { type: "ByteFallback" }, { type: "Fuse" }];
export const NO_FIRST_SPACE: Component = { type: "Strip", content: " ", start: 1, stop: 0 };
