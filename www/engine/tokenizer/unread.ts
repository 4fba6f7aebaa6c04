/**
 * Fields of a tokenizer's small files that no code reads, for the model card; and those that change
 * no token, with the reason. `tests/reference/tokenizer_settings.py` changes each of these with
 * each class of transformers 5.24 and finds the same tokenizer.
 */

import type { FieldWarning } from "../../data/index.js";
import type { Settings } from "./special-tokens.js";

/** Reasons, each with the fields to which it applies for every class. */
export const IRRELEVANT: readonly [reason: string, fields: readonly string[]][] = [
  [
    "It says where the file comes from and how it is opened.",
    [
      "_commit_hash",
      "backend",
      "device_map",
      "files_loaded",
      "from_slow",
      "is_local",
      "local_files_only",
      "merges_file",
      "model_type",
      "name_or_path",
      "processor_class",
      "special_tokens_map_file",
      "tokenizer_file",
      "transformers_version",
      "use_fast",
      "verbose",
      "vocab_file",
    ],
  ],
  [
    "It says to what length texts are cut or filled, which a caller asks for.",
    [
      "max_len",
      "max_length",
      "model_max_length",
      "pad_to_multiple_of",
      "pad_token_type_id",
      "padding",
      "padding_side",
      "stride",
      "truncation",
      "truncation_side",
      "truncation_strategy",
    ],
  ],
  [
    "It says which lists a call of a tokenizer returns.",
    ["model_input_names", "return_attention_mask", "return_tensors", "return_token_type_ids"],
  ],
  [
    "It makes one text of a conversation.",
    [
      "chat_control_tokens",
      "chat_template",
      "response_schema",
      "response_template",
      "use_default_system_prompt",
    ],
  ],
  [
    "It says how decoded text is spaced and mended, which is the library's here.",
    [
      "clean_up_tokenization_spaces",
      "clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output",
      "errors",
      "spaces_between_special_tokens",
    ],
  ],
  [
    "It is a setting of tokenizers in Python, which tokenizer.json takes the place of.",
    [
      "add_bos_token",
      "add_eos_token",
      "do_basic_tokenize",
      "never_split",
      "num_madeup_words",
      "remove_space",
      "separate_vocabs",
      "sp_model_kwargs",
      "tgt_lang",
    ],
  ],
];
const CHANGE_NOTHING = new Set(IRRELEVANT.flatMap(([, fields]) => fields));

/** The settings that are read for every class, besides tokens by name. */
const ALWAYS_READ = new Set([
  "added_tokens_decoder",
  "additional_special_tokens",
  "auto_map",
  "extra_special_tokens",
  "fast_tokenizer_files",
  "fix_mistral_regex",
  "init_inputs",
  "model_specific_special_tokens",
  "split_special_tokens",
  "tokenizer_class",
]);

/** The longest value on the card, in characters. */
const LONGEST = 200;

function shown(value: unknown): string {
  const letters = Array.from(JSON.stringify(value));
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("")}…` : letters.join("");
}

/** Whether a field names a token, which is read; `add_bos_token` and similar flags do not. */
const namesToken = (field: string, value: unknown): boolean =>
  field.endsWith("_token") && typeof value !== "boolean";

/**
 * Warnings of the fields of a file that no code reads; null fields are ignored.
 * @param reads what the tokenizer's class reads
 */
export function unreadIn(
  file: string,
  settings: Settings,
  reads: readonly string[],
): FieldWarning[] {
  const read = new Set(reads);
  const isRead = (field: string, value: unknown): boolean =>
    value === null || read.has(field) || ALWAYS_READ.has(field) || namesToken(field, value);
  return Object.entries(settings)
    .filter(([field, value]) => !isRead(field, value) && !CHANGE_NOTHING.has(field))
    .map(([field, value]) => ({ file, field, value: shown(value), effect: "none" }));
}
