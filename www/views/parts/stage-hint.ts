import type { Stage } from "../../data/index.js";
import { message } from "../../i18n/index.js";

/** What a stage of a head is; what an edit made of it is not what the formula says. */
export function stageHint(stage: Stage, unusual: readonly Stage[], headDim: number): string {
  return unusual.includes(stage) ? message("stage.edited") : message(`stage.${stage}.hint`, { size: headDim });
}
