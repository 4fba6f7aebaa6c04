import {
  type Cell,
  type HeadRef,
  isOfBlocks,
  JOINED,
  type Joined,
  type ModelInfo,
  type Stack,
  type Tensor,
  type Token,
} from "../../data/index.js";
import { strongestAmong } from "../../draw/layout.js";
import type { Run } from "../../headscope.js";
import {
  headsOf,
  isAblated,
  type ModelName,
  type Side,
  STACKS,
  type State,
} from "../../state/index.js";
import { sampleOf, samplesOf, stateOf } from "../models/samples.js";

/** One text's tokens, and the focused ones. */
export interface Strip {
  tokens: readonly Token[];
  focused: number | null;
  locked: number[];
  byWord: boolean;
  /**
   * The share of each token in what the selected tokens attend to, divided by the largest; empty if
   * none is selected.
   */
  shares: readonly (number | null)[];
}

export const NO_STRIP: Strip = { tokens: [], focused: null, locked: [], byWord: false, shares: [] };

/** The stacks that a model has, in the order in which the page offers them. */
export function stacksOf(info: ModelInfo): Stack[] {
  return STACKS.filter((stack) => info.stacks[stack] !== undefined);
}

/** The head that the State asks for, or the nearest one that the model has. */
export function chosenHead(
  { stack, layer, head }: Pick<State, "stack" | "layer" | "head">,
  info: ModelInfo,
): HeadRef | null {
  const name = info.stacks[stack] ? stack : stacksOf(info)[0];
  const size = name && info.stacks[name];
  if (!size) return null;
  return {
    stack: name,
    layer: Math.min(layer, size.layers - 1),
    head: Math.min(head, size.heads - 1),
  };
}

/**
 * The heads of a layer that are drawn beside another one: the requested heads that exist, in their
 * order.
 */
export function headsBeside(
  beside: readonly number[],
  { stack, head }: HeadRef,
  info: ModelInfo,
): number[] {
  const count = info.stacks[stack]?.heads ?? 0;
  return beside
    .filter((other) => other !== head && other < count)
    .sort((one, other) => one - other);
}

/** The next head along the layers or within the layer, or the same one at the edge. */
export function neighbourOf(
  { stack, layer, head }: HeadRef,
  along: "layer" | "head",
  step: -1 | 1,
  info: ModelInfo,
): Pick<HeadRef, "layer" | "head"> {
  const { layers, heads } = info.stacks[stack] ?? { layers: 1, heads: 1 };
  const within = (index: number, count: number): number => Math.max(0, Math.min(index, count - 1));
  return along === "layer"
    ? { layer: within(layer + step, layers), head }
    : { layer, head: within(head + step, heads) };
}

/** The joined heads that a stack can show. */
export function joinedIn(stack: Stack): readonly Joined[] {
  return JOINED.filter((one) => stack !== "cross" || !isOfBlocks(one));
}

/** The joined heads that a State asks for, if the stack can show them. */
export function joinedAt({ joined }: Pick<State, "joined">, stack: Stack): Joined | null {
  return joinedIn(stack).find((one) => one === joined) ?? null;
}

export function ablatedHeads(
  { edits }: Pick<State, "edits">,
  stack: Stack,
  { stacks }: ModelInfo,
): Pick<HeadRef, "layer" | "head">[] {
  const ablated = headsOf({ stack }, stacks).filter((head) => isAblated(edits, head));
  return ablated.map(({ layer, head }) => ({ layer, head }));
}

/**
 * The axis of a pattern that a text is on; null if it is on none. A single text is on both, and its
 * tokens are queries.
 */
export function axisOf(side: Side, stack: Stack, info: ModelInfo): keyof Cell | null {
  if (info.architecture !== "encoder-decoder") return side === "source" ? "query" : null;
  if (side === "target") return stack === "encoder" ? null : "query";
  return stack === "encoder" ? "query" : stack === "cross" ? "key" : null;
}

/** The cell with the largest weight, between ordinary tokens if there are any. */
export function strongestCell(weights: Tensor, queries: Token[], keys: Token[]): Cell | null {
  const ordinary = (tokens: Token[]): number[] => {
    const found = tokens.flatMap((token, index) => (token.special ? [] : [index]));
    return found.length > 0 ? found : [...tokens.keys()];
  };
  return strongestAmong(weights, ordinary(queries), ordinary(keys));
}

/**
 * The query that a page opens on: the last token of a causal model, after which the next one is
 * predicted; the token that a translator is writing; the masked token. Null where none stands out.
 */
export function openingQuery(
  { stack }: HeadRef,
  queries: readonly Token[],
  { architecture }: ModelInfo,
  isWriting: boolean,
): number | null {
  if (architecture === "decoder" || (isWriting && stack !== "encoder")) return queries.length - 1;
  const masked = queries.findLastIndex(({ role }) => role === "mask");
  return masked < 0 ? null : masked;
}

export function cellWithin(
  cell: Cell | null,
  { shape: [queries = 0, keys = 0] }: Pick<Tensor, "shape">,
): Cell | null {
  return cell && cell.query < queries && cell.key < keys ? cell : null;
}

/** Whether a token can be masked, so that the model predicts it. */
export function isMaskable({ maskToken, predicts }: ModelInfo, token: Token | undefined): boolean {
  return maskToken !== null && predicts && token !== undefined && !token.special;
}

/** The text on each axis of a stack. */
export function tokensOf(
  { tokens, targetTokens }: Pick<Run, "tokens" | "targetTokens">,
  stack: Stack,
): { queries: Token[]; keys: Token[] } {
  const target = targetTokens.length > 0 ? targetTokens : tokens;
  return {
    queries: stack === "encoder" ? tokens : target,
    keys: stack === "decoder" ? target : tokens,
  };
}

/** An entry of the vocabulary; null where the model has no such entry. */
export function entryIn(
  id: number | null,
  { vocabSize }: Pick<ModelInfo, "vocabSize">,
): number | null {
  return id !== null && id < vocabSize ? id : null;
}

/**
 * The changes of the State with a new model. The user's own text stays; a sample of the model
 * before is replaced by one of the new model. Edits and the head stay: what the new model lacks is
 * left out of its requests, and returns with a model that has it. Picked or paired tokens belong to
 * the model before and are cleared.
 */
export function switchPatch(
  state: Pick<State, "model" | "text" | "target">,
  model: ModelName,
): Partial<State> {
  const isSample = state.target === null && sampleOf(state.model, state.text) !== undefined;
  const own = sampleOf(model, state.text) ?? samplesOf(model)[0];
  return {
    model,
    // The special tokens of one model's chat are none of another's.
    chat: "off",
    locked: null,
    picked: null,
    region: null,
    pairs: [],
    // An id is another token in another vocabulary.
    entry: null,
    against: null,
    ...(isSample && own && stateOf(own)),
  };
}

/**
 * The changes that restore the State before a model that could not be loaded; text typed meanwhile
 * stays.
 */
export function backPatch(left: State, now: State): Partial<State> {
  const there = switchPatch(left, now.model);
  const untouched = { ...left, ...there };
  if (untouched.text !== now.text || untouched.target !== now.target)
    return switchPatch(now, left.model);
  return Object.fromEntries(Object.keys(there).map((field) => [field, left[field as keyof State]]));
}
