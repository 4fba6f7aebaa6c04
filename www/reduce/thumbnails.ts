/**
 * Small pictures of patterns that no run computed. The core reduces the patterns of a run by the
 * same rule (`src/analysis/pattern.rs`).
 */
import type { Tensor } from "../data/index.js";

/** The first and the end of what small row `index` of `size` covers of `count` rows. */
function covered(index: number, size: number, count: number): [first: number, end: number] {
  const first = Math.floor((index * count) / size);
  return [first, Math.max(first + 1, Math.ceil(((index + 1) * count) / size))];
}

/**
 * All patterns, shape `[layer, head, query, key]`, with at most `size` rows and columns: a small
 * cell is the maximum of the cells that it covers, so that a strong cell stays visible.
 */
export function thumbnailsOf({ data, shape, axes }: Tensor, size: number): Tensor {
  const [layers = 0, heads = 0, rows = 0, columns = 0] = shape;
  if (rows <= size && columns <= size) return { data, shape, axes };
  const high = Math.min(size, rows);
  const wide = Math.min(size, columns);
  const small = new Float32Array(layers * heads * high * wide);
  const across = Array.from({ length: wide }, (_, column) => covered(column, wide, columns));
  let at = 0;
  for (let head = 0; head < layers * heads; head += 1)
    for (let row = 0; row < high; row += 1) {
      const [first, end] = covered(row, high, rows);
      for (const [left, right] of across) {
        let largest = -Infinity;
        for (let query = first; query < end; query += 1) {
          const start = (head * rows + query) * columns;
          for (let key = left; key < right; key += 1)
            largest = Math.max(largest, data[start + key] ?? -Infinity);
        }
        small[at] = largest;
        at += 1;
      }
    }
  return { data: small, shape: [layers, heads, high, wide], axes };
}
