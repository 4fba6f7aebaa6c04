import type { Prediction, Tensor, Token } from "../../data/index.js";
import type { Run } from "../../headscope.js";
import type { BlockStack } from "../../state/index.js";
import type { Place } from "../run/readings.js";

/** A head's weights without the edits and with them, on the same tokens. */
export interface HeadChange {
  before: Tensor;
  after: Tensor;
}

/** How many entries of the vocabulary are looked at before and after, and how many of them are listed. */
const LOOKED_AT = 8;
const LISTED = 5;

/** What became of the probability of one entry of the vocabulary. */
export interface ShareChange {
  prediction: Prediction;
  before: number;
  after: number;
}

/** What became of the probabilities at a place. */
export interface ExpectationChange {
  kind: Place["kind"];
  /** The token after which, or instead of which. */
  at: Token;
  shares: ShareChange[];
}

/** How far a row of weights moved: half the sum of all differences, 0 for none, 1 where all weight went elsewhere. */
export function rowVariation(before: Tensor, after: Tensor, query: number): number {
  const keys = after.shape[1] ?? 0;
  let sum = 0;
  for (let at = query * keys; at < (query + 1) * keys; at += 1)
    sum += Math.abs((after.data[at] ?? 0) - (before.data[at] ?? 0));
  return sum / 2;
}

/** How far a head's rows moved on the average. */
export function meanVariation(before: Tensor, after: Tensor): number {
  const queries = after.shape[0] ?? 0;
  let sum = 0;
  for (let query = 0; query < queries; query += 1) sum += rowVariation(before, after, query);
  return queries === 0 ? 0 : sum / queries;
}

/** The entries whose probability changed most, of those that were or are among the best. */
export async function readExpectationChange(
  before: Run,
  after: Run,
  { kind, position }: Place,
): Promise<ExpectationChange | null> {
  const at = (
    kind === "after" && after.targetTokens.length > 0 ? after.targetTokens : after.tokens
  )[position];
  if (!at) return null;
  const best = { positions: [position], topK: LOOKED_AT };
  const [[old = []], [now = []]] = await Promise.all([
    before.predictions(best),
    after.predictions(best),
  ]);
  const entries = [
    ...new Map([...now, ...old].map((prediction) => [prediction.id, prediction])).values(),
  ];
  const asked = { positions: entries.map(() => position), ids: entries.map(({ id }) => id) };
  const [were, are] = await Promise.all([before.probabilities(asked), after.probabilities(asked)]);
  const shares = entries.map((prediction, index) => ({
    prediction,
    before: were[index]?.probability ?? NaN,
    after: are[index]?.probability ?? NaN,
  }));
  const moved = ({ before: was, after: is }: ShareChange): number => Math.abs(is - was);
  const token = at.hiddenText === undefined ? at : { ...at, text: at.hiddenText, role: null };
  return { kind, at: token, shares: shares.sort((a, b) => moved(b) - moved(a)).slice(0, LISTED) };
}

/** How far every token's state is from where it is without the edits, `[layer, position]`. */
export interface MovedStates {
  stack: BlockStack;
  distances: Tensor;
  tokens: Token[];
}

/** Reads it of the stack that a head belongs to; cross-attention's queries are the decoder's. */
export async function readMovedStates(
  run: Run,
  original: Run,
  stack: BlockStack,
): Promise<MovedStates> {
  const tokens =
    stack === "encoder" || run.targetTokens.length === 0 ? run.tokens : run.targetTokens;
  return { stack, tokens, distances: await run.distances({ stack, other: original }) };
}
