import {
  type Cell,
  isForbidden,
  type PairNumbers,
  rowOf,
  type Spectrum,
  type Stage,
  type Token,
} from "../../data/index.js";
import { valueAt } from "../../draw/layout.js";
import type { BarItem } from "../../elements/bars.js";
import { labelAt } from "../../elements/shared/templates.js";
import type { SingularList } from "../../elements/spectrum.js";
import {
  formatFixed,
  formatPercent,
  laterMessage,
  message,
  type MessageKey,
} from "../../i18n/index.js";
import type { State } from "../../state/index.js";
import { type DisplayedPattern, type HeadFigures, withoutName } from "./head.js";
import type { OtherNumbers } from "./other-numbers.js";

/** The smallest share of the weight that is mentioned. */
const LEAST_SHARE = 0.0005;

/**
 * The settings that change the displayed numbers, in a sentence or two; empty if there are none.
 */
export function lensHint(displayed: DisplayedPattern): string {
  const { lens, without, hiddenShare } = displayed;
  const sentences = [
    lens.wordsWanted && laterMessage("hints", "lens.onlyWeights"),
    lens.byWord && laterMessage("hints", "lens.byWord"),
    without !== null && laterMessage("hints", "lens.changed", { token: withoutName(displayed) }),
    lens.weightsOnly &&
      hiddenShare > LEAST_SHARE &&
      laterMessage("hints", "lens.hiddenShare", { share: formatPercent(hiddenShare) }),
  ];
  return sentences.filter(Boolean).join(" ");
}

/** What a query does with a key, in the words between their names: a masked pair has no weight. */
export function pairVerb({ stages }: Pick<HeadFigures, "stages">, cell: Cell): string {
  return message(isForbidden(valueAt(stages.masked, cell)) ? "inspect.masked" : "inspect.looksAt");
}

/**
 * The explanation of a stage of a head; a stage that an edit changes does not follow the usual
 * formula.
 */
export function stageHint(
  stage: PairNumbers,
  applied: {
    headDim: number;
    layer?: number;
    unusual: readonly Stage[];
    fullyMasked: readonly number[];
    names?: OtherNumbers["names"];
  },
): string {
  if (applied.unusual.some((one) => one === stage)) return laterMessage("hints", "stage.edited");
  // A fully masked row has nothing to apply the softmax to.
  return stage === "weights" && applied.fullyMasked.length > 0
    ? laterMessage("hints", "stage.weights.emptyRows")
    : laterMessage("hints", `stage.${stage}.hint`, {
        size: applied.headDim,
        layer: applied.layer ?? 0,
        ...(applied.names ?? { token: "", position: "" }),
      });
}

const TOP_KEYS = 5;

/** The keys with the largest weights of a query, as the picture shows them, the largest first. */
export function topKeys(
  { weights, keys }: DisplayedPattern,
  query: number,
  nameAt: (tokens: readonly Token[], index: number) => string = labelAt,
): BarItem[] {
  return Array.from(rowOf(weights, query), (value, key) => ({ value, label: nameAt(keys, key) }))
    .sort((a, b) => b.value - a.value)
    .slice(0, TOP_KEYS)
    .map((item) => ({ ...item, text: formatFixed(item.value) }));
}

export function topKeysTitle({ without }: DisplayedPattern): string {
  const title = message("inspect.topKeys");
  return without === null ? title : `${title} (${message("lens.renormalised")})`;
}

/**
 * The two lists of a head's singular values. If edits make weights other than the softmax of the
 * masked scores, the names do not mention it.
 */
export function namedSpectra(spectrum: Spectrum, unusual: readonly Stage[]): SingularList[] {
  const edited = unusual.includes("weights") ? (".edited" as const) : "";
  return (["scores", "weights"] as const).map((of) => ({
    of,
    heading: message(`spectrum.${of}${edited}`),
    values: spectrum[of].values,
    rank: spectrum[of].rank90,
  }));
}

/** The name of the difference of two runs: of the edited and the original one, or of two texts. */
export function lessName({ compare }: Pick<State, "compare">): MessageKey {
  return compare === "original" ? "pairs.editedLess" : "pairs.firstLess";
}
