// The cell of a pattern where it is strongest.
import type { Cell, Tensor } from "../data/index.js";

/** The number in one cell of a pattern. */
export function valueAt(tensor: Tensor, { query, key }: Cell): number {
  return tensor.data[query * (tensor.shape[1] ?? 0) + key] ?? NaN;
}

/** The cell with the largest number; the first of several; null if there are none. */
export function strongestOf(weights: Tensor, cells: readonly Cell[]): Cell | null {
  let best: Cell | null = null;
  let most = -Infinity;
  for (const cell of cells) {
    const value = valueAt(weights, cell);
    if (value > most) {
      most = value;
      best = cell;
    }
  }
  return best;
}

/** The strongest cell of one token's row or column. */
export function cellOfToken(weights: Tensor, axis: keyof Cell, index: number): Cell | null {
  const [queries = 0, keys = 0] = weights.shape;
  if (axis === "query") {
    return index < queries
      ? strongestOf(
          weights,
          Array.from({ length: keys }, (_, key) => ({ query: index, key })),
        )
      : null;
  }
  return index < keys
    ? strongestOf(
        weights,
        Array.from({ length: queries }, (_, query) => ({ query, key: index })),
      )
    : null;
}
