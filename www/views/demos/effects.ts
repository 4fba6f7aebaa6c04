import type { Edits, HeadRef, ModelInfo, Stack, Token } from "../../data/index.js";
import type { Model, Run } from "../../headscope.js";
import { headsOf, type BlockStack } from "../../state/index.js";
import { stacksOf } from "../run/selection.js";
import { originalInput } from "../run/target-ids.js";
import type { OnPage } from "./demo.js";
import { lossesAt, withRun } from "./study.js";

/*
 * The importance of a head for one token: the same run again with the head ablated. Of a token that the model predicts it is
 * `ln p(without) − ln p(with)`; of a token that it only reads, how far its last hidden state moves, `‖h(without) − h(with)‖`.
 */

/** A token that heads can be important for. */
export type AskedWord = { token: Token; position: number } & (
  | { kind: "share"; id: number }
  | { kind: "state"; stack: BlockStack; layer: number }
);

export interface Effect {
  head: HeadRef;
  value: number;
}

/** The tokens of a run that can be asked about: those that are predicted, and of an encoder all. */
export function askable(run: Pick<Run, "tokens" | "targetTokens">, info: ModelInfo): AskedWord[] {
  const stack: BlockStack = info.architecture === "encoder" ? "encoder" : "decoder";
  const layer = info.stacks[stack]?.layers ?? 0;
  const stateOf = (token: Token, position: number): AskedWord => ({
    kind: "state",
    token,
    position,
    stack,
    layer,
  });
  if (stack === "decoder")
    return info.predicts
      ? // A token is predicted at the one before it.
        run.targetTokens.slice(1).map((token, position) => ({
          kind: "share",
          token,
          position,
          id: token.id,
        }))
      : run.targetTokens.map(stateOf);
  return run.tokens.map((token, position) => {
    const { hiddenId: id, hiddenText: text = token.text } = token;
    return id !== undefined && info.predicts
      ? { kind: "share", token: { ...token, text, role: null }, position, id }
      : stateOf(token, position);
  });
}

/** All heads of a model, the last layers first: cached layers before them are then reused from run to run. */
export function headsToMeasure(info: ModelInfo): HeadRef[] {
  const rank: Record<Stack, number> = { cross: 0, decoder: 0, encoder: 1 };
  return stacksOf(info)
    .flatMap((stack) => headsOf({ stack }, info.stacks))
    .sort((one, other) => rank[one.stack] - rank[other.stack] || other.layer - one.layer);
}

/** Edits that ablate these heads too. */
export function ablating(edits: Edits, heads: readonly HeadRef[]): Edits {
  const silent = heads.map(({ stack, layer, head }) => ({
    stack,
    layers: [layer],
    heads: [head],
    gate: 0,
  }));
  return { ...edits, heads: [...(edits.heads ?? []), ...silent] };
}

/** The effect of a head on a token, whose log-probability with it is `before`. */
export function effectOf(
  { model, run, edits }: { model: Model; run: Run; edits: Edits },
  asked: AskedWord,
  head: HeadRef,
  { before, signal }: { before: number; signal: AbortSignal },
): Promise<number> {
  const input = { ...originalInput(model, run), edits: ablating(edits, [head]), lenient: true };
  const read = async (without: Run): Promise<number> => {
    if (asked.kind === "share") return (await logShare(without, asked)) - before;
    const { stack, layer, position } = asked;
    const { data, shape } = await without.distances({ stack, other: run });
    return data[layer * (shape[1] ?? 0) + position] ?? NaN;
  };
  return withRun(model, input, read, { signal });
}

/** Strongest first, whatever the sign. */
export function ranked(effects: readonly Effect[]): Effect[] {
  return effects.toSorted((one, other) => Math.abs(other.value) - Math.abs(one.value));
}

export async function logShare(run: Run, word: { position: number; id: number }): Promise<number> {
  const [loss = NaN] = await lossesAt(run, [word]);
  return -loss;
}

/** The inputs of work on a text, whichever run of it is on the page; null while it is still being generated. */
export function ofText(
  { model, run, edits, growing }: OnPage,
  ...others: unknown[]
): readonly unknown[] | null {
  if (!model || !run || growing) return null;
  const ids = (tokens: readonly Token[]): string => tokens.map(({ id }) => id).join();
  return [model, edits, ids(run.tokens), ids(run.targetTokens), ...others];
}
