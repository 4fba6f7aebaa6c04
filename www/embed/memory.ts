import type { StepTensor } from "../data/index.js";
import { Kept } from "../elements/shared/kept.js";
import type { HeadFigures } from "../views/run/figures.js";

/** What a figure has read of a head: it stays while only another pair or number of it is held. */
export class Memory {
  readonly figures = new Kept<Promise<HeadFigures>>();
  readonly steps = new Kept<Promise<StepTensor[]>>();
}
