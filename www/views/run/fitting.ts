import type { ModelInfo } from "../../data/index.js";
import type { Run } from "../../headscope.js";
import { editLists, isActive, writtenAttribute, type State } from "../../state/index.js";
import { tokensOf } from "./figures.js";
import { chosenHead, stacksOf } from "./selection.js";

type Ran = Pick<Run, "tokens" | "targetTokens" | "fit">;

/** A State without what its model and texts do not have: the head that is shown for it, and the pairs, tokens and edits that exist. */
export function fittingState(state: State, info: ModelInfo, run: Ran): State {
  const head = chosenHead(state, info);
  if (!head) return state;
  const { locked } = state;
  const fit = run.fit();
  const { queries, keys } = tokensOf(run, head.stack);
  const heads = info.stacks[head.stack]?.heads ?? 0;
  return {
    ...state,
    ...head,
    hidden: state.hidden.filter((position) => run.tokens[position]?.hiddenText !== undefined),
    target: info.architecture === "encoder-decoder" ? state.target : null,
    locked: locked && locked.query < queries.length && locked.key < keys.length ? locked : null,
    beside: state.beside.filter((other) => other < heads),
    edits: fit ? editLists(fit.edits) : state.edits,
  };
}

/** What of a State its model and texts do not have, the stack before its layers; `there` is what could be asked for instead. */
export function absentIn(
  state: State,
  info: ModelInfo,
  run: Ran,
): { key: keyof State; there: string }[] {
  const fitting = fittingState(state, info, run);
  const { layers = 0, heads = 0 } = info.stacks[fitting.stack] ?? {};
  const { queries, keys } = tokensOf(run, fitting.stack);
  const there = {
    stack: stacksOf(info).join(" | "),
    layer: `1 … ${layers}`,
    head: `1 … ${heads}`,
    beside: `1 … ${heads}`,
    locked: `1-1 … ${queries.length}-${keys.length}`,
    hidden: fitting.hidden.map((position) => position + 1).join(),
    target: "",
    edits: writtenAttribute("edits", fitting),
  };
  // An attention variant may be left in some stacks alone, and a length beyond the text is what it was asked for.
  const misfits = run.fit()?.misfits ?? [];
  const isThere = (key: keyof typeof there): boolean =>
    key === "edits"
      ? misfits.every(
          (one) => isActive(one) && (one.list === "attention" || one.says === "partlyLength"),
        )
      : writtenAttribute(key, state) === writtenAttribute(key, fitting);
  return (Object.keys(there) as (keyof typeof there)[])
    .filter((key) => !isThere(key))
    .map((key) => ({ key, there: there[key] || "–" }));
}
