import type { Prediction, Stack, Tensor, Token } from "../../data/index.js";
import type { Run } from "../../headscope.js";
import type { BlockStack } from "../../state/index.js";
import type { Place } from "../run/readings.js";

/** A head's weights without the edits and with them, on the same tokens. */
export interface HeadChange {
  before: Tensor;
  after: Tensor;
}

/** How many entries of the vocabulary are read before and after, and how many of them are listed. */
const CANDIDATES = 8;
const LISTED = 5;

/** The probability of one entry of the vocabulary without the edits and with them. */
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

/** The total variation of a row of weights: half the sum of all differences, 0 for none, 1 where all weight went elsewhere. */
export function rowVariation(before: Tensor, after: Tensor, query: number): number {
  const keys = after.shape[1] ?? 0;
  let sum = 0;
  for (let at = query * keys; at < (query + 1) * keys; at += 1)
    sum += Math.abs((after.data[at] ?? 0) - (before.data[at] ?? 0));
  return sum / 2;
}

/** The mean of the rows' total variation. */
export function meanVariation(before: Tensor, after: Tensor): number {
  const queries = after.shape[0] ?? 0;
  let sum = 0;
  for (let query = 0; query < queries; query += 1) sum += rowVariation(before, after, query);
  return queries === 0 ? 0 : sum / queries;
}

/** The entries whose probability changed most, of those that were or are among the best. */
export async function readExpectationChange(
  edited: Run,
  original: Run,
  { kind, position }: Place,
): Promise<ExpectationChange | null> {
  const { tokens, targetTokens } = edited;
  const at = (kind === "after" && targetTokens.length > 0 ? targetTokens : tokens)[position];
  if (!at) return null;
  const best = { positions: [position], topK: CANDIDATES };
  const [[now = []], [old = []]] = await Promise.all([
    edited.predictions(best),
    original.predictions(best),
  ]);
  const entries = [...new Map([...now, ...old].map((entry) => [entry.id, entry])).values()];
  const asked = { positions: entries.map(() => position), ids: entries.map(({ id }) => id) };
  const [after, before] = await Promise.all([
    edited.probabilities(asked),
    original.probabilities(asked),
  ]);
  const shares = entries.map((prediction, index) => ({
    prediction,
    before: before[index]?.probability ?? NaN,
    after: after[index]?.probability ?? NaN,
  }));
  const change = (share: ShareChange): number => Math.abs(share.after - share.before);
  const token = at.hiddenText === undefined ? at : { ...at, text: at.hiddenText, role: null };
  return { kind, at: token, shares: shares.sort((a, b) => change(b) - change(a)).slice(0, LISTED) };
}

/** How far every token's state is from where it is without the edits, `[layer, position]`. */
export interface MovedStates {
  stack: BlockStack;
  distances: Tensor;
  tokens: Token[];
}

/** Reads it of the stack that a head belongs to; cross-attention's queries are the decoder's. */
export async function readMovedStates(
  edited: Run,
  original: Run,
  ofHead: Stack,
): Promise<MovedStates> {
  const stack = ofHead === "encoder" ? "encoder" : "decoder";
  const { tokens, targetTokens } = edited;
  return {
    stack,
    tokens: stack === "encoder" || targetTokens.length === 0 ? tokens : targetTokens,
    distances: await edited.distances({ stack, other: original }),
  };
}
