// Displayed patterns: by word, without special tokens, without the sink. These reductions are no
// part of the model's computation; sums are taken in f64 and rounded once.
import { LEAST_SCORE, type Tensor, type Token } from "../data/index.js";

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
  const joined: readonly number[][] = byWord
    ? wordsOf(tokens).map(({ indices }) => indices)
    : Array.from(tokens.keys(), (index) => [index]);
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
function isWhole(groups: Groups, count: number): boolean {
  if (groups.length !== count) return false;
  for (let at = 0; at < count; at += 1) {
    const group = groups[at];
    if (group?.length !== 1 || group[0] !== at) return false;
  }
  return true;
}

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
    let whole = without === null ? queries.length : 0;
    if (without !== null)
      for (let key = 0; key < width; key += 1) if (key !== without) whole += sums[key] ?? 0;
    if (whole === 0) return;
    for (let to = 0; to < columns.length; to += 1) {
      let sum = 0;
      for (const key of columns[to] ?? []) sum += sums[key] ?? 0;
      data[at * columns.length + to] = sum / whole;
    }
  });
  return { ...cells, data, shape: [rows.length, columns.length] };
}

// Plain loops without calls for a cell: these run over each pattern at every letter.

export function rowSums({ data, shape: [rows = 0, columns = 0] }: Tensor): number[] {
  const sums = new Array<number>(rows);
  for (let row = 0; row < rows; row += 1) {
    let sum = 0;
    for (let at = row * columns; at < (row + 1) * columns; at += 1) sum += data[at] ?? 0;
    sums[row] = sum;
  }
  return sums;
}

/** The sum or the mean of some rows, or some columns, of a `[query, key]` tensor. */
export function poolWeights(
  { data, shape: [rows = 0, columns = 0] }: Tensor,
  axis: "query" | "key",
  places: readonly number[],
  pool: "sum" | "mean",
): number[] {
  const share = pool === "mean" ? 1 / Math.max(1, places.length) : 1;
  const pooled = new Array<number>(axis === "query" ? columns : rows);
  for (let other = 0; other < pooled.length; other += 1) {
    let sum = 0;
    for (const place of places)
      sum += data[axis === "query" ? place * columns + other : other * columns + place] ?? 0;
    pooled[other] = sum * share;
  }
  return pooled;
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
  const choosing = choosingRows(mask);
  const [, columns = 0] = weights.shape;
  let found: Sink | null = null;
  for (const [key, token] of keys.entries()) {
    if (key > 0 && !isSpecial(token)) continue;
    let sum = 0;
    for (const row of choosing) sum += weights.data[row * columns + key] ?? 0;
    const share = sum / choosing.length;
    if (share >= SINK_SHARE && share > (found?.share ?? 0)) found = { key, share };
  }
  return found;
}

/** The rows of a mask with more than one visible key. */
function choosingRows({ data, shape: [rows = 0, columns = 0] }: Tensor): number[] {
  const choosing: number[] = [];
  for (let row = 0; row < rows; row += 1) {
    let visible = 0;
    for (let at = row * columns; at < (row + 1) * columns; at += 1)
      if ((data[at] ?? 0) >= LEAST_SCORE) visible += 1;
    if (visible > 1) choosing.push(row);
  }
  return choosing;
}
