/**
 * A model before its first step: an ordinary Hugging Face folder in memory, and the edits that
 * belong to it. What is trained, shown, saved and rewound is this folder with other weights.
 */
import type { Edits } from "../data/index.js";
import { refuse } from "../engine/errors.js";
import { configOf } from "./configs.js";
import type { Reading } from "./examples.js";
import { formOf } from "./forms.js";
import { safetensorsOf } from "./safetensors.js";
import { checkSettings, editsOf, type TrainingSettings } from "./settings.js";
import { type Task, type TaskKind, TASKS } from "./tasks/index.js";
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
 * @param text the text of one's own that is learned, for a task that needs one
 * @throws training/bad-setting, training/contradiction, training/no-text, and the errors of a text
 *   that cannot be trained on
 */
export function freshModel(settings: TrainingSettings, text?: string): FreshModel {
  checkSettings(settings);
  const form = formOf(settings);
  // Such settings were refused.
  if (typeof form !== "string") throw new Error(`no model has ${form.got}`);
  const { kind, width, layers } = settings;
  const task = openTask(settings, text);
  const sizes: Sizes = {
    width,
    inner: 4 * width,
    layers,
    vocabulary: SPECIAL_TEXTS.length + task.symbols.length,
    // Question and answer with the tokens that begin and end them.
    positions: task.longest.question + task.longest.answer + 2,
  };
  const around = kind === "encoder-decoder" ? "end" : "begin";
  const bytes = (content: string) => new TextEncoder().encode(content);
  return {
    task,
    reading: { kind, ends: task.ends, ids: numbersOf(task.symbols) },
    files: {
      "config.json": bytes(JSON.stringify(configOf(form, sizes, settings), null, 2)),
      "model.safetensors": safetensorsOf(freshTensors(form, sizes, settings)),
      "tokenizer.json": bytes(tokenizerJson(task.symbols, task.cut, around)),
      "tokenizer_config.json": bytes(TOKENIZER_CONFIG),
    },
    edits: editsOf(settings),
  };
}

function openTask({ task, length }: TrainingSettings, text?: string): Task {
  const kind: TaskKind = TASKS[task];
  if (kind.needsText !== true) return kind.open(length, "");
  if (text !== undefined) return kind.open(length, text);
  throw refuse("training/no-text", `the task ${task}`, "a text file of your own", "none");
}
