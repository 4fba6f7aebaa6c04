import type { ModelInfo } from "../../data/index.js";
import type { Run } from "../../headscope.js";

/**
 * The ids that a translator's decoder read, to have it read them again; undefined for a model without a second text. Of a
 * translation that filled all positions the last token was written, and never read.
 */
export function targetIdsOf({ targetTokens }: Pick<Run, "targetTokens">, { architecture, maxTokens }: Pick<ModelInfo, "architecture" | "maxTokens">): number[] | undefined {
  return architecture === "encoder-decoder" ? targetTokens.slice(0, maxTokens).map(({ id }) => id) : undefined;
}
