/**
 * A trained model as a folder that transformers reads, with equal logits where its family allows:
 * what the edits of a training say is written into config.json or into the weights.
 */
import type { FolderFiles, FreshModel } from "./fresh-model.js";
import { safetensorsOf, tensorsOf } from "./safetensors.js";
import { encodeSettings, type TrainingSettings } from "./settings.js";

/** A folder to save, which is opened without edits. */
export interface SavedFolder {
  readonly files: FolderFiles;
  /**
   * Whether transformers computes what was trained. It knows no Transformer without residuals.
   */
  readonly isWhole: boolean;
}

/**
 * The folder of a trained model.
 * @param weights the bytes of model.safetensors, as the trainer gives them
 */
export function savedFolder(
  { files }: Pick<FreshModel, "files">,
  settings: TrainingSettings,
  weights: Uint8Array,
): SavedFolder {
  const config = JSON.parse(new TextDecoder().decode(files["config.json"])) as object;
  const whole = settings.mask ? config : { ...config, is_causal: false };
  const isWhole = settings.residuals;
  const bytes = (content: string) => new TextEncoder().encode(content);
  return {
    files: {
      ...files,
      "config.json": bytes(JSON.stringify(whole, null, 2)),
      "model.safetensors": settings.scale ? weights : unscaled(weights, settings),
      "README.md": bytes(readme(settings, isWhole)),
    },
    isWhole,
  };
}

/** Maps of queries alone; GPT-2 has one map for queries, keys and values. */
const QUERIES = /\.(q_proj|query)\.(weight|bias)$/;
const FUSED = /\.c_attn\.(weight|bias)$/;

/**
 * Weights for a model that divides scores by `√d_h`, with the scores of one that does not: queries
 * are that much longer.
 */
function unscaled(weights: Uint8Array, { width, heads }: TrainingSettings): Uint8Array {
  const factor = Math.sqrt(width / heads);
  const tensors = tensorsOf(weights);
  for (const [name, { values }] of tensors) {
    const isFused = FUSED.test(name);
    if (!isFused && !QUERIES.test(name)) continue;
    // Of three maps side by side the first is that of the queries.
    values.forEach((value, at) => {
      if (!isFused || at % (3 * width) < width) values[at] = value * factor;
    });
  }
  return safetensorsOf(tensors);
}

function readme(settings: TrainingSettings, isWhole: boolean): string {
  const lines = [
    `# A model of the task ${settings.task}`,
    "",
    "Trained in Headscope with the settings",
    "",
    `    ${encodeSettings(settings)}`,
    "",
    isWhole
      ? "`transformers` computes what was trained."
      : "It was trained **without residuals**, which no family of `transformers` leaves out: there it computes something else. In Headscope switch the residuals of all blocks off.",
    "",
  ];
  return lines.join("\n");
}
