/**
 * What the heads of a checkpoint do on one text: the ordinary engine loads the checkpoint as an
 * ordinary folder and answers the ordinary questions. Everything that the page shows of a
 * checkpoint is read at once, so that a slider over checkpoints asks no engine.
 */
import type { Edits, HeadMeasures, Stack, Tensor } from "../data/index.js";
import type { Model, ModelSource, Run } from "../headscope.js";

/** A text as ids, and what a right model answers at some of its positions. */
export interface ShownText {
  ids: readonly number[];
  /** The ids of the decoder of an encoder–decoder model. */
  targetIds?: readonly number[];
  /** The positions that are asked, each with the right entry of the vocabulary. */
  asked: readonly (readonly [position: number, id: number])[];
}

/** The heads of one stack on a text. */
export interface StackPicture {
  stack: Stack;
  /** Shape `[layer, head, size, size]`. */
  thumbnails: Tensor;
  measures: readonly HeadMeasures[];
  /** The weights of each head, `[query, key]`, by layer and head. */
  patterns: readonly (readonly Tensor[])[];
}

/** The model's answer at one position. */
export interface Answer {
  position: number;
  /** The right entry of the vocabulary. */
  right: number;
  /** The likeliest entry, with its probability. */
  given: number;
  probability: number;
}

export interface Picture {
  text: ShownText;
  stacks: readonly StackPicture[];
  answers: readonly Answer[];
}

/** The heads of a stack in a picture; those of its first stack if it has no such stack. */
export function stackIn({ stacks }: Picture, stack: Stack | null): StackPicture | null {
  return stacks.find((one) => one.stack === stack) ?? stacks[0] ?? null;
}

/** Loads a model as the package's `loadModel` does. */
export type LoadOne = (source: ModelSource) => Promise<Model>;

const THUMBNAIL_SIZE = 32;
/** The stacks in the order in which they are shown. */
const STACKS: readonly Stack[] = ["encoder", "decoder", "cross"];

/**
 * Takes the picture of a checkpoint. The edits are those with which the model is trained, where its
 * settings are none of a config.
 */
export async function takePicture(
  load: LoadOne,
  files: { config: string; weights: Uint8Array },
  edits: Edits,
  text: ShownText,
): Promise<Picture> {
  const model = await load({
    "config.json": new TextEncoder().encode(files.config),
    "model.safetensors": files.weights,
  });
  try {
    const run = await model.run({
      ids: [...text.ids],
      ...(text.targetIds && { targetIds: [...text.targetIds] }),
      edits,
    });
    const stacks: StackPicture[] = [];
    for (const stack of STACKS) {
      const size = model.info.stacks[stack];
      if (size) stacks.push(await stackPicture(run, stack, size));
    }
    return { text, stacks, answers: await answersOf(run, text) };
  } finally {
    model.dispose();
  }
}

async function stackPicture(
  run: Run,
  stack: Stack,
  { layers, heads }: { layers: number; heads: number },
): Promise<StackPicture> {
  const patterns: Tensor[][] = [];
  for (let layer = 0; layer < layers; layer += 1) {
    const asked = Array.from({ length: heads }, (_, head) => run.attention({ stack, layer, head }));
    patterns.push(await Promise.all(asked));
  }
  const thumbnails = await run.thumbnails({ stack, size: THUMBNAIL_SIZE });
  return { stack, thumbnails, measures: await run.measures({ stack }), patterns };
}

async function answersOf(run: Run, { asked }: ShownText): Promise<Answer[]> {
  if (asked.length === 0) return [];
  const positions = asked.map(([position]) => position);
  const predicted = await run.predictions({ positions, topK: 1 });
  return asked.flatMap(([position, right], at) => {
    const best = predicted[at]?.[0];
    return best ? [{ position, right, given: best.id, probability: best.probability }] : [];
  });
}
