// What a step and a cell of it are called.
import type { Step, StepCell } from "../../data/index.js";
import { isOfKeys, isPattern } from "../../draw/steps.js";
import { message } from "../../i18n/index.js";
import { SYMBOLS } from "./symbols.js";

/** What the axes of the steps are called: the tokens that look and those that are looked at. */
export interface StepLabels {
  queries: readonly string[];
  keys: readonly string[];
}

/** A step as one line: its sign and its words. */
export function stepWords(step: Step): string {
  return `${SYMBOLS[step][0]} · ${message(`step.${step}`)}`;
}

/** A cell by its token, and by its column or the other token. */
export function cellWords({ step, row, column }: StepCell, { queries, keys }: StepLabels): string {
  const symbol = SYMBOLS[step][0];
  if (isPattern(step)) return message("sum.pair", { step: symbol, query: queries[row] ?? String(row + 1), key: keys[column] ?? String(column + 1) });
  const token = (isOfKeys(step) ? keys : queries)[row] ?? String(row + 1);
  return message("sum.place", { step: symbol, token, column: column + 1 });
}
