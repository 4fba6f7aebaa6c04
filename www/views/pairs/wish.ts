import type { RunInput } from "../../headscope.js";
import {
  fittingEdits,
  hasEdits,
  NO_EDITS,
  type Comparison,
  type State,
} from "../../state/index.js";
import { inputOf, isBlank, type Computation } from "../run/computation.js";
import type { Wish } from "../run/other.js";
import { limitsOf } from "../run/selection.js";
import { targetIdsOf } from "../run/target-ids.js";

/** What of the State decides about a second run. */
export type WishState = Pick<
  State,
  "model" | "text" | "hidden" | "target" | "edits" | "compare" | "otherText" | "otherModel"
>;

/** Which comparison the page makes: the one that was asked for, or with the original where edits are at work. */
export function comparisonOf(
  state: WishState,
  first: Pick<Computation, "model" | "run">,
): Comparison | null {
  return state.compare ?? (isEdited(state, first) ? "original" : null);
}

/** Whether edits are at work that fit the model and the text. */
function isEdited(
  { edits }: WishState,
  { model, run }: Pick<Computation, "model" | "run">,
): boolean {
  return (
    model !== null &&
    run !== null &&
    hasEdits(fittingEdits(edits, limitsOf(model.info, run.tokens.length, run.targetTokens.length)))
  );
}

/** The second text. */
export function otherTextOf({ text, otherText }: Pick<State, "text" | "otherText">): string {
  return otherText ?? text;
}

/**
 * The run beside the one that is shown, which has to be computed; null where none is wanted. It is never edited. The
 * original reads the very tokens of the edited run, what a translator wrote included, so that every cell has its
 * counterpart; another text is read as if it were typed alone.
 */
export function wishOf(state: WishState, first: Pick<Computation, "model" | "run">): Wish | null {
  const { model, run } = first;
  const comparison = comparisonOf(state, first);
  if (!model || !run || comparison === null) return null;
  const plain = { ...state, edits: NO_EDITS };
  if (comparison === "original") {
    const targetIds = targetIdsOf(run, model.info);
    const { text, hidden } = inputOf({ ...plain, target: null }, model);
    const input: RunInput = { text, ...(hidden && { hidden }), ...(targetIds && { targetIds }) };
    return {
      comparison,
      key: JSON.stringify(["original", state.model, input]),
      model: state.model,
      input: () => input,
    };
  }
  const text = otherTextOf(state);
  if (isBlank(text)) return null;
  const name = state.otherModel ?? state.model;
  const same = text === state.text;
  const request = {
    ...plain,
    text,
    target: same ? state.target : null,
    hidden: same && name === state.model ? state.hidden : [],
  };
  return {
    comparison,
    key: JSON.stringify(["other", name, request.text, request.target, request.hidden]),
    model: name,
    input: (other) => inputOf(request, other),
  };
}
