/** What of a State its model and texts have, and what they do not have. */
import type { ModelInfo } from "../../data/index.js";
import type { Run } from "../../headscope.js";
import { editLists, isActive, type State, writtenAttribute } from "../../state/index.js";
import {
  cellWithin,
  chosenHead,
  entryIn,
  isMaskable,
  joinedAt,
  joinedIn,
  stacksOf,
  tokensOf,
} from "./selection.js";

type Ran = Pick<Run, "tokens" | "targetTokens" | "fit">;

/**
 * A State without what its model and texts do not have: the head that is shown, and the pairs,
 * tokens and edits that exist.
 */
export function fittingState(state: State, info: ModelInfo, run: Ran): State {
  const head = chosenHead(state, info);
  if (!head) return state;
  const fit = run.fit();
  const { queries, keys } = tokensOf(run, head.stack);
  const heads = info.stacks[head.stack]?.heads ?? 0;
  return {
    ...state,
    ...head,
    masked: state.masked.filter((position) => run.tokens[position]?.maskedText !== undefined),
    target: info.architecture === "encoder-decoder" ? state.target : null,
    locked: cellWithin(state.locked, { shape: [queries.length, keys.length] }),
    beside: state.beside.filter((other) => other < heads),
    joined: joinedAt(state, head.stack),
    edits: fit ? editLists(fit.edits) : state.edits,
  };
}

/**
 * The parts of a State that its model and texts do not have, the stack before its layers; `there`
 * is what could be asked for instead.
 */
export function absentIn(
  state: State,
  info: ModelInfo,
  run: Ran,
): { key: keyof State; there: string }[] {
  const fitting = {
    ...fittingState(state, info, run),
    entry: entryIn(state.entry, info),
    against: entryIn(state.against, info),
  };
  const { layers = 0, heads = 0 } = info.stacks[fitting.stack] ?? {};
  const { queries, keys } = tokensOf(run, fitting.stack);
  const maskable = run.tokens.flatMap((token, at) =>
    token.maskedText !== undefined || isMaskable(info, token) ? [at + 1] : [],
  );
  const there = {
    stack: stacksOf(info).join(" | "),
    layer: `1 … ${layers}`,
    head: `1 … ${heads}`,
    beside: `1 … ${heads}`,
    joined: joinedIn(fitting.stack).join(" | "),
    locked: `1-1 … ${queries.length}-${keys.length}`,
    masked: maskable.length === 0 ? "" : [maskable[0], maskable.at(-1)].join(" … "),
    target: "",
    entry: `0 … ${info.vocabSize - 1}`,
    against: `0 … ${info.vocabSize - 1}`,
    edits: writtenAttribute("edits", fitting),
  };
  // An attention variant may apply to some stacks alone, and a length beyond the text is kept as
  // requested.
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
