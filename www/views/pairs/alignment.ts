import type { Cell, HeadRef, ModelInfo, Stage, Tensor, Token } from "../../data/index.js";
import type { BarItem } from "../../elements/bars.js";
import { labelAt, tokenLabel } from "../../elements/shared/templates.js";
import type { Run } from "../../headscope.js";
import { formatFixed, message } from "../../i18n/index.js";
import { wordsOf } from "../../reduce/words.js";
import type { AlignedBy, Side, State } from "../../state/index.js";
import type { HeadFigures } from "../run/figures.js";
import { commonPairs } from "../word-diff.js";

/** The counterpart of each token in the other text, at most one; null where there is none. */
export interface Alignment {
  /** By position in the first text, the position in the second. */
  toOther: (number | null)[];
  /** By position in the second text, the position in the first. */
  toOne: (number | null)[];
}

/** A word as it is compared, with its tokens. */
interface Unit {
  key: string;
  indices: number[];
}

type Match = [one: number, other: number];

/**
 * Aligns two texts, by position or by words. Words in common come first, in their order; then a word that moved, if it stands only once in what
 * is left of both; then words that were exchanged for as many others between two that are aligned. Tokens of a word
 * are paired in their order. Pairs made by hand come first.
 */
export function align(
  one: readonly Token[],
  other: readonly Token[],
  by: AlignedBy = "words",
  byHand: readonly { one: number; other: number }[] = [],
): Alignment {
  const alignment: Alignment = { toOther: one.map(() => null), toOne: other.map(() => null) };
  for (const [at, to] of by === "positions"
    ? samePlaces(one.length, other.length)
    : sameWords(one, other))
    join(alignment, at, to);
  for (const pair of byHand)
    if (pair.one < one.length && pair.other < other.length) join(alignment, pair.one, pair.other);
  return alignment;
}

function samePlaces(length: number, otherLength: number): Match[] {
  return range(0, Math.min(length, otherLength)).map((at) => [at, at]);
}

/** The tokens of words that correspond, piece by piece. */
function sameWords(one: readonly Token[], other: readonly Token[]): Match[] {
  const [units, otherUnits] = [unitsOf(one), unitsOf(other)];
  return matchWords(units, otherUnits).flatMap(([at, to]) => {
    const [pieces, otherPieces] = [units[at]?.indices ?? [], otherUnits[to]?.indices ?? []];
    return range(0, Math.min(pieces.length, otherPieces.length)).map(
      (index): Match => [pieces[index] ?? 0, otherPieces[index] ?? 0],
    );
  });
}

/** Pairs two tokens; their former counterparts have none any more. */
function join({ toOther, toOne }: Alignment, one: number, other: number): void {
  const [before, otherBefore] = [toOne[other], toOther[one]];
  if (typeof before === "number") toOther[before] = null;
  if (typeof otherBefore === "number") toOne[otherBefore] = null;
  toOther[one] = other;
  toOne[other] = one;
}

/** Several longest common subsequences may be equally long: the order of the two texts must not decide which is taken. */
function matchWords(one: readonly Unit[], other: readonly Unit[]): Match[] {
  const [keys, otherKeys] = [one, other].map((units) => units.map(({ key }) => key));
  if (!keys || !otherKeys) return [];
  const swapped = JSON.stringify(keys) > JSON.stringify(otherKeys);
  const found = swapped ? matchKeys(otherKeys, keys) : matchKeys(keys, otherKeys);
  return swapped ? found.map(([a, b]) => [b, a]) : found;
}

function matchKeys(one: readonly string[], other: readonly string[]): Match[] {
  const common = commonPairs(one, other);
  const matches = [...common, ...movedWords(one, other, common)];
  return [...matches, ...exchangedWords(one.length, other.length, matches, common)];
}

/** Words that occur once in what is left of both texts. */
function movedWords(
  one: readonly string[],
  other: readonly string[],
  matches: readonly Match[],
): Match[] {
  const left = placesOf(one, new Set(matches.map(([at]) => at)));
  const otherLeft = placesOf(other, new Set(matches.map(([, at]) => at)));
  return [...left].flatMap(([key, [at, ...more]]): Match[] => {
    const [to, ...others] = otherLeft.get(key) ?? [];
    return at !== undefined && to !== undefined && more.length + others.length === 0
      ? [[at, to]]
      : [];
  });
}

function placesOf(keys: readonly string[], taken: ReadonlySet<number>): Map<string, number[]> {
  const places = new Map<string, number[]>();
  keys.forEach((key, at) => {
    if (!taken.has(at)) places.set(key, [...(places.get(key) ?? []), at]);
  });
  return places;
}

/** Between two words in common, as many words of one text as of the other. */
function exchangedWords(
  length: number,
  otherLength: number,
  matches: readonly Match[],
  common: readonly Match[],
): Match[] {
  const taken = new Set(matches.map(([at]) => at));
  const otherTaken = new Set(matches.map(([, at]) => at));
  const exchanged: Match[] = [];
  let [from, otherFrom] = [0, 0];
  for (const [to, otherTo] of [...common, [length, otherLength] as const]) {
    const left = range(from, to).filter((at) => !taken.has(at));
    const otherLeft = range(otherFrom, otherTo).filter((at) => !otherTaken.has(at));
    if (left.length === otherLeft.length)
      left.forEach((at, index) => exchanged.push([at, otherLeft[index] ?? 0]));
    [from, otherFrom] = [to + 1, otherTo + 1];
  }
  return exchanged;
}

