/**
 * Tokenizer classes of transformers 5.24 that rebuild normalizer, pre-tokenizer and decoder from
 * the settings in tokenizer_config.json, many of them the post-processor too, and take the rest
 * from tokenizer.json. Source: `models/…/tokenization_….py`.
 */

import { isRecord, textIn } from "../../data/shape.js";
import {
  AS_BYTES,
  asRoberta,
  BYTE_BPE,
  byteLevel,
  CHARACTER_BPE,
  charsmapOf,
  type Component,
  doubled,
  type End,
  end,
  flag,
  type Given,
  language,
  metaspace,
  NO_FIRST_SPACE,
  oneSpace,
  prefixed,
  QWEN,
  type Rebuilt,
  replace,
  replaceAll,
  sequence,
  template,
  TIDY,
  typed,
  unigram,
  unknownIn,
  wordPiece,
} from "./components.js";
import { MBART, MBART_50, NLLB } from "./languages.js";
import type { Defaults, Settings } from "./special-tokens.js";

export interface TokenizerClass extends Defaults {
  /** The names of the class in settings, without the ending `Fast`. */
  names: readonly string[];
  /** The settings that the class reads, besides tokens. */
  reads?: readonly string[];
  /** The type of model that the class reads. */
  model: "BPE" | "WordPiece" | "Unigram";
  build: (given: Given) => Rebuilt;
  /** The post-processor of the class; absent if the file's is kept. */
  ends?: (given: Given) => Component;
}

/** Tokens by their names in settings, such as `unk_token`; null for a token that is absent. */
const named = (
  tokens: Readonly<Record<string, string | null>>,
): Readonly<Record<string, string | null>> =>
  Object.fromEntries(Object.entries(tokens).map(([part, content]) => [`${part}_token`, content]));
const OF_BERT = named({ unk: "[UNK]", sep: "[SEP]", pad: "[PAD]", cls: "[CLS]", mask: "[MASK]" });
const OF_LLAMA = named({ unk: "<unk>", bos: "<s>", eos: "</s>" });
const OF_ROBERTA = named({
  bos: "<s>",
  eos: "</s>",
  sep: "</s>",
  cls: "<s>",
  unk: "<unk>",
  pad: "<pad>",
  mask: "<mask>",
});
const OF_GPT2 = named({
  unk: "<|endoftext|>",
  bos: "<|endoftext|>",
  eos: "<|endoftext|>",
  pad: null,
});
/** Flags of the mask token, which includes the space before it. */
const STRIPS = { mask_token: { lstrip: true } };
/** Flags of the mask token and of all others, in a class that makes tokens of plain texts. */
const ALL_STRIP = Object.fromEntries(
  Object.keys(OF_ROBERTA).map((name) => [name, { lstrip: name === "mask_token" }]),
);

const MADE_UP = Array.from({ length: 7 }, (_, at) => `<madeupword${at}>`);
const INFILLING = named({
  prefix: "▁<PRE>",
  middle: "▁<MID>",
  suffix: "▁<SUF>",
  eot: "▁<EOT>",
  fill: "<FILL_ME>",
});

/** T5's sentinel tokens, unless the settings list some of them. */
function gaps(additional: readonly unknown[] | null, settings: Settings): readonly unknown[] {
  const count = typeof settings.extra_ids === "number" ? settings.extra_ids : 100;
  const all = Array.from({ length: Math.min(count, 100_000) }, (_, at) => `<extra_id_${at}>`);
  if (additional === null) return all;
  const isGap = (one: unknown): boolean => JSON.stringify(one).includes("<extra_id_");
  return additional.some(isGap) ? additional : [...additional, ...all];
}

