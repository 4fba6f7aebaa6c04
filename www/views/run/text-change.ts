import type { Model } from "../../headscope.js";
import type { ModelName, State } from "../../state/index.js";
import { carryHidden } from "../run/selection.js";
import { sampleOf, samplesOf, stateOf } from "../samples.js";

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

/**
 * What of the State changes with the model. A person's own text stays; a sample of the model before gives way to one
 * of the new model's own. Edits stay too, and so does the head: what the new model lacks is left out of what it is
 * asked, and is there again when one comes back. Tokens that were picked or paired are those of the model before.
 */
export function switchPatch(
  state: Pick<State, "model" | "text" | "target">,
  model: ModelName,
): Partial<State> {
  const isSample = state.target === null && sampleOf(state.model, state.text) !== undefined;
  const own = sampleOf(model, state.text) ?? samplesOf(model)[0];
  return {
    model,
    locked: null,
    picked: null,
    region: null,
    pairs: [],
    ...(isSample && own ? stateOf(own) : {}),
  };
}

/** Back to what was left for a model that could not be had, as it was left; what was typed meanwhile stays typed. */
export function backPatch(left: State, now: State): Partial<State> {
  const there = switchPatch(left, now.model);
  const untouched = { ...left, ...there };
  if (untouched.text !== now.text || untouched.target !== now.target)
    return switchPatch(now, left.model);
  return Object.fromEntries(Object.keys(there).map((field) => [field, left[field as keyof State]]));
}