function unitsOf(tokens: readonly Token[]): Unit[] {
  return wordsOf(tokens).map(({ indices }) => ({
    key: indices.map((index) => keyOf(tokens[index])).join(""),
    indices,
  }));
}

/** A capital at the beginning of a sentence makes no other word, and a hidden token is still the one that it hides. */
function keyOf(token: Token | undefined): string {
  if (!token) return "";
  if (token.hiddenText !== undefined) return token.hiddenText.trim().toLowerCase();
  // Special tokens are of one kind when they do the same, whatever a model calls them.
  if (token.special) return `<${token.role ?? token.text}>`;
  return token.text.trim().toLowerCase();
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

/** The tokens of two texts on one axis, and the position of each in either text. */
export interface SharedAxis {
  tokens: Token[];
  one: (number | null)[];
  other: (number | null)[];
}

/** Two patterns on the same axes. */
export interface SharedPattern {
  queries: SharedAxis;
  keys: SharedAxis;
  /** `[query, key]`: the first less the second, NaN where one of them has no finite number. */
  tensor: Tensor;
}

/**
 * The first text's tokens in their order, each with its counterpart, and what the second has more in its place. As in
 * a diff, `+` marks what only the first has and `−` what only the second has.
 */
export function sharedAxis(
  one: readonly Token[],
  other: readonly Token[],
  { toOther, toOne }: Alignment,
): SharedAxis {
  const axis: SharedAxis = { tokens: [], one: [], other: [] };
  const push = (token: Token | undefined, at: number | null, to: number | null): void => {
    if (token)
      axis.tokens.push(at !== null && to !== null ? token : marked(token, at === null ? "−" : "+"));
    axis.one.push(at);
    axis.other.push(to);
  };
  const pushMore = (from: number): void => {
    for (let at = from; at < other.length && toOne[at] === null; at += 1) push(other[at], null, at);
  };
  pushMore(0);
  one.forEach((token, at) => {
    const to = toOther[at] ?? null;
    push(token, at, to);
    if (to !== null) pushMore(to + 1);
  });
  return axis;
}

/** The first pattern less the second, cell by cell. */
export function sharedPattern(
  one: Tensor,
  other: Tensor,
  queries: SharedAxis,
  keys: SharedAxis,
): SharedPattern {
  const columns = keys.tokens.length;
  const data = new Float32Array(queries.tokens.length * columns);
  data.forEach((_, index) => {
    const cell = { query: Math.floor(index / columns), key: index % columns };
    data[index] =
      valueIn(one, fromShared("one", cell, queries, keys)) -
      valueIn(other, fromShared("other", cell, queries, keys));
    // Two masked scores have no difference.
    if (!Number.isFinite(data[index])) data[index] = NaN;
  });
  return {
    queries,
    keys,
    tensor: { data, shape: [queries.tokens.length, columns], axes: ["query", "key"] },
  };
}

/** Whether a text has a token that the other has not, so that some are marked by signs. */
export function isSigned({ queries, keys }: Pick<SharedPattern, "queries" | "keys">): boolean {
  return [queries, keys].some(({ one, other }) => one.includes(null) || other.includes(null));
}

/** Where a cell of the shared axes is in one of the two patterns; null where that has none. */
export function fromShared(
  which: "one" | "other",
  { query, key }: Cell,
  queries: SharedAxis,
  keys: SharedAxis,
): Cell | null {
  const [row, column] = [queries[which][query] ?? null, keys[which][key] ?? null];
  return row === null || column === null ? null : { query: row, key: column };
}

/** Where a cell of one of the patterns is on the shared axes; null where it is on none. */
export function toShared(
  which: "one" | "other",
  cell: Cell | null,
  { queries, keys }: Pick<SharedPattern, "queries" | "keys">,
): Cell | null {
  if (!cell) return null;
  const [query, key] = [queries[which].indexOf(cell.query), keys[which].indexOf(cell.key)];
  return query < 0 || key < 0 ? null : { query, key };
}

/** The counterpart of a cell in the other pattern. */
export function counterpartOf(
  cell: Cell | null,
  queries: readonly (number | null)[],
  keys: readonly (number | null)[],
): Cell | null {
  const [query, key] = cell ? [queries[cell.query] ?? null, keys[cell.key] ?? null] : [null, null];
  return query === null || key === null ? null : { query, key };
}

function valueIn(tensor: Tensor, cell: Cell | null): number {
  return cell ? (tensor.data[cell.query * (tensor.shape[1] ?? 0) + cell.key] ?? NaN) : NaN;
}

function marked(token: Token, sign: string): Token {
  return { ...token, text: `${sign} ${tokenLabel(token)}`, role: null };
}

/** A word and its counterpart, by their tokens; no tokens where there is no counterpart. */
export interface WordPair {
  side: Side;
  stack: "encoder" | "decoder";
  one: { text: string; positions: number[] };
  other: { text: string; positions: number[] } | null;
}

/** How alike the two words are, by layer, the embeddings first. */
export interface WordCosines {
  pair: WordPair;
  cosines: (number | null)[];
}

/** Which of the two texts an axis of a head is about; a model with one text has no other. */
export function sideOf(
  axis: "query" | "key",
  { stack }: Pick<HeadRef, "stack">,
  { architecture }: Pick<ModelInfo, "architecture">,
): Side {
  if (architecture !== "encoder-decoder" || stack === "encoder") return "source";
  return stack === "decoder" || axis === "query" ? "target" : "source";
}

/** The word that a token belongs to, and what it is paired with. */
export function wordPair(
  side: Side,
  architecture: ModelInfo["architecture"],
  tokens: readonly Token[],
  others: readonly Token[],
  { toOther }: Alignment,
  position: number,
): WordPair {
  const positions = wordAt(tokens, position);
  const to = positions.map((at) => toOther[at] ?? null).find((at) => at !== null) ?? null;
  const counterpart = to === null ? null : wordAt(others, to);
  const stack =
    architecture === "decoder" || (architecture === "encoder-decoder" && side === "target")
      ? "decoder"
      : "encoder";
  return {
    side,
    stack,
    one: { text: spelled(tokens, positions), positions },
    other: counterpart && { text: spelled(others, counterpart), positions: counterpart },
  };
}

/** Every word of a text that has a counterpart in the other one. */
export function pairedWords(
  side: Side,
  architecture: ModelInfo["architecture"],
  tokens: readonly Token[],
  others: readonly Token[],
  alignment: Alignment,
): WordPair[] {
  return wordsOf(tokens)
    .map(({ indices: [first = 0] }) =>
      wordPair(side, architecture, tokens, others, alignment, first),
    )
    .filter(({ other }) => other !== null);
}

/** Reads how alike the states of paired words are; of words without a counterpart there is nothing to read. */
export async function readCosines(
  one: Run,
  other: Run,
  pairs: readonly WordPair[],
): Promise<WordCosines[]> {
  return Promise.all(
    pairs.map(async (pair) => {
      const { stack, one: word, other: counterpart } = pair;
      if (!counterpart) return { pair, cosines: [] };
      return {
        pair,
        cosines: await one.cosines({
          stack,
          positions: word.positions,
          other,
          otherPositions: counterpart.positions,
        }),
      };
    }),
  );
}

function wordAt(tokens: readonly Token[], position: number): number[] {
  return wordsOf(tokens).find(({ indices }) => indices.includes(position))?.indices ?? [position];
}

function spelled(tokens: readonly Token[], positions: readonly number[]): string {
  return positions
    .map((at) => labelAt(tokens, at))
    .join("")
    .trim();
}

/** Which tokens on a head's axes stand for which in the other run. */
export interface AlignedHead {
  queries: Alignment;
  keys: Alignment;
}

/** The same head in both runs. */
export interface PairedHead extends AlignedHead {
  one: HeadFigures;
  other: HeadFigures;
  shared: SharedPattern;
}

/** Aligns the axes of a head in two runs; pairs made by hand come first. `info` is the first run's. */
export function alignedHead(
  one: HeadFigures,
  other: HeadFigures,
  info: ModelInfo,
  { aligned, pairs }: Pick<State, "aligned" | "pairs">,
): AlignedHead {
  const byHand = (axis: "query" | "key"): State["pairs"] =>
    pairs.filter(({ side }) => side === sideOf(axis, one.head, info));
  return {
    queries: align(one.queries, other.queries, aligned, byHand("query")),
    keys: align(one.keys, other.keys, aligned, byHand("key")),
  };
}

/** Both heads at one stage, and what the first has more than the second. */
export function pairedHead(
  one: HeadFigures,
  other: HeadFigures,
  { queries, keys }: AlignedHead,
  stage: Stage,
): PairedHead {
  const axes = [
    sharedAxis(one.queries, other.queries, queries),
    sharedAxis(one.keys, other.keys, keys),
  ] as const;
  return {
    one,
    other,
    queries,
    keys,
    shared: sharedPattern(one.stages[stage], other.stages[stage], ...axes),
  };
}

/** What the two runs are called. */
export interface PairNames {
  one: string;
  other: string;
}

/** Two states of one direction have this cosine; a bar of it is as long as can be. */
export const LARGEST_COSINE = 1;

/** One bar for each layer, the embeddings first. A state that is zero has no direction. */
export function cosineBars({ cosines }: WordCosines): BarItem[] {
  return cosines.map((cosine, layer) => ({
    label: layer === 0 ? message("pairs.embedding") : message("pairs.layer", { layer }),
    value: cosine ?? 0,
    text: cosine === null ? "–" : formatFixed(cosine),
  }));
}

export function cosinesTitle({ one, other }: WordPair): string {
  return other
    ? message("pairs.cosineOf", { one: one.text, other: other.text })
    : message("pairs.alone", { word: one.text });
}
