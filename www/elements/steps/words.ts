// What a step and a cell of it are called.
import type { Step, StepCell } from "../../data/index.js";
import { isOfKeys, isPattern } from "../../draw/steps.js";
import { message, type MessageKey } from "../../i18n/index.js";
import { symbolOf, type StepMaking } from "./symbols.js";

/** What the axes of the steps are called: the tokens that look and those that are looked at. */
export interface StepLabels extends StepMaking {
  queries: readonly string[];
  keys: readonly string[];
}

/** A step as one line: its sign and its words. */
export function stepWords(step: Step, made: StepMaking): string {
  return `${symbolOf(step, made)} · ${message(stepKey(step, made))}`;
}

/** The words of a step. */
export function stepKey(step: Step, { typed, unusual }: StepMaking): MessageKey {
  if (step === "embedded" && typed) return "step.embedded.typed";
  return (step === "raw" || step === "scores") && unusual.includes(step)
    ? `stage.${step}`
    : `step.${step}`;
}

/** A cell by its token, and by its column or the other token. */
export function cellWords(
  { step, row, column }: StepCell,
  { queries, keys, ...made }: StepLabels,
): string {
  const symbol = symbolOf(step, made);
  if (isPattern(step))
    return message("sum.pair", {
      step: symbol,
      query: queries[row] ?? String(row + 1),
      key: keys[column] ?? String(column + 1),
    });
  const token = (isOfKeys(step) ? keys : queries)[row] ?? String(row + 1);
  return message("sum.place", { step: symbol, token, column: column + 1 });
}
