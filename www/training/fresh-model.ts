/**
 * A model before its first step: an ordinary Hugging Face folder in memory, and the edits that
 * belong to it. What is trained, shown, saved and rewound is this folder with other weights.
 */
import type { Edits } from "../data/index.js";
import { configOf } from "./configs.js";
import type { Reading } from "./examples.js";
import { formOf } from "./forms.js";
import { safetensorsOf } from "./safetensors.js";
import { checkSettings, editsOf, type TrainingSettings } from "./settings.js";
import { type Task, TASKS } from "./tasks/index.js";
import { freshTensors, type Sizes } from "./tensors.js";
import { numbersOf, SPECIAL_TEXTS, TOKENIZER_CONFIG, tokenizerJson } from "./vocabulary.js";

/** The files of a folder by name. */
export type FolderFiles = Record<string, Uint8Array>;

/** A model before its first step. */
export interface FreshModel {
  readonly task: Task;
  /** How the model reads exercises. */
  readonly reading: Reading;
  /** The files of the folder, config.json and model.safetensors among them. */
  readonly files: FolderFiles;
  /** The edits with which the model is opened. */
  readonly edits: Edits;
}

/**
 * The model of settings.
 * @throws training/bad-setting, training/contradiction
 */
export function freshModel(settings: TrainingSettings): FreshModel {
  checkSettings(settings);
  const form = formOf(settings);
  // Such settings were refused.
  if (typeof form !== "string") throw new Error(`no model has ${form.got}`);
  const { kind, length, width, layers } = settings;
  const task = TASKS[settings.task].open(length);
  const sizes: Sizes = {
    width,
    inner: 4 * width,
    layers,
    vocabulary: SPECIAL_TEXTS.length + task.symbols.length,
    // Question and answer with the tokens that begin and end them.
    positions: task.longest.question + task.longest.answer + 2,
  };
  const around = kind === "encoder-decoder" ? "end" : "begin";
  const text = (content: string) => new TextEncoder().encode(content);
  return {
    task,
    reading: { kind, ends: task.ends, ids: numbersOf(task.symbols) },
    files: {
      "config.json": text(JSON.stringify(configOf(form, sizes, settings), null, 2)),
      "model.safetensors": safetensorsOf(freshTensors(form, sizes, settings)),
      "tokenizer.json": text(tokenizerJson(task.symbols, around)),
      "tokenizer_config.json": text(TOKENIZER_CONFIG),
    },
    edits: editsOf(settings),
  };
}
