import { labelAt } from "../../elements/shared/token-label.js";
import { formatPercent, message } from "../../i18n/index.js";
import { isChanged, type Looked } from "../run/looked.js";

/** Less than this of the weight reads as nothing. */
const LEAST_SHARE = 0.0005;

/** What the key that was left out is called; empty where none was. */
export function withoutName({ without, figures }: Looked): string {
  return without === null ? "" : labelAt(figures.keys, without);
}

/** What was done to what is shown, in a sentence or two; empty where nothing was. */
export function lensHint(looked: Looked): string {
  const { lens, without, hiddenShare } = looked;
  const sentences: string[] = [];
  if (lens.wordsWanted) sentences.push(message("lens.onlyWeights"));
  if (lens.byWord) sentences.push(message("lens.byWord"));
  if (without !== null) sentences.push(message("lens.changed", { token: withoutName(looked) }));
  if (lens.weightsOnly && hiddenShare > LEAST_SHARE)
    sentences.push(message("lens.hiddenShare", { share: formatPercent(hiddenShare) }));
  return sentences.join(" ");
}

/** The same in a few words, for a title; empty where the numbers are the run's own, in their own rows and columns. */
export function lensSummary(looked: Looked): string[] {
  const { lens, without } = looked;
  if (!isChanged(looked)) return [];
  const words: string[] = [];
  if (lens.byWord) words.push(message("lens.summaryByWord"));
  if (lens.ordinaryOnly) words.push(message("lens.summaryOrdinary"));
  if (without !== null) words.push(message("lens.summaryWithout", { token: withoutName(looked) }));
  return words;
}
