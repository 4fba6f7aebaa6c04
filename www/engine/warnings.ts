/** The fields of a model's files that have no effect here, as far as TypeScript reads the files: see `src/warning.rs`. */
import { type FieldEffect, type FieldWarning, LONGEST_QUOTE } from "../data/index.js";

/**
 * An entry of `ModelInfo.warnings`. A key that a reader uses, or of which the code says why it changes nothing, is none;
 * neither is a value with which Hugging Face would compute other ids: it is followed, or refused.
 * @param file the name of the file, such as `tokenizer_config.json`
 * @param field its name, after those of the objects that hold it: `added_tokens_decoder.5.rstrip`
 * @param value as `JSON.parse` gave it
 */
export function fieldWarning(
  file: string,
  field: string,
  value: unknown,
  effect: FieldEffect = "none",
): FieldWarning {
  const characters = Array.from(JSON.stringify(value));
  const isLong = characters.length > LONGEST_QUOTE;
  const shown = isLong ? `${characters.slice(0, LONGEST_QUOTE).join("")}…` : characters.join("");
  return { file, field, value: shown, effect };
}
