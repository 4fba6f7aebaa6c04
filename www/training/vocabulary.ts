/** The tokens of a model that is trained here, and its tokenizer.json: each symbol is a token. */

import { SPACE } from "./byte-pairs.js";
import type { Cut } from "./tasks/index.js";

/** The numbers of the special tokens, in every vocabulary. */
export const SPECIAL = { pad: 0, begin: 1, end: 2, mask: 3, unknown: 4 } as const;

/** The texts of the special tokens, in the order of their numbers. */
export const SPECIAL_TEXTS = ["<pad>", "<s>", "</s>", "<mask>", "<unk>"] as const;

/** The number of each symbol. */
export function numbersOf(symbols: readonly string[]): Map<string, number> {
  return new Map(symbols.map((symbol, at) => [symbol, SPECIAL_TEXTS.length + at]));
}

/** Where the special token of a text stands: before it, or after the source of a translation. */
export type Around = "begin" | "end";

/** What a tokenizer.json has of a cut: the pre-tokenizer, and what joins tokens again. */
interface Steps {
  pre_tokenizer: object;
  decoder: object | null;
}

const METASPACE = {
  type: "Metaspace",
  replacement: SPACE,
  prepend_scheme: "always",
  split: true,
};
const PIECES: Steps = { pre_tokenizer: METASPACE, decoder: METASPACE };
const CUTS: Readonly<Record<"spaces" | "characters", Steps>> = {
  spaces: { pre_tokenizer: { type: "WhitespaceSplit" }, decoder: null },
  characters: {
    pre_tokenizer: {
      type: "Split",
      pattern: { Regex: "[\\s\\S]" },
      behavior: "Isolated",
      invert: false,
    },
    decoder: { type: "Fuse" },
  },
};

/** The tokenizer.json of symbols, each of which is a token. */
export function tokenizerJson(symbols: readonly string[], cut: Cut, around: Around): string {
  const special = SPECIAL_TEXTS[SPECIAL[around]];
  const vocab = Object.fromEntries(
    [...SPECIAL_TEXTS, ...symbols].map((symbol, id) => [symbol, id]),
  );
  const own = { SpecialToken: { id: special, type_id: 0 } };
  const text = { Sequence: { id: "A", type_id: 0 } };
  const single = around === "begin" ? [own, text] : [text, own];
  const second = { Sequence: { id: "B", type_id: 0 } };
  return JSON.stringify({
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: SPECIAL_TEXTS.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: null,
    post_processor: {
      type: "TemplateProcessing",
      single,
      pair: around === "begin" ? [own, text, second] : [text, second, own],
      special_tokens: { [special]: { id: special, ids: [SPECIAL[around]], tokens: [special] } },
    },
    ...(typeof cut === "string" ? CUTS[cut] : PIECES),
    model:
      typeof cut === "string"
        ? { type: "WordLevel", vocab, unk_token: "<unk>" }
        : { type: "BPE", vocab, merges: cut.merges, unk_token: "<unk>" },
  });
}

/** The tokenizer_config.json beside it. */
export const TOKENIZER_CONFIG = JSON.stringify({
  tokenizer_class: "PreTrainedTokenizerFast",
  bos_token: "<s>",
  eos_token: "</s>",
  pad_token: "<pad>",
  mask_token: "<mask>",
  unk_token: "<unk>",
});
