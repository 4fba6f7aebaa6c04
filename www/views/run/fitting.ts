import type { ModelInfo } from "../../data/index.js";
import type { Run } from "../../headscope.js";
import {
  fitsIn,
  fittingEdits,
  NO_EDITS,
  writtenAttribute,
  type Limits,
  type State,
} from "../../state/index.js";
import { tokensOf } from "./figures.js";
import { chosenHead, limitsOf, stacksOf } from "./selection.js";

type Texts = Pick<Run, "tokens" | "targetTokens">;

/** As far as edits of a State can reach: what a translator writes by itself may become as long as the model allows. */
function reachOf({ target }: State, info: ModelInfo, { tokens, targetTokens }: Texts): Limits {
  return limitsOf(info, tokens.length, target === null ? info.maxTokens : targetTokens.length);
}

/** A State without what its model and texts do not have: the head that is shown for it, and the pairs, tokens and edits that exist. */
export function fittingState(state: State, info: ModelInfo, run: Texts): State {
  const head = chosenHead(state, info);
  if (!head) return state;
  const { locked } = state;
  const { queries, keys } = tokensOf(run, head.stack);
  const heads = info.stacks[head.stack]?.heads ?? 0;
  return {
    ...state,
    ...head,
    hidden: state.hidden.filter((position) => run.tokens[position]?.hiddenText !== undefined),
    target: info.architecture === "encoder-decoder" ? state.target : null,
    locked: locked && locked.query < queries.length && locked.key < keys.length ? locked : null,
    beside: state.beside.filter((other) => other < heads),
    edits: { ...NO_EDITS, ...fittingEdits(state.edits, reachOf(state, info, run)) },
  };
}

/** What of a State its model and texts do not have, the stack before its layers; `there` is what could be asked for instead. */
export function absentIn(
  state: State,
  info: ModelInfo,
  run: Texts,
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
  // A kind of attention is written for each stack that has a place for it: that is not less than was asked for.
  const fits = fitsIn(state.edits, reachOf(state, info, run));
  const allKinds = state.edits.attention.every(
    (_, index) => fits({ list: "attention", index }).active,
  );
  const bare = ({ edits }: State): string =>
    writtenAttribute("edits", { edits: { ...edits, attention: [] } });
  const isThere = (key: keyof typeof there): boolean =>
    key === "edits"
      ? allKinds && bare(state) === bare(fitting)
      : writtenAttribute(key, state) === writtenAttribute(key, fitting);
  return (Object.keys(there) as (keyof typeof there)[])
    .filter((key) => !isThere(key))
    .map((key) => ({ key, there: there[key] || "–" }));
}
