import type { HeadscopeDimensions } from "../../elements/dimensions.js";
import type { HeadscopeLines } from "../../elements/lines.js";
import type { HeadscopeHeatmap, HeadscopeMask } from "../../elements/matrices.js";
import type { Stage } from "../../data/index.js";
import type { State } from "../../state/index.js";
import { withoutName } from "./lens-words.js";
import type { DisplayedPattern } from "./displayed.js";

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
  heatmap: (displayed: DisplayedPattern, { state: { stage, colours, region } }: Around) =>
    ({
      ...pairsOf(displayed),
      ...renormalised(displayed),
      tensor: displayed.whole?.stages[stage] ?? displayed.weights,
      mask: displayed.whole?.mask ?? null,
      dropped: displayed.whole?.dropped ?? null,
      stage,
      colours,
      region,
    }) satisfies Partial<HeadscopeHeatmap>,
  lines: (displayed: DisplayedPattern, { headCount, state: { mass } }: Around) =>
    ({
      ...pairsOf(displayed),
      ...renormalised(displayed),
      patterns: displayed.patterns,
      heads: headCount,
      mass,
    }) satisfies Partial<HeadscopeLines>,
  dimensions: (displayed: DisplayedPattern, { unusual }: Around) =>
    ({
      ...pairsOf(displayed),
      stages: displayed.whole?.stages ?? null,
      vectors: displayed.whole?.vectors ?? null,
      unusual,
    }) satisfies Partial<HeadscopeDimensions>,
  mask: (displayed: DisplayedPattern, { state: { region } }: Around) =>
    ({
      ...pairsOf(displayed),
      mask: displayed.whole?.mask ?? null,
      region,
    }) satisfies Partial<HeadscopeMask>,
};

function pairsOf({
  queries,
  keys,
  fullyMasked,
}: DisplayedPattern): Pick<HeadscopeHeatmap, "queries" | "keys" | "fullyMasked"> {
  return { queries, keys, fullyMasked };
}

/** Rows and the key that renormalisation concerns. */
function renormalised(displayed: DisplayedPattern): Pick<HeadscopeHeatmap, "emptied" | "without"> {
  return { emptied: displayed.emptied, without: withoutName(displayed) };
}
