// The alignment of two texts: the counterparts of tokens, and the comparison of two patterns, or
// two words, by it.
import { LEAST_SCORE } from "../data/index.js";
import type { BlockStack, Cell, HeadRef, ModelInfo, Stage, Tensor, Token } from "../data/index.js";
import { extentOf } from "../draw/colours.js";
import type { BarItem } from "../elements/bars.js";
import { labelAt, tokenLabel } from "../elements/shared/templates.js";
import type { Run } from "../headscope.js";
import { formatFixed, message } from "../i18n/index.js";
import { wordsOf } from "../reduce/index.js";
import type { AlignedBy, Side, State } from "../state/index.js";
import { commonPairs } from "./changed-words.js";
import type { HeadFigures } from "./run/head.js";

/** For each position on one axis, the position on another. */
type Places = readonly (number | null)[];
type Match = readonly [one: number, other: number];

/**
 * Two texts, and the position of each token's counterpart in the other text; a token has at most
 * one.
 */
export interface Alignment {
  one: readonly Token[];
  other: readonly Token[];
  toOther: Places;
  toOne: Places;
}

/**
 * Aligns two texts, by position or by words, whose tokens are paired in their order. Pairs made by
 * hand replace others.
 */
export function align(
  one: readonly Token[],
  other: readonly Token[],
  by: AlignedBy = "words",
  byHand: readonly { one: number; other: number }[] = [],
): Alignment {
  const toOther: (number | null)[] = one.map(() => null);
  const toOne: (number | null)[] = other.map(() => null);
  const matches = by === "positions" ? one.map((_, at): Match => [at, at]) : sameWords(one, other);
  for (const [at, to] of [...matches, ...byHand.map((pair): Match => [pair.one, pair.other])]) {
    if (at >= one.length || to >= other.length) continue;
    const before = toOne[to] ?? null;
    const otherBefore = toOther[at] ?? null;
    if (before !== null) toOther[before] = null;
    if (otherBefore !== null) toOne[otherBefore] = null;
    toOther[at] = to;
    toOne[to] = at;
  }
  return { one, other, toOther, toOne };
}

/** Two texts of which no token has a counterpart. */
function apart(one: readonly Token[], other: readonly Token[]): Alignment {
  return { one, other, toOther: one.map(() => null), toOne: other.map(() => null) };
}

/**
 * The pairs of tokens of corresponding words: words in common, in their order; then a word that
 * moved, if it occurs only once in the rest of both texts; then words that were exchanged for as
 * many others between two words in common.
 */
function sameWords(one: readonly Token[], other: readonly Token[]): Match[] {
  const words = wordsOf(one);
  const others = wordsOf(other);
  const keys = words.map(({ indices }) => indices.map((at) => keyOf(one[at])).join(""));
  const otherKeys = others.map(({ indices }) => indices.map((at) => keyOf(other[at])).join(""));
  // Of several longest common subsequences the same is taken, regardless of the order of the texts.
  const common: Match[] =
    JSON.stringify(keys) > JSON.stringify(otherKeys)
      ? commonPairs(otherKeys, keys).map(([to, at]) => [at, to])
      : commonPairs(keys, otherKeys);
  const matches: Match[] = [];
  const isMatched: [boolean[], boolean[]] = [keys.map(() => false), otherKeys.map(() => false)];
  const add = (at: number, to: number): void => {
    matches.push([at, to]);
    isMatched[0][at] = true;
    isMatched[1][to] = true;
  };
  for (const [at, to] of common) add(at, to);
  const rest = (side: 0 | 1, from = 0, to = Infinity): number[] => {
    const places: number[] = [];
    const matched = isMatched[side];
    for (let at = from; at < Math.min(to, matched.length); at += 1)
      if (!matched[at]) places.push(at);
    return places;
  };
  const left = rest(0);
  const otherLeft = rest(1);
  for (const at of left) {
    const again = left.filter((place) => keys[place] === keys[at]);
    const [to, ...more] = otherLeft.filter((place) => otherKeys[place] === keys[at]);
    if (to !== undefined && more.length === 0 && again.length === 1) add(at, to);
  }
  let from = 0;
  let otherFrom = 0;
  for (const [to, otherTo] of [...common, [keys.length, otherKeys.length] as const]) {
    const between = rest(0, from, to);
    const otherBetween = rest(1, otherFrom, otherTo);
    if (between.length === otherBetween.length)
      between.forEach((at, index) => add(at, otherBetween[index] ?? 0));
    from = to + 1;
    otherFrom = otherTo + 1;
  }
  return matches.flatMap(([at, to]) => {
    const [pieces = [], otherPieces = []] = [words[at]?.indices, others[to]?.indices];
    const count = Math.min(pieces.length, otherPieces.length);
    return pieces.slice(0, count).map((piece, index): Match => [piece, otherPieces[index] ?? 0]);
  });
}

