import type { Edits, HeadRef, ModelInfo, Stack, Token } from "../../data/index.js";
import type { Model, Run, RunInput } from "../../headscope.js";
import { headsOf, type BlockStack } from "../../state/index.js";
import { stacksOf } from "../run/selection.js";
import { targetIdsOf } from "../run/target-ids.js";

/*
 * What a head does for one word: the same run once more without it, for each head of the model. Of a word that the model
 * predicts it is the change of its log-probability, `ln p(without) − ln p(with)`; of a word that it only reads, how far
 * the word's last state moves, `‖h(without) − h(with)‖`.
 */

/** A word that can be asked about. */
export type AskedWord = { token: Token; position: number } & (
  | { kind: "share"; id: number }
  /** `hidden[layer]` of a stack. */
  | { kind: "state"; stack: BlockStack; layer: number }
);

/** What the run came to without one head. */
export interface Effect {
  head: HeadRef;
  value: number;
}

/** The words of a run that can be asked about: those that are predicted, and of an encoder all. */
export function askable(run: Pick<Run, "tokens" | "targetTokens">, info: ModelInfo): AskedWord[] {
  const stack: BlockStack = info.architecture === "encoder" ? "encoder" : "decoder";
  const layer = info.stacks[stack]?.layers ?? 0;
  if (stack === "encoder") {
    return run.tokens.map((token, position) =>
      token.hiddenId !== undefined && info.predicts
        ? {
            kind: "share",
            token: { ...token, text: token.hiddenText ?? token.text, role: null },
            position,
            id: token.hiddenId,
          }
        : { kind: "state", token, position, stack, layer },
    );
  }
  const { targetTokens } = run;
  if (!info.predicts)
    return targetTokens.map((token, position) => ({
      kind: "state",
      token,
      position,
      stack,
      layer,
    }));
  // A word is predicted at the one before it.
  return targetTokens
    .slice(1)
    .map((token, position) => ({ kind: "share", token, position, id: token.id }));
}

/** The very run again, whatever it was made of, so that its blocks can be taken over. */
export function inputAgain(
  run: Pick<Run, "tokens" | "targetTokens">,
  info: ModelInfo,
  edits: Edits,
): RunInput {
  const ids = run.tokens.map(({ id }) => id);
  const targetIds = targetIdsOf(run, info);
  return { ids, ...(targetIds && { targetIds }), edits };
}

/** All heads of a model, those last in the model first: what comes before them is then taken over from run to run. */
export function headsInTurn(info: ModelInfo): HeadRef[] {
  const rank: Record<Stack, number> = { cross: 0, decoder: 0, encoder: 1 };
  return stacksOf(info)
    .flatMap((stack) => headsOf({ stack }, info.stacks))
    .sort((one, other) => rank[one.stack] - rank[other.stack] || other.layer - one.layer);
}

/** Edits with one more: these heads silent. */
export function silencing(edits: Edits, heads: readonly HeadRef[]): Edits {
  const silent = heads.map(({ stack, layer, head }) => ({
    stack,
    layers: [layer],
    heads: [head],
    gate: 0,
  }));
  return { ...edits, heads: [...(edits.heads ?? []), ...silent] };
}

/** The effect of a head on a word, whose log-probability with it is `before`. */
export async function effectOf(
  { model, run, edits }: { model: Model; run: Run; edits: Edits },
  asked: AskedWord,
  head: HeadRef,
  { before, signal }: { before: number; signal: AbortSignal },
): Promise<number> {
  const input = inputAgain(run, model.info, silencing(edits, [head]));
  const without = await model.run(input, { signal });
  try {
    return asked.kind === "share"
      ? (await logShare(without, asked)) - before
      : await moved(without, run, asked);
  } finally {
    without.release();
  }
}

/** Strongest first, whichever way it goes. */
export function ranked(effects: readonly Effect[]): Effect[] {
  return effects.toSorted((one, other) => Math.abs(other.value) - Math.abs(one.value));
}

export async function logShare(
  run: Run,
  { position, id }: { position: number; id: number },
): Promise<number> {
  const [word] = await run.probabilities({ positions: [position], ids: [id] });
  return word?.logProbability ?? NaN;
}

async function moved(
  run: Run,
  other: Run,
  { stack, layer, position }: { stack: BlockStack; layer: number; position: number },
): Promise<number> {
  const { data, shape } = await run.distances({ stack, other });
  return data[layer * (shape[1] ?? 0) + position] ?? NaN;
}
