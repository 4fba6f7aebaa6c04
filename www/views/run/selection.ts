import type { Cell, HeadRef, ModelInfo, Stack, Tensor, Token } from "../../data/index.js";
import { strongestOf } from "../../draw/layout.js";
import { isSilenced, type Side, STACKS, type State } from "../../state/index.js";

/** One text's tokens, and which of them the page looks at. */
export interface Strip {
  tokens: readonly Token[];
  focused: number | null;
  locked: number[];
  /** Whether a word is looked at as a whole. */
  byWord: boolean;
  /** How much each token has of what those look at that were picked, of the most; empty when none was. */
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
  if (!name || !size) return null;
  return {
    stack: name,
    layer: Math.min(layer, size.layers - 1),
    head: Math.min(head, size.heads - 1),
  };
}

/** The heads of a layer that are drawn beside another one: those that were asked for and exist, in their order. */
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

/** A head beside another one. */
export type Neighbour = "layer-before" | "layer-after" | "head-before" | "head-after";

/** The head on one side of another, which is itself at the edge. */
export function neighbourOf(
  { stack, layer, head }: HeadRef,
  side: Neighbour,
  info: ModelInfo,
): Pick<HeadRef, "layer" | "head"> {
  const { layers, heads } = info.stacks[stack] ?? { layers: 1, heads: 1 };
  const step = side.endsWith("before") ? -1 : 1;
  const within = (index: number, count: number): number => Math.max(0, Math.min(index, count - 1));
  return side.startsWith("layer")
    ? { layer: within(layer + step, layers), head }
    : { layer, head: within(head + step, heads) };
}

/** The heads of a stack that edits take out. */
export function silencedHeads(
  { edits }: Pick<State, "edits">,
  stack: Stack,
  info: ModelInfo,
): Pick<HeadRef, "layer" | "head">[] {
  const { layers, heads } = info.stacks[stack] ?? { layers: 0, heads: 0 };
  const all = Array.from({ length: layers * heads }, (_, index) => ({
    layer: Math.floor(index / heads),
    head: index % heads,
  }));
  return all.filter((head) => isSilenced(edits, { stack, ...head }));
}

/** Which axis of a pattern a text is on; null where it is on none. With one text it is on both, and asks. */
export function axisOf(side: Side, stack: Stack, info: ModelInfo): keyof Cell | null {
  if (info.architecture !== "encoder-decoder") return side === "source" ? "query" : null;
  if (side === "target") return stack === "encoder" ? null : "query";
  return stack === "encoder" ? "query" : stack === "cross" ? "key" : null;
}

/** The strongest cell between ordinary tokens, where there are any: where a reader's eye goes first. */
export function strongestCell(weights: Tensor, queries: Token[], keys: Token[]): Cell | null {
  const ordinary = (tokens: Token[]): number[] => {
    const found = tokens.flatMap((token, index) => (token.special ? [] : [index]));
    return found.length > 0 ? found : range(tokens.length);
  };
  const columns = ordinary(keys);
  return strongestOf(
    weights,
    ordinary(queries).flatMap((query) => columns.map((key) => ({ query, key }))),
  );
}

/** A cell if a pattern has it. */
export function cellWithin(cell: Cell | null, weights: Tensor): Cell | null {
  const [queries = 0, keys = 0] = weights.shape;
  return cell && cell.query < queries && cell.key < keys ? cell : null;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

/** Whether a model can be asked what stands in the place of a token. */
export function isHideable({ maskToken, predicts }: ModelInfo, token: Token | undefined): boolean {
  return maskToken !== null && predicts && token !== undefined && !token.special;
}

/** Hides a token, or gives it back. */
export function toggleHidden(hidden: readonly number[], position: number): number[] {
  return hidden.includes(position)
    ? hidden.filter((other) => other !== position)
    : [...hidden, position];
}

/**
 * Where hidden tokens are after the text was changed: what stands before the change or after it moves along, what was
 * changed itself is read again.
 */
export function carryHidden(
  hidden: readonly number[],
  before: readonly Token[],
  after: readonly Token[],
): number[] {
  const same = (one: Token | undefined, other: Token | undefined): boolean =>
    one !== undefined && one.id === other?.id;
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && same(before[head], after[head])) head += 1;
  let tail = 0;
  while (tail < shortest - head && same(before.at(-1 - tail), after.at(-1 - tail))) tail += 1;
  return hidden.flatMap((position) => {
    if (position < head) return [position];
    return position >= before.length - tail ? [position + after.length - before.length] : [];
  });
}
