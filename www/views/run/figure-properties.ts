import type { HeadscopeDimensions } from "../../elements/dimensions.js";
import type { HeadscopeHeatmap } from "../../elements/heatmap.js";
import type { HeadscopeLines } from "../../elements/lines.js";
import type { HeadscopeMask } from "../../elements/matrices.js";
import type { Stage } from "../../data/index.js";
import type { State } from "../../state/index.js";
import { withoutName } from "../parts/lens-words.js";
import type { Looked } from "./looked.js";

/** What decides a picture of a head beside its numbers: of the page, or of a figure alone. */
interface Around {
  state: Pick<State, "stage" | "colours" | "region" | "mass">;
  /** How many heads the layer has. */
  headCount: number;
  /** Stages that edits make other than their formula. */
  unusual: readonly Stage[];
}

/** The one table of what each picture of pairs shows of a head, on the page and in figures of other pages. */
export const FIGURE_PROPERTIES = {
  heatmap: (looked: Looked, { state: { stage, colours, region } }: Around) =>
    ({
      ...pairsOf(looked),
      ...renormalised(looked),
      tensor: looked.whole?.stages[stage] ?? looked.weights,
      mask: looked.whole?.mask ?? null,
      dropped: looked.whole?.dropped ?? null,
      stage,
      colours,
      region,
    }) satisfies Partial<HeadscopeHeatmap>,
  lines: (looked: Looked, { headCount, state: { mass } }: Around) =>
    ({
      ...pairsOf(looked),
      ...renormalised(looked),
      patterns: looked.patterns,
      heads: headCount,
      mass,
    }) satisfies Partial<HeadscopeLines>,
  dimensions: (looked: Looked, { unusual }: Around) =>
    ({
      ...pairsOf(looked),
      stages: looked.whole?.stages ?? null,
      vectors: looked.whole?.vectors ?? null,
      unusual,
    }) satisfies Partial<HeadscopeDimensions>,
  mask: (looked: Looked, { state: { region } }: Around) =>
    ({
      ...pairsOf(looked),
      mask: looked.whole?.mask ?? null,
      region,
    }) satisfies Partial<HeadscopeMask>,
};

function pairsOf({
  queries,
  keys,
  fullyMasked,
}: Looked): Pick<HeadscopeHeatmap, "queries" | "keys" | "fullyMasked"> {
  return { queries, keys, fullyMasked };
}

/** What is said of weights that are not the model's own. */
function renormalised(looked: Looked): Pick<HeadscopeHeatmap, "emptied" | "without"> {
  return { emptied: looked.emptied, without: withoutName(looked) };
}
