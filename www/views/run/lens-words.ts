import type { Stage, Tensor } from "../../data/index.js";
import type { BarItem } from "../../elements/bars.js";
import { labelAt } from "../../elements/shared/templates.js";
import { formatFixed, formatPercent, message } from "../../i18n/index.js";
import { isChanged, type DisplayedPattern } from "./displayed.js";

/** Less than this of the weight reads as nothing. */
const LEAST_SHARE = 0.0005;

/** What the key that was left out is called; empty where none was. */
export function withoutName({ without, figures }: DisplayedPattern): string {
  return without === null ? "" : labelAt(figures.keys, without);
}

/** What was done to what is shown, in a sentence or two; empty where nothing was. */
export function lensHint(displayed: DisplayedPattern): string {
  const { lens, without, hiddenShare } = displayed;
  const sentences: string[] = [];
  if (lens.wordsWanted) sentences.push(message("lens.onlyWeights"));
  if (lens.byWord) sentences.push(message("lens.byWord"));
  if (without !== null) sentences.push(message("lens.changed", { token: withoutName(displayed) }));
  if (lens.weightsOnly && hiddenShare > LEAST_SHARE)
    sentences.push(message("lens.hiddenShare", { share: formatPercent(hiddenShare) }));
  return sentences.join(" ");
}

/** The same in a few words, for a title; empty where the numbers are the run's own, in their own rows and columns. */
export function lensSummary(displayed: DisplayedPattern): string[] {
  const { lens, without } = displayed;
  if (!isChanged(displayed)) return [];
  const words: string[] = [];
  if (lens.byWord) words.push(message("lens.summaryByWord"));
  if (lens.ordinaryOnly) words.push(message("lens.summaryOrdinary"));
  if (without !== null)
    words.push(message("lens.summaryWithout", { token: withoutName(displayed) }));
  return words;
}

/** How a head's formula is applied: the size of its vectors, stages that edits make otherwise, and rows that may look nowhere. */
export interface Applied {
  headDim: number;
  unusual: readonly Stage[];
  fullyMasked: readonly number[];
}

/** What a stage of a head is; what an edit made of it is not what the formula says. */
export function stageHint(stage: Stage, { headDim, unusual, fullyMasked }: Applied): string {
  if (unusual.includes(stage)) return message("stage.edited");
  // Softmax has nothing to share out in a row without an open cell.
  return stage === "weights" && fullyMasked.length > 0
    ? message("stage.weights.emptyRows")
    : message(`stage.${stage}.hint`, { size: headDim });
}

// Where a query looks most.

/** How many keys the list has. */
const TOP_KEYS = 5;

/** The keys with the largest weights of a query, as the picture shows them, the largest first. */
export function topKeys({ weights, keys }: DisplayedPattern, query: number): BarItem[] {
  return rowOf(weights, query)
    .map((value, index) => ({ value, label: labelAt(keys, index) }))
    .sort((a, b) => b.value - a.value)
    .slice(0, TOP_KEYS)
    .map(({ value, label }) => ({ label, value, text: formatFixed(value) }));
}

export function topKeysTitle({ without }: DisplayedPattern): string {
  return without === null
    ? message("inspect.topKeys")
    : `${message("inspect.topKeys")} (${message("lens.renormalised")})`;
}

/** One row of a matrix. */
export function rowOf({ data, shape }: Tensor, row: number): number[] {
  const columns = shape[1] ?? 0;
  return Array.from(data.subarray(row * columns, (row + 1) * columns));
}
