/** Opens the training of settings: a fresh model, its trainer, and the engine of its pictures. */
import type { Token } from "../data/index.js";
import { openTrainer } from "../engine/trainer.js";
import { loadModel } from "../headscope.js";
import { heldOutBatch, trainingBatch } from "./batches.js";
import { exampleOf, textsOf } from "./examples.js";
import { savedFolder } from "./folder.js";
import { type FolderFiles, freshModel, type FreshModel } from "./fresh-model.js";
import type { Training, OpenTraining } from "./training.js";
import type { TrainingSettings } from "./settings.js";
import { trainerSettings } from "./trainer-settings.js";
import { type Course, TrainingRun } from "./training-run.js";
import { SPECIAL_TEXTS } from "./vocabulary.js";

/** The wait between two chunks in a page in the background, in milliseconds. */
const BACKGROUND_MILLIS = 1000;

export const openTraining: OpenTraining = (text, settings, kept, changed, own) => {
  const fresh = freshModel(settings, own);
  const course = courseOf(fresh, settings);
  const run = new TrainingRun(
    course,
    {
      open: (weights, state) =>
        openTrainer(
          { config: course.config, weights, ...(state && { state }) },
          trainerSettings(settings),
        ),
      load: (source) => loadModel(source),
      pace: () =>
        document.hidden
          ? new Promise((resolve) => setTimeout(resolve, BACKGROUND_MILLIS))
          : Promise.resolve(),
      changed,
      now: () => performance.now(),
    },
    kept,
  );
  return Promise.resolve(trainingOf(text, settings, fresh, run));
};

function trainingOf(
  text: string,
  settings: TrainingSettings,
  { task, reading, files, edits }: FreshModel,
  run: TrainingRun,
): Training {
  const asFiles = (folder: FolderFiles): File[] =>
    Object.entries(folder).map(([name, bytes]) => new File([new Uint8Array(bytes)], name));
  const texts = [...SPECIAL_TEXTS, ...task.symbols];
  const name = `${settings.task}-${settings.layers}-${settings.heads}-${settings.seed}`;
  const [source, target] = textsOf(task.shown, reading.kind, task.cut);
  return {
    text,
    settings,
    run,
    tokensOf: (ids) => ids.map((id, at) => tokenOf(id, texts[id] ?? "", at)),
    saved: (weights) => {
      const { files: saved, isWhole } = savedFolder({ files }, settings, weights);
      return { name, files: asFiles(saved), isWhole };
    },
    folder: (weights) => ({
      name,
      files: asFiles({ ...files, "model.safetensors": weights }),
    }),
    opened: { text: source, target, edits },
  };
}

function tokenOf(id: number, text: string, word: number): Token {
  const special = id < SPECIAL_TEXTS.length;
  return { id, text, word: special ? -1 : word, special, role: null };
}

function courseOf(fresh: FreshModel, settings: TrainingSettings): Course {
  const { task, reading, files, edits } = fresh;
  const { ids, targetIds, targets } = exampleOf(task.shown, reading);
  return {
    config: new TextDecoder().decode(files["config.json"]),
    weights: files["model.safetensors"] ?? new Uint8Array(),
    edits,
    batch: (step) => trainingBatch(fresh, settings, step - 1),
    heldOut: heldOutBatch(fresh, settings),
    text: { ids, ...(targetIds && { targetIds }), asked: targets },
    steps: settings.steps,
  };
}
