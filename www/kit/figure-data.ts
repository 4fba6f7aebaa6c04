/** Numbers of an answer in the forms of figures. */
import type { Tensor } from "../data/index.js";

/** Numbers in row-major order as a tensor with the given number of columns. */
export function tensorOf(
  numbers: readonly number[],
  columns: number,
  axes: [string, string] = ["query", "key"],
): Tensor {
  return { data: Float32Array.from(numbers), shape: [numbers.length / columns, columns], axes };
}

/** The names of `count` rows or columns: their numbers, from one. */
export function placeNames(count: number): string[] {
  return Array.from({ length: count }, (_, position) => String(position + 1));
}
