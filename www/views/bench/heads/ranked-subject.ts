import type { Token } from "../../../data/index.js";
import type { Model, Run } from "../../../headscope.js";
import type { EditLists } from "../../../state/index.js";
import { hasTokensOf } from "../../run/target-ids.js";
import type { OnBench } from "../on-bench.js";

/** What a word's ranking is about. It outlives the run that it was measured of: after a crash the same is computed anew. */
export interface Subject {
  model: Model;
  edits: EditLists;
  tokens: Token[];
  targetTokens: Token[];
  word: number;
}

export function subjectOf(
  { edits }: Pick<OnBench, "edits">,
  model: Model,
  { tokens, targetTokens }: Pick<Run, "tokens" | "targetTokens">,
  word: number,
): Subject {
  // What is still being written grows.
  return { model, edits, tokens: [...tokens], targetTokens: [...targetTokens], word };
}

/** Whether it is about what the bench is told now, or about what is being written once more. */
export function isOfThese(
  subject: Subject,
  { model, run, edits, growing }: Pick<OnBench, "model" | "run" | "edits" | "growing">,
  word: number,
): boolean {
  if (!run || model !== subject.model || edits !== subject.edits || word !== subject.word)
    return false;
  const targetTokens = growing
    ? subject.targetTokens.slice(0, run.targetTokens.length)
    : subject.targetTokens;
  return hasTokensOf({ tokens: subject.tokens, targetTokens }, run, model.info);
}
