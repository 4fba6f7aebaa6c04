import type { Adapter } from "./adapter.js";
import type { ModelInfo as CoreInfo } from "./generated.js";

export type { CoreInfo };

/** What may be known of a model before it runs: what the core read of its config and weights, and what its tokenizer adds. */
export interface ModelInfo extends CoreInfo {
  /** What stands for a hidden word, in a model that fills in such words. */
  maskToken: number | null;
  /** The GPU that computes it; null on the CPU. */
  adapter: Adapter | null;
}
