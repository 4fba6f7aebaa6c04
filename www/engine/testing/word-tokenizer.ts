import { BundledEngine } from "../tokenizer/bundled.js";
import { parseDescription } from "../tokenizer/description.js";
import { ModelTokenizer } from "../tokenizer/tokenizer.js";

const added = (content: string, id: number): object => ({
  id,
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
});
const text = (id: string, type_id: number): object => ({ Sequence: { id, type_id } });
const end = (type_id: number): object => ({ SpecialToken: { id: "</s>", type_id } });

const WORDS = {
  added_tokens: ["<pad>", "</s>", "<unk>"].map(added),
  normalizer: null,
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: {
    type: "TemplateProcessing",
    single: [text("A", 0), end(0)],
    pair: [text("A", 0), end(0), text("B", 1), end(1)],
    special_tokens: { "</s>": { id: "</s>", ids: [1], tokens: ["</s>"] } },
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

/** A tokenizer.json whose vocabulary is whole words, with a mask token, id 5. */
export const MASKING_JSON = JSON.stringify({
  ...WORDS,
  added_tokens: [...WORDS.added_tokens, added("[MASK]", 5)],
});

/** A tokenizer by the engine of the bundled models, which knows few components. */
export function smallTokenizer(json: string): ModelTokenizer {
  const description = parseDescription(json);
  return new ModelTokenizer(description, new BundledEngine(description));
}

export const maskingTokenizer = (): ModelTokenizer => smallTokenizer(MASKING_JSON);
export const wordTokenizer = (): ModelTokenizer => smallTokenizer(JSON.stringify(WORDS));
