import { ModelTokenizer } from "../tokenizer/tokenizer.js";

const added = (content: string, id: number): object => ({
  id,
  content,
  special: true,
  normalized: false,
  lstrip: false,
  rstrip: false,
  single_word: false,
});

const WORDS = {
  added_tokens: ["<pad>", "</s>", "<unk>"].map(added),
  normalizer: null,
  pre_tokenizer: { type: "WhitespaceSplit" },
  post_processor: {
    type: "TemplateProcessing",
    single: [{ Sequence: { id: "A", type_id: 0 } }, { SpecialToken: { id: "</s>", type_id: 0 } }],
    pair: [
      { Sequence: { id: "A", type_id: 0 } },
      { SpecialToken: { id: "</s>", type_id: 0 } },
      { Sequence: { id: "B", type_id: 1 } },
      { SpecialToken: { id: "</s>", type_id: 1 } },
    ],
    special_tokens: {},
  },
  decoder: { type: "WordPiece", prefix: "##", cleanup: false },
  model: {
    type: "WordPiece",
    unk_token: "<unk>",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: { "<pad>": 0, "</s>": 1, "<unk>": 2, the: 3, cat: 4 },
  },
};

/** A tokenizer.json whose vocabulary is whole words. */
export const WORDS_JSON = JSON.stringify(WORDS);

/** The same with a mask token, id 5. */
export const MASKING_JSON = JSON.stringify({
  ...WORDS,
  added_tokens: [...WORDS.added_tokens, added("[MASK]", 5)],
});

export function wordTokenizer(): ModelTokenizer {
  return new ModelTokenizer(WORDS_JSON);
}

export function maskingTokenizer(): ModelTokenizer {
  return new ModelTokenizer(MASKING_JSON);
}
