import { NO_EDITS } from "../../../state/index.js";
import type { OnBench } from "../on-bench.js";

/** What a bench is told before there is a model; a test says what it is about. */
export const ON_BENCH: OnBench = {
  edits: NO_EDITS,
  head: null,
  mask: null,
  model: null,
  run: null,
  revision: 0,
  numbers: null,
  figures: null,
  text: "",
  growing: false,
  painting: { on: false, reach: "head" },
};
