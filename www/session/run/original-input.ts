/** The input of the present run without its edits. */
import type { ImageLike, Model, Run, RunInput } from "../../headscope.js";
import { targetIdsOf } from "./computation.js";

/** The input of a run without its edits; `image` is the image that a model of images read. */
export function originalInput(model: Model, run: Run, image: ImageLike | null = null): RunInput {
  const { info } = model;
  if (info.image && !image) throw new Error("A run of an image has no other input.");
  if (info.image && image) return { image };
  const targetIds = targetIdsOf(run, info);
  return { ids: run.tokens.map(({ id }) => id), ...(targetIds && { targetIds }) };
}
