import type { HeadMeasures, StepTensor } from "../data/index.js";
import { Memo } from "../elements/shared/controllers.js";
import type { AlignedHead, PairedHead } from "../views/pairs/alignment.js";
import type { HeadFigures } from "../views/run/figures.js";
import type { SpectrumAnswer } from "../views/run/readings.js";

/** What a figure has read of a head: it stays while only another pair or number of it is held. */
export class Memory {
  readonly figures = new Memo<Promise<HeadFigures>>();
  readonly steps = new Memo<Promise<StepTensor[]>>();
  /** Of all heads of a stack. */
  readonly measures = new Memo<Promise<HeadMeasures[]>>();
  readonly spectrum = new Memo<Promise<SpectrumAnswer>>();
  /** The same head in a second run, and both together. */
  readonly beside = { figures: new Memo<Promise<HeadFigures>>() };
  readonly aligned = new Memo<AlignedHead>();
  readonly paired = new Memo<PairedHead>();
}
