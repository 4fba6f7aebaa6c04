import type { Tensor } from "../../../../data/index.js";
import type { CurveLine } from "../../../../draw/curves.js";

/** Numbers of a laboratory, row by row, as figures take them. */
export function tensorOf(
  numbers: readonly number[],
  columns: number,
  axes: [string, string],
): Tensor {
  return { data: Float32Array.from(numbers), shape: [numbers.length / columns, columns], axes };
}

/** Numbers from `first` on, by position or by how far two positions are apart; what is no number is a gap. */
export function curveOf(name: string, numbers: readonly number[], first = 0): CurveLine {
  return { name, points: numbers.map((y, at) => ({ x: first + at, y })) };
}

/** What positions are called on the page, where they count from 1. */
export function placeNames(count: number): string[] {
  return Array.from({ length: count }, (_, position) => String(position + 1));
}
