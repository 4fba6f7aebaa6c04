import type { Model } from "../../headscope.js";
import { DEFAULT_STATE, encodeState } from "../../state/index.js";
import { THUMBNAIL_SIZE } from "../run/figures.js";
import { assignedRoles } from "../run/head-order.js";
import { FINE, inSteps, type FirstPicture } from "./picture.js";

/** The folder of the model that the page begins with. */
export const FIRST_MODEL = DEFAULT_STATE.model;

/** Reads the first State's picture from the model: done when the site is built. */
export async function drawFirst(model: Model): Promise<FirstPicture> {
  const { stack, layer, head, text } = DEFAULT_STATE;
  const run = await model.run({ text });
  return {
    address: encodeState(DEFAULT_STATE),
    head: { stack, layer, head },
    sourceTokens: [...run.tokens],
    targetTokens: [...run.targetTokens],
    translation: run.targetText,
    weights: inSteps(await run.attention({ stack, layer, head }), FINE),
    thumbnails: inSteps(await run.thumbnails({ stack, size: THUMBNAIL_SIZE })),
    worn: assignedRoles(model.notes, stack),
  };
}
