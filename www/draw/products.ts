// What a query and the keys multiply, dimension by dimension, before it is added up.
import type { HeadVectors } from "../data/index.js";

/** q ⊙ k of one query with every key, `[key, head_dim]`: each product of two numbers, none of them summed. */
export function productsOf(
  { query: { data: queries, shape }, key: { data: keys } }: HeadVectors,
  query: number,
): Float32Array {
  const width = shape[1] ?? 0;
  const from = query * width;
  return keys.map((value, index) => value * (queries[from + (index % width)] ?? 0));
}
