import type { ModelName, State } from "../../state/index.js";
import { sampleOf, samplesOf, stateOf } from "../samples.js";

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
