// What a step and a cell of it are called.
import type { Step, StepCell } from "../../data/index.js";
import { isOfKeys, isPattern } from "../../draw/steps.js";
import { message, type MessageKey } from "../../i18n/index.js";
import { symbolOf } from "./symbols.js";

/** What the axes of the steps are called: the tokens that look and those that are looked at. */
export interface StepLabels {
  queries: readonly string[];
  keys: readonly string[];
  /** Whether the model tells types of tokens apart. */
  typed: boolean;
}

/** A step as one line: its sign and its words. */
export function stepWords(step: Step, typed: boolean): string {
  return `${symbolOf(step, typed)} · ${message(stepKey(step, typed))}`;
}

/** The words of a step. */
export function stepKey(step: Step, typed: boolean): MessageKey {
  return step === "embedded" && typed ? "step.embedded.typed" : `step.${step}`;
}

/** A cell by its token, and by its column or the other token. */
export function cellWords({ step, row, column }: StepCell, { queries, keys, typed }: StepLabels): string {
  const symbol = symbolOf(step, typed);
  if (isPattern(step)) return message("sum.pair", { step: symbol, query: queries[row] ?? String(row + 1), key: keys[column] ?? String(column + 1) });
  const token = (isOfKeys(step) ? keys : queries)[row] ?? String(row + 1);
  return message("sum.place", { step: symbol, token, column: column + 1 });
}