export const CLASSES: readonly TokenizerClass[] = [
  {
    names: [
      "BertTokenizer",
      "DistilBertTokenizer",
      "ElectraTokenizer",
      "MobileBertTokenizer",
      "SqueezeBertTokenizer",
      "LxmertTokenizer",
      "ConvBertTokenizer",
    ],
    reads: ["do_lower_case", "strip_accents", "tokenize_chinese_chars"],
    model: "WordPiece",
    tokens: OF_BERT,
    build: wordPiece,
    ends: (given) => typed(given, [2, 3]),
  },
  {
    names: ["MPNetTokenizer"],
    reads: ["do_lower_case", "strip_accents", "tokenize_chinese_chars"],
    model: "WordPiece",
    tokens: { ...OF_ROBERTA, ...named({ unk: "[UNK]" }) },
    flags: ALL_STRIP,
    build: wordPiece,
    ends: (given) => asRoberta(given, true, false, [2, 0]),
  },
  {
    names: ["GPT2Tokenizer", "CodeGenTokenizer"],
    reads: ["add_prefix_space"],
    model: "BPE",
    tokens: OF_GPT2,
    build: (given) => byteLevel(given),
  },
  {
    names: [
      "RobertaTokenizer",
      "BartTokenizer",
      "LongformerTokenizer",
      "LEDTokenizer",
      "MvpTokenizer",
    ],
    reads: ["add_prefix_space", "trim_offsets"],
    model: "BPE",
    tokens: OF_ROBERTA,
    build: (given) => byteLevel(given),
    ends: (given) => {
      const trims = flag(given.settings, "trim_offsets", true);
      return asRoberta(given, trims, flag(given.settings, "add_prefix_space", false));
    },
  },
  {
    names: ["DebertaTokenizer"],
    reads: ["add_prefix_space"],
    model: "BPE",
    tokens: { ...OF_BERT, ...named({ bos: "[CLS]", eos: "[SEP]" }) },
    build: (given) => byteLevel(given),
    ends: (given) => doubled(given, "cls_token", "sep_token"),
  },
  {
    names: ["GPTNeoXTokenizer"],
    reads: ["add_prefix_space", "trim_offsets"],
    model: "BPE",
    tokens: { ...OF_GPT2, ...named({ pad: "<|padding|>" }) },
    build: (given) => {
      const { pre_tokenizer, ...others } = byteLevel(given, { type: "NFC" });
      const trim_offsets = flag(given.settings, "trim_offsets", true);
      return { ...others, pre_tokenizer: { ...pre_tokenizer, trim_offsets } };
    },
    // The class adds a start and an end token only on request, which a file does not make.
    ends: () => null,
  },
  {
    names: ["Qwen2Tokenizer"],
    reads: ["add_prefix_space"],
    model: "BPE",
    tokens: named({ unk: "<|endoftext|>", bos: null, eos: "<|endoftext|>", pad: "<|endoftext|>" }),
    resets: true,
    build: (given) => {
      const { pre_tokenizer, ...others } = byteLevel(given, { type: "NFC" });
      const words = {
        type: "Split",
        pattern: { Regex: QWEN },
        behavior: "Isolated",
        invert: false,
      };
      const bytes = { ...pre_tokenizer, use_regex: false };
      return { ...others, pre_tokenizer: sequence("pretokenizers", [words, bytes]) };
    },
  },
  {
    names: ["LlamaTokenizer"],
    reads: ["add_prefix_space", "legacy"],
    model: "BPE",
    tokens: OF_LLAMA,
    build: ({ settings }) => {
      const addsPrefix = flag(settings, "add_prefix_space", true);
      const first = flag(settings, "legacy", false) ? "always" : "first";
      return {
        model: CHARACTER_BPE,
        normalizer: null,
        pre_tokenizer: metaspace(addsPrefix ? first : "never", false),
        decoder: sequence("decoders", [...AS_BYTES, ...(addsPrefix ? [NO_FIRST_SPACE] : [])]),
      };
    },
  },
  {
    names: ["CodeLlamaTokenizer"],
    reads: ["add_prefix_space"],
    model: "BPE",
    tokens: { ...OF_LLAMA, ...INFILLING },
    further: (additional, settings) => {
      const own = Object.entries(INFILLING).map(([name, content]) => settings[name] ?? content);
      return [...(additional ?? []), ...own];
    },
    build: ({ settings, text }) => ({
      model: { ...CHARACTER_BPE, unk_token: text("unk_token") },
      normalizer: null,
      pre_tokenizer: metaspace(flag(settings, "add_prefix_space", true) ? "first" : "never", false),
      decoder: sequence("decoders", [...AS_BYTES, NO_FIRST_SPACE]),
    }),
    ends: (given) => {
      if (!given.has("bos_token")) return null;
      return template({ bos: end(given, "bos_token") }, "bos A", "bos A bos:1 B:1");
    },
  },
  {
    names: ["GemmaTokenizer"],
    model: "BPE",
    tokens: named({ unk: "<unk>", bos: "<bos>", eos: "<eos>", pad: "<pad>", mask: "<mask>" }),
    build: ({ text }) => ({
      model: { ...CHARACTER_BPE, unk_token: text("unk_token") },
      normalizer: replace(" ", "▁"),
      pre_tokenizer: {
        type: "Split",
        pattern: { String: " " },
        behavior: "MergedWithPrevious",
        invert: false,
      },
      decoder: sequence("decoders", AS_BYTES),
    }),
  },
  {
    names: ["HerbertTokenizer"],
    model: "BPE",
    tokens: named({ cls: "<s>", unk: "<unk>", pad: "<pad>", mask: "<mask>", sep: "</s>" }),
    build: ({ text }) => ({
      model: {
        ...BYTE_BPE,
        unk_token: text("unk_token"),
        continuing_subword_prefix: null,
        end_of_word_suffix: "</w>",
      },
      normalizer: {
        type: "BertNormalizer",
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: false,
        lowercase: false,
      },
      pre_tokenizer: { type: "BertPreTokenizer" },
      decoder: { type: "BPEDecoder", suffix: "</w>" },
    }),
    ends: ({ text }) => ({
      type: "BertProcessing",
      sep: [text("sep_token"), 2],
      cls: [text("cls_token"), 0],
    }),
  },
  {
    names: ["NllbTokenizer"],
    reads: ["legacy_behaviour", "src_lang"],
    model: "BPE",
    tokens: OF_ROBERTA,
    flags: { mask_token: { lstrip: true, normalized: true, special: true } },
    further: (given) => given ?? NLLB,
    furtherIsExtra: true,
    build: (given) => ({
      ...oneSpace("always", given),
      ...(charsmapOf(given).length === 0 && { normalizer: null }),
      model: {
        ...CHARACTER_BPE,
        unk_token: given.text("unk_token"),
        byte_fallback: false,
      },
    }),
    ends: (given) => {
      const tokens = {
        eos: end(given, "eos_token"),
        source: language(given, "eng_Latn", true),
      };
      return flag(given.settings, "legacy_behaviour", false)
        ? template(tokens, "A eos source", "A B eos source")
        : template(tokens, "source A eos", "source A B eos");
    },
  },
  {
    names: ["XLMRobertaTokenizer"],
    reads: ["add_prefix_space"],
    model: "Unigram",
    tokens: OF_ROBERTA,
    build: (given) => unigram(prefixed(given), 3, given),
    ends: (given) => doubled(given),
  },
  {
    names: ["CamembertTokenizer"],
    reads: ["add_prefix_space"],
    model: "Unigram",
    tokens: OF_ROBERTA,
    flags: { mask_token: { lstrip: true, special: true } },
    further: (additional) => additional ?? ["<s>NOTUSED", "</s>NOTUSED", "<unk>NOTUSED"],
    build: (given) => unigram(prefixed(given), unknownIn(given, 0, false), given),
    ends: (given) => doubled(given),
  },
  {
    names: ["BarthezTokenizer"],
    reads: ["add_prefix_space"],
    model: "Unigram",
    tokens: OF_ROBERTA,
    flags: STRIPS,
    build: (given) => {
      const cuts = metaspace(prefixed(given));
      return {
        model: { unk_id: 3, byte_fallback: false },
        normalizer: sequence("normalizers", TIDY),
        pre_tokenizer: cuts,
        decoder: cuts,
      };
    },
  },
  {
    names: ["MBartTokenizer"],
    reads: ["src_lang"],
    model: "Unigram",
    tokens: OF_ROBERTA,
    flags: STRIPS,
    further: (additional) => {
      return [...MBART, ...(additional ?? []).filter((one) => !MBART.includes(textIn(one)))];
    },
    build: (given) => ({ ...unigram("always", 3, given), normalizer: null }),
    ends: (given) => {
      const tokens = { eos: end(given, "eos_token"), source: language(given, "en_XX") };
      return template(tokens, "A eos source", "A B eos source");
    },
  },
  {
    names: ["MBart50Tokenizer"],
    reads: ["src_lang"],
    model: "Unigram",
    tokens: named({
      eos: "</s>",
      sep: "</s>",
      cls: "<s>",
      unk: "<unk>",
      pad: "<pad>",
      mask: "<mask>",
    }),
    flags: STRIPS,
    further: (additional) => [...(additional ?? []), ...MBART_50],
    build: (given) => ({
      ...oneSpace("always", given),
      model: { unk_id: 3, byte_fallback: false },
    }),
    ends: (given) => {
      const tokens = { eos: end(given, "eos_token"), source: language(given, "en_XX") };
      return template(tokens, "source A eos", "source A B eos");
    },
  },
  {
    names: ["XGLMTokenizer"],
    reads: ["add_prefix_space"],
    model: "Unigram",
    tokens: named({ bos: "<s>", eos: "</s>", sep: "</s>", cls: "<s>", unk: "<unk>", pad: "<pad>" }),
    further: (additional) => {
      const own = additional ?? [];
      return [...own, ...MADE_UP.filter((word) => !own.includes(word))];
    },
    build: (given) => ({
      ...oneSpace(prefixed(given), given),
      model: { unk_id: 3, byte_fallback: false },
    }),
    ends: (given) => {
      const tokens = { bos: end(given, "bos_token"), eos: end(given, "eos_token") };
      return template(tokens, "eos A", "eos A eos eos B");
    },
  },
  {
    names: ["BigBirdTokenizer"],
    reads: ["add_prefix_space"],
    model: "Unigram",
    tokens: { ...OF_BERT, ...named({ unk: "<unk>", bos: "<s>", eos: "</s>", pad: "<pad>" }) },
    flags: ALL_STRIP,
    build: (given) => {
      const cuts = metaspace(prefixed(given));
      return {
        model: { unk_id: unknownIn(given, 100, true), byte_fallback: false },
        normalizer: sequence("normalizers", [
          { type: "Strip", strip_left: false, strip_right: false },
          replaceAll(" {2,}", "▁"),
        ]),
        pre_tokenizer: cuts,
        decoder: cuts,
      };
    },
    ends: (given) => typed(given),
  },
  {
    names: ["DebertaV2Tokenizer"],
    reads: ["add_prefix_space", "do_lower_case", "split_by_punct", "unk_id"],
    model: "Unigram",
    tokens: { ...OF_BERT, ...named({ bos: "[CLS]", eos: "[SEP]" }) },
    build: (given) => {
      const { settings } = given;
      const cuts = metaspace(flag(settings, "add_prefix_space", true) ? "always" : "first");
      const isLower = flag(settings, "do_lower_case", false);
      const cutsSigns = flag(settings, "split_by_punct", false);
      const signs = { type: "Punctuation", behavior: "Isolated" };
      const otherwise = typeof settings.unk_id === "number" ? settings.unk_id : 1;
      return {
        model: { unk_id: unknownIn(given, otherwise, true), byte_fallback: false },
        normalizer: sequence("normalizers", [...(isLower ? [{ type: "Lowercase" }] : []), ...TIDY]),
        pre_tokenizer: sequence("pretokenizers", [...(cutsSigns ? [signs] : []), cuts]),
        decoder: cuts,
      };
    },
    ends: (given) => typed(given, [0, 0]),
  },
  {
    names: ["T5Tokenizer"],
    reads: ["extra_ids"],
    model: "Unigram",
    tokens: named({ eos: "</s>", unk: "<unk>", pad: "<pad>" }),
    further: gaps,
    build: (given) => unigram("always", 2, given),
    ends: (given) => {
      const [, id] = end(given, "eos_token");
      return template({ eos: ["</s>", id] }, "A eos", "A eos B eos");
    },
  },
  {
    names: ["AlbertTokenizer"],
    reads: ["add_prefix_space", "do_lower_case", "keep_accents"],
    model: "Unigram",
    tokens: { ...OF_BERT, ...named({ bos: "[CLS]", eos: "[SEP]", unk: "<unk>", pad: "<pad>" }) },
    build: (given) => {
      const { settings } = given;
      const accents = flag(settings, "keep_accents", false)
        ? []
        : [{ type: "NFKD" }, { type: "StripAccents" }];
      const isLower = flag(settings, "do_lower_case", true);
      return {
        ...unigram(prefixed(given), 1, given),
        normalizer: sequence("normalizers", [
          replace("``", '"'),
          replace("''", '"'),
          ...accents,
          ...(isLower ? [{ type: "Lowercase" }] : []),
          ...charsmapOf(given),
        ]),
      };
    },
    ends: (given) => {
      const { post_processor } = given.file;
      return isRecord(post_processor) ? post_processor : ofAlbert(given);
    },
  },
];

/**
 * ALBERT's tokens around texts, under their usual names with the ids of the tokens in the settings.
 */
function ofAlbert(given: Given): Component {
  const [, cls] = end(given, "cls_token");
  const [, sep] = end(given, "sep_token");
  const tokens: Record<string, End> = { cls: ["[CLS]", cls], sep: ["[SEP]", sep] };
  return template(tokens, "cls A sep", "cls A sep B:1 sep:1");
}
