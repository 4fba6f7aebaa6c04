import type { Stack } from "./generated.js";
import type { Tensor } from "./tensor.js";

/** One attention head. All indices start at zero. */
export interface HeadRef {
  stack: Stack;
  layer: number;
  head: number;
}

/** One head's weights, `[query, key]`. */
export interface HeadPattern {
  head: number;
  weights: Tensor;
}

/** What a head multiplies, `[position, head_dim]` each: the queries' vectors and the keys'. */
export interface HeadVectors {
  query: Tensor;
  key: Tensor;
}

/** One cell of an attention pattern. */
export interface Cell {
  query: number;
  key: number;
}

/** A part of a matrix: `rows` queries from `query` on, `columns` keys from `key` on. All of them are there. */
export interface Region extends Readonly<Cell> {
  readonly rows: number;
  readonly columns: number;
}

/** What stands at the margins of a pattern. Forbidden cells, and what is no finite number, are in none of the sums. */
export interface Marginals {
  /** The sum of each query's row. */
  queries: number[];
  /** The sum of each key's column. */
  keys: number[];
  /** The smallest and the largest number, 0 where there is none. */
  least: number;
  largest: number;
  /** How many cells may not be looked at. */
  forbidden: number;
}