/**
 * The key by which tokens are equal: without capitals, a masked token as the token that it hides, a
 * special token by its role.
 */
function keyOf(token: Token | undefined): string {
  if (token?.special && token.maskedText === undefined) return `<${token.role ?? token.text}>`;
  return (token?.maskedText ?? token?.text ?? "").trim().toLowerCase();
}

/**
 * The tokens of two texts on one axis, the position of each in either text, and the index on the
 * axis of each token of the first text.
 */
export interface SharedAxis {
  tokens: Token[];
  one: (number | null)[];
  other: (number | null)[];
  ofOne: number[];
}

/**
 * The axis of the first text's tokens in their order, each with its counterpart, and the second
 * text's other tokens in between. As in a diff, `+` marks tokens of the first text alone and `−`
 * tokens of the second alone.
 */
export function sharedAxis({ one, other, toOther, toOne }: Alignment): SharedAxis {
  const axis: SharedAxis = { tokens: [], one: [], other: [], ofOne: [] };
  const push = (token: Token, at: number | null, to: number | null): void => {
    const sign = at === null ? "− " : to === null ? "+ " : null;
    axis.tokens.push(sign ? { ...token, text: sign + tokenLabel(token), role: null } : token);
    axis.one.push(at);
    axis.other.push(to);
  };
  const pushMore = (from: number): void => {
    for (let at = from; toOne[at] === null; at += 1) {
      const token = other[at];
      if (token) push(token, null, at);
    }
  };
  pushMore(0);
  one.forEach((token, at) => {
    const to = toOther[at] ?? null;
    axis.ofOne.push(axis.tokens.length);
    push(token, at, to);
    if (to !== null) pushMore(to + 1);
  });
  return axis;
}

/**
 * Two patterns on the same axes, `[query, key]`: the first minus the second. NaN where one of them
 * lacks the pair, infinite where one of them masks it, 0 where both do.
 */
export interface SharedPattern extends Record<"queries" | "keys", SharedAxis> {
  tensor: Tensor;
  /** The range of the numbers of both patterns. */
  range: number;
}

export function sharedPattern(
  one: Tensor,
  other: Tensor,
  queries: SharedAxis,
  keys: SharedAxis,
): SharedPattern {
  const shape = [queries.tokens.length, keys.tokens.length] as const;
  const data = new Float32Array(shape[0] * shape[1]);
  const [width = 0, otherWidth = 0] = [one.shape[1], other.shape[1]];
  // A place that a text lacks is NaN, and so is the number that would stand there.
  for (let row = 0; row < shape[0]; row += 1) {
    const from = (queries.one[row] ?? NaN) * width;
    const otherFrom = (queries.other[row] ?? NaN) * otherWidth;
    for (let column = 0; column < shape[1]; column += 1) {
      const first = one.data[from + (keys.one[column] ?? NaN)] ?? NaN;
      const second = other.data[otherFrom + (keys.other[column] ?? NaN)] ?? NaN;
      const areMasked = first < LEAST_SCORE && second < LEAST_SCORE;
      // Two masked scores do not differ, though −∞ − (−∞) is not a number.
      data[row * shape[1] + column] = areMasked ? 0 : first - second;
    }
  }
  const extents = [one, other].map((tensor) => extentOf(tensor.data));
  const range =
    Math.max(...extents.map(({ max }) => max)) - Math.min(...extents.map(({ min }) => min));
  const tensor = { data, shape: [...shape], axes: ["query", "key"] };
  return { queries, keys, tensor, range };
}

/** Whether a text has a token that the other has not, so that some tokens are marked by signs. */
export function isSigned({ queries, keys }: Pick<SharedPattern, "queries" | "keys">): boolean {
  return [queries, keys].some(({ one, other }) => one.includes(null) || other.includes(null));
}

export function mapCell(cell: Cell | null, queries: Places, keys: Places): Cell | null {
  const [query, key] = cell ? [queries[cell.query] ?? null, keys[cell.key] ?? null] : [null, null];
  return query === null || key === null ? null : { query, key };
}

/**
 * Two heads side by side, the alignment of the tokens on their axes, and the difference of the
 * heads at one stage; null if an axis of one has the text that is read, and of the other the text
 * that is written.
 */
export interface PairedHead {
  one: HeadFigures;
  other: HeadFigures;
  queries: Alignment;
  keys: Alignment;
  shared: SharedPattern | null;
}

type Kind = Pick<ModelInfo, "architecture">;

