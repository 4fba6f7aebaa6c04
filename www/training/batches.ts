/** The batches of a training: they follow from the settings and the number of a step alone. */
import type { Edits } from "../data/index.js";
import { type Example, exampleOf } from "./examples.js";
import type { FreshModel } from "./fresh-model.js";
import { Random } from "./random.js";
import { editsOf, type TrainingSettings } from "./settings.js";
import type { Split } from "./tasks/index.js";

/** The exercises of a step, and the edits under which the model reads them. */
export interface Batch {
  examples: Example[];
  edits: Edits;
}

/** The number of held-out exercises that measure a model. */
const HELD_OUT = 64;

/** Numbers of streams that no step has. */
const HELD_OUT_STREAM = -1;

type Trained = Pick<FreshModel, "task" | "reading">;

/** The batch of a step, counted from 0. */
export function trainingBatch(model: Trained, settings: TrainingSettings, step: number): Batch {
  const random = new Random(settings.seed, step);
  const examples = drawn(model, "training", settings.batch, random);
  return { examples, edits: editsOf(settings, step) };
}

/** The held-out exercises that measure a model, the same at every step. */
export function heldOutBatch(model: Trained, settings: TrainingSettings): Batch {
  const random = new Random(settings.seed, HELD_OUT_STREAM);
  return { examples: drawn(model, "heldOut", HELD_OUT, random), edits: editsOf(settings) };
}

function drawn({ task, reading }: Trained, split: Split, count: number, random: Random): Example[] {
  return Array.from({ length: count }, () => exampleOf(task.draw(random, split), reading));
}
