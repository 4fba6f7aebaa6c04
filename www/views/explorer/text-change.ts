import type { Model } from "../../headscope.js";
import type { State } from "../../state/index.js";
import { carryHidden } from "../run/gaps.js";

/**
 * What becomes of the hidden tokens when the text changes: they move along with it. A model that hides nothing does
 * not know where to, so there they are forgotten; without a model they stay where they are.
 */
export function hiddenAfter(
  { text, hidden }: Pick<State, "text" | "hidden">,
  changed: string,
  model: Model | null,
): readonly number[] {
  if (!model || hidden.length === 0) return hidden;
  return model.info.maskToken === null
    ? []
    : carryHidden(hidden, model.tokenize(text), model.tokenize(changed));
}

/** What writing changes: the texts, and what moves along with them. */
const WRITTEN: ReadonlySet<string> = new Set<keyof State>([
  "text",
  "target",
  "otherText",
  "hidden",
  "pairs",
]);

/** Whether nothing but texts changed, as with every letter that is typed. */
export function isOnlyWritten(now: State, before: State): boolean {
  return (Object.keys(now) as (keyof State)[]).every(
    (field) => now[field] === before[field] || WRITTEN.has(field),
  );
}
