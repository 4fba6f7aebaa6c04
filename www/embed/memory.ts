import type { HeadMeasures, StepTensor } from "../data/index.js";
import { Kept } from "../elements/shared/kept.js";
import type { AlignedHead, PairedHead } from "../views/pairs/paired.js";
import type { HeadFigures } from "../views/run/figures.js";
import type { SpectrumAnswer } from "../views/run/spectrum.js";

/** What a figure has read of a head: it stays while only another pair or number of it is held. */
export class Memory {
  readonly figures = new Kept<Promise<HeadFigures>>();
  readonly steps = new Kept<Promise<StepTensor[]>>();
  /** Of all heads of a stack. */
  readonly measures = new Kept<Promise<HeadMeasures[]>>();
  readonly spectrum = new Kept<Promise<SpectrumAnswer>>();
  /** The same head in a second run, and both together. */
  readonly beside = { figures: new Kept<Promise<HeadFigures>>() };
  readonly aligned = new Kept<AlignedHead>();
  readonly paired = new Kept<PairedHead>();
}
