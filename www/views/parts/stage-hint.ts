import type { Stage } from "../../data/index.js";
import { message } from "../../i18n/index.js";

/** How a head's formula is applied: the size of its vectors, stages that edits make otherwise, and rows that may look nowhere. */
export interface Applied {
  headDim: number;
  unusual: readonly Stage[];
  fullyMasked: readonly number[];
}

/** What a stage of a head is; what an edit made of it is not what the formula says. */
export function stageHint(stage: Stage, { headDim, unusual, fullyMasked }: Applied): string {
  if (unusual.includes(stage)) return message("stage.edited");
  // Softmax has nothing to share out in a row without an open cell.
  return stage === "weights" && fullyMasked.length > 0
    ? message("stage.weights.emptyRows")
    : message(`stage.${stage}.hint`, { size: headDim });
}
