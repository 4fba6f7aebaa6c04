// Displayed patterns: by word, without special tokens, without the sink. These reductions are no
// part of the model's computation; sums are taken in f64 and rounded once.
import { isForbidden, rowOf, type Tensor, type Token } from "../data/index.js";

/** A word of the text with the indices of its tokens; a special token is alone. */
export interface Word {
  special: boolean;
  indices: number[];
}

export function wordsOf(tokens: readonly Token[]): Word[] {
  const words: Word[] = [];
  tokens.forEach((token, index) => {
    const last = words.at(-1);
    const before = tokens[index - 1];
    if (last && !token.special && !last.special && token.word >= 0 && before?.word === token.word)
      last.indices.push(index);
    else words.push({ special: token.special, indices: [index] });
  });
  return words;
}

/** The positions of the tokens in each row or column that is shown. */
export type Groups = readonly (readonly number[])[];

/** The grouping of a displayed pattern; `without` is one further position that is left out. */
export interface Grouping {
  byWord: boolean;
  ordinaryOnly: boolean;
  without: number | null;
}

/** Whether a token is special. A masked token still belongs to the user's text. */
const isSpecial = ({ special, maskedText }: Token): boolean => special && maskedText === undefined;

/**
 * The groups of a text that are rows or columns. Special tokens stay if nothing else would be left.
 */
export function groupsOf(tokens: readonly Token[], grouping: Grouping): Groups {
  const { byWord, ordinaryOnly, without } = grouping;
  const joined = byWord
    ? wordsOf(tokens).map(({ indices }) => indices)
    : tokens.map((_, index) => [index]);
  const remaining = (hasSpecials: boolean): Groups =>
    joined
      .map((group) =>
        group.filter((index) => {
          const token = tokens[index];
          return token && index !== without && (hasSpecials || !isSpecial(token));
        }),
      )
      .filter(({ length }) => length > 0);
  const ordinary = remaining(!ordinaryOnly);
  return ordinary.length > 0 ? ordinary : remaining(true);
}

/** Whether each of `count` tokens is a group of its own, in order. */
const isWhole = (groups: Groups, count: number): boolean =>
  groups.length === count && groups.every((group, at) => group.length === 1 && group[0] === at);

/** The token of each group; the text of a word is that of its pieces. */
export function groupTokens(tokens: readonly Token[], groups: Groups): Token[] {
  return groups.flatMap((group) => {
    const pieces = group.flatMap((index) => tokens[index] ?? []);
    const [first] = pieces;
    if (!first || pieces.length === 1) return pieces;
    return [{ ...first, text: pieces.map(({ text }) => text).join(""), role: null }];
  });
}

/**
 * A `[query, key]` tensor reduced to groups of tokens: the mean over a group's queries of the sum
 * over a group's keys, so that the sum of a row is the mean sum of its queries' rows, and single
 * tokens keep their numbers. With one key left out, the others of each row are divided by their
 * sum, shown or not; a row that has nothing left stays 0.
 */
export function joinCells(
  cells: Tensor,
  rows: Groups,
  columns: Groups = Array.from({ length: cells.shape[1] ?? 0 }, (_, column) => [column]),
  without: number | null = null,
): Tensor {
  const [count = 0, width = 0] = cells.shape;
  if (without === null && isWhole(rows, count) && isWhole(columns, width)) return cells;
  const data = new Float32Array(rows.length * columns.length);
  const sums = new Float64Array(width);
  rows.forEach((queries, at) => {
    sums.fill(0);
    for (const query of queries)
      for (let key = 0; key < width; key += 1)
        sums[key] = (sums[key] ?? 0) + (cells.data[query * width + key] ?? 0);
    const whole =
      without === null
        ? queries.length
        : sums.reduce((sum, value, key) => (key === without ? sum : sum + value), 0);
    if (whole === 0) return;
    columns.forEach((keys, to) => {
      data[at * columns.length + to] = keys.reduce((sum, key) => sum + (sums[key] ?? 0), 0) / whole;
    });
  });
  return { ...cells, data, shape: [rows.length, columns.length] };
}

export function rowSums(cells: Tensor): number[] {
  return Array.from({ length: cells.shape[0] ?? 0 }, (_, row) =>
    rowOf(cells, row).reduce((sum, value) => sum + value, 0),
  );
}

/** The sum or the mean of some rows, or some columns, of a `[query, key]` tensor. */
export function poolWeights(
  { data, shape: [rows = 0, columns = 0] }: Tensor,
  axis: "query" | "key",
  places: readonly number[],
  pool: "sum" | "mean",
): number[] {
  const at = (place: number, other: number): number =>
    (axis === "query" ? data[place * columns + other] : data[other * columns + place]) ?? 0;
  const share = pool === "mean" ? 1 / Math.max(1, places.length) : 1;
  return Array.from(
    { length: axis === "query" ? columns : rows },
    (_, other) => places.reduce((sum, place) => sum + at(place, other), 0) * share,
  );
}

/** The least mean weight of an attention sink: the weight of all other keys together. */
const SINK_SHARE = 0.5;

export interface Sink {
  key: number;
  /** The mean weight that the sink takes from queries with more than one visible key. */
  share: number;
}

/**
 * The attention sink (Xiao et al. 2023, arXiv:2309.17453): the first or a special token that takes
 * at least half of the weight of the queries with several visible keys; null if there is none.
 */
export function sinkOf(weights: Tensor, mask: Tensor, keys: readonly Token[]): Sink | null {
  const [rows = 0, columns = 0] = weights.shape;
  const allowed = (row: number): number =>
    rowOf(mask, row).reduce((count, value) => count + (isForbidden(value) ? 0 : 1), 0);
  const choosing = Array.from({ length: rows }, (_, row) => row).filter((row) => allowed(row) > 1);
  const shares = keys.map((token, key) =>
    key > 0 && !isSpecial(token)
      ? 0
      : choosing.reduce((sum, row) => sum + (weights.data[row * columns + key] ?? 0), 0) /
        choosing.length,
  );
  const share = shares.reduce((most, one) => Math.max(most, one), 0);
  return share >= SINK_SHARE ? { key: shares.indexOf(share), share } : null;
}