export function pairedHead(
  one: HeadFigures,
  other: HeadFigures,
  [info, otherInfo]: readonly [Kind, Kind],
  { aligned, pairs, stage }: Pick<State, "aligned" | "pairs"> & { stage: Stage },
): PairedHead {
  const alignAxis = (axis: keyof Cell, name: "queries" | "keys"): Alignment => {
    const side = sideOf(axis, one.head, info);
    if (side !== sideOf(axis, other.head, otherInfo)) return apart(one[name], other[name]);
    const byHand = pairs.filter((pair) => pair.side === side);
    return align(one[name], other[name], aligned, byHand);
  };
  const queries = alignAxis("query", "queries");
  const keys = alignAxis("key", "keys");
  const isShared = (["query", "key"] as const).every(
    (axis) => sideOf(axis, one.head, info) === sideOf(axis, other.head, otherInfo),
  );
  if (!isShared) return { one, other, queries, keys, shared: null };
  const rows = sharedAxis(queries);
  const columns = sharedAxis(keys);
  const shared = sharedPattern(one.stages[stage], other.stages[stage], rows, columns);
  return { one, other, queries, keys, shared };
}

/** The text on an axis of a head, the first or the second; a model with one text has no second. */
export function sideOf(
  axis: keyof Cell,
  { stack }: Pick<HeadRef, "stack">,
  { architecture }: Pick<ModelInfo, "architecture">,
): Side {
  if (architecture !== "encoder-decoder" || stack === "encoder") return "source";
  return stack === "decoder" || axis === "query" ? "target" : "source";
}

/** A head by its stack, its layer and its place in the layer. */
export function headLabel({ stack, layer, head }: HeadRef): string {
  const name = message(`stack.${stack}`);
  return message("pairs.head", { stack: name, layer: layer + 1, head: head + 1 });
}

export type PairNames = Record<"one" | "other", string>;

/** A word and its counterpart, by their tokens; null if there is no counterpart. */
export interface WordPair {
  side: Side;
  stack: BlockStack;
  one: { text: string; positions: number[] };
  other: WordPair["one"] | null;
}

export function wordPair(
  side: Side,
  { architecture }: Pick<ModelInfo, "architecture">,
  { one: tokens, other: others, toOther }: Alignment,
  position: number,
): WordPair {
  const wordAt = (text: readonly Token[], at: number): WordPair["one"] => {
    const positions = wordsOf(text).find(({ indices }) => indices.includes(at))?.indices ?? [at];
    const labels = positions.map((place) => labelAt(text, place));
    return { text: labels.join("").trim(), positions };
  };
  const one = wordAt(tokens, position);
  const to = one.positions.map((at) => toOther[at]).find((at) => typeof at === "number");
  const decodes =
    architecture === "decoder" || (architecture === "encoder-decoder" && side === "target");
  const other = typeof to === "number" ? wordAt(others, to) : null;
  return { side, stack: decodes ? "decoder" : "encoder", one, other };
}

export function pairedWords(
  side: Side,
  info: Pick<ModelInfo, "architecture">,
  alignment: Alignment,
): WordPair[] {
  return wordsOf(alignment.one)
    .map(({ indices: [first = 0] }) => wordPair(side, info, alignment, first))
    .filter(({ other }) => other !== null);
}

/** The cosine similarity of the states of two words, by layer, the embeddings first. */
export interface WordCosines {
  pair: WordPair;
  cosines: (number | null)[];
}

export async function readCosines(
  run: Run,
  other: Run,
  pairs: readonly WordPair[],
): Promise<WordCosines[]> {
  const read = pairs.map(async (pair): Promise<WordCosines> => {
    const { stack, one, other: to } = pair;
    const asked = { stack, positions: one.positions, other, otherPositions: to?.positions ?? [] };
    return { pair, cosines: to ? await run.cosines(asked) : [] };
  });
  return Promise.all(read);
}

/** The cosine of two states of the same direction; its bar has the full length. */
export const LARGEST_COSINE = 1;

/** One bar for each layer, the embeddings first. A state of zeros has no cosine. */
export function cosineBars({ cosines }: WordCosines): BarItem[] {
  return cosines.map((cosine, layer) => ({
    label: depthLabel(layer),
    value: cosine ?? 0,
    text: cosine === null ? "–" : formatFixed(cosine),
  }));
}

export function cosinesTitle({ one, other }: WordPair): string {
  return other
    ? message("pairs.cosineOf", { one: one.text, other: other.text })
    : message("pairs.alone", { word: one.text });
}

export function depthLabel(layer: number): string {
  return layer === 0 ? message("pairs.embedding") : message("pairs.layer", { layer });
}
