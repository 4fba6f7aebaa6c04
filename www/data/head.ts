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
