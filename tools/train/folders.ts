/**
 * Writes folders as trained models are saved, here before the first step, one for each form that
 * the settings of a training have, with the example that
 * `tests/reference/training_folders.py` runs on it:
 *
 *     npm run training-folders -- OUT
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { exampleOf, textsOf } from "../../www/training/examples.js";
import { savedFolder } from "../../www/training/folder.js";
import { freshModel } from "../../www/training/fresh-model.js";
import { decodeSettings } from "../../www/training/settings.js";

/** Every form, and every kind of positions in a table. */
const SETTINGS = [
  "induction_width.16_length.12",
  "copy_width.16_positions.sinusoidal",
  "copy_width.16_positions.none_place.post_activation.relu",
  "copy_width.16_place.post",
  "copy_width.16_positions.rotary",
  "copy_width.16_positions.rotary_norm.rms_activation.silu",
  "copy_width.16_kind.encoder_positions.rotary_norm.rms",
  "copy_width.16_kind.encoder_positions.sinusoidal_place.post",
  "copy_width.16_kind.encoder",
  "copy_width.16_kind.encoder-decoder_positions.sinusoidal",
  "copy_width.16_kind.encoder-decoder_place.post",
  "characters_width.16",
  "pieces_width.16_length.8",
  "copy_width.16_mask.false_scale.false",
  "copy_width.16_heads.2_place.post_mask.false_scale.false",
  "copy_width.16_positions.rotary_mask.false_scale.false",
  "copy_width.16_kind.encoder_scale.false",
  "copy_width.16_kind.encoder-decoder_mask.false_scale.false",
];

/** A text of one's own, with characters that a tokenizer may split or drop. */
const TEXT = "To be,  or not\tto be?\n — 𝔸 ".repeat(40);

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error("usage: npm run training-folders -- OUT");
for (const settings of SETTINGS) {
  const asked = decodeSettings(settings);
  const model = freshModel(asked, TEXT);
  const { task, reading } = model;
  const weights = model.files["model.safetensors"] ?? new Uint8Array();
  const { files } = savedFolder(model, asked, weights);
  const folder = join(out, settings);
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const [text] = textsOf(task.shown, reading.kind, task.cut);
  const example = { ...exampleOf(task.shown, reading), text };
  writeFileSync(join(folder, "example.json"), JSON.stringify(example));
}
