// A pattern as a picture shows it: cut out, joined into words, or without one key. Nothing here is the model's own
// computation; sums are taken in f64 and rounded once.
import type { Tensor } from "../data/index.js";
import { isWhole, type Groups } from "./groups.js";

/** The rows of a `[row, column]` tensor that stand alone in their groups, in that order; the same tensor if all do. */
export function pickRows(tensor: Tensor, rows: Groups): Tensor {
  const [count = 0, width = 0] = tensor.shape;
  if (isWhole(rows, count)) return tensor;
  const data = new Float32Array(rows.length * width);
  rows.forEach(([row = 0], at) =>
    data.set(tensor.data.subarray(row * width, (row + 1) * width), at * width),
  );
  return { ...tensor, data, shape: [rows.length, width] };
}

/** The cells of a `[query, key]` tensor in these rows and columns, each of one token. */
export function pickCells(tensor: Tensor, rows: Groups, columns: Groups): Tensor {
  const [, width = 0] = tensor.shape;
  if (isWhole(columns, width)) return pickRows(tensor, rows);
  const data = new Float32Array(rows.length * columns.length);
  rows.forEach(([row = 0], at) => {
    columns.forEach(
      ([column = 0], to) =>
        (data[at * columns.length + to] = tensor.data[row * width + column] ?? 0),
    );
  });
  return { ...tensor, data, shape: [rows.length, columns.length] };
}

/**
 * The weights between groups of tokens: the mean over a group's queries of the sum over a group's keys, so that a row
 * adds up to what its queries' rows add up to. Without one key, the others of each row are divided by what they all
 * add up to, shown or not; a row that has nothing left stays 0.
 */
export function joinWeights(
  weights: Tensor,
  rows: Groups,
  columns: Groups,
  without: number | null = null,
): Tensor {
  const [count = 0, width = 0] = weights.shape;
  if (without === null && isWhole(rows, count) && isWhole(columns, width)) return weights;
  const data = new Float32Array(rows.length * columns.length);
  const sums = new Float64Array(width);
  rows.forEach((queries, at) => {
    sums.fill(0);
    for (const query of queries)
      for (let key = 0; key < width; key += 1)
        sums[key] = (sums[key] ?? 0) + (weights.data[query * width + key] ?? 0);
    const whole =
      without === null
        ? queries.length
        : sums.reduce((sum, value, key) => (key === without ? sum : sum + value), 0);
    if (whole === 0) return;
    columns.forEach((keys, to) => {
      data[at * columns.length + to] = keys.reduce((sum, key) => sum + (sums[key] ?? 0), 0) / whole;
    });
  });
  return { ...weights, data, shape: [rows.length, columns.length] };
}

/** What each row of a `[query, key]` tensor adds up to. */
export function rowSums({ data, shape }: Tensor): number[] {
  const [rows = 0, columns = 0] = shape;
  return Array.from({ length: rows }, (_, row) =>
    data.subarray(row * columns, (row + 1) * columns).reduce((sum, value) => sum + value, 0),
  );
}

/** Several tokens may be looked at as one: what they have together, or on the average. */
export type Pool = "sum" | "mean";

/** Some rows, or some columns, of a `[query, key]` tensor as one: a number for each place of the other axis. */
export function poolWeights(
  { data, shape }: Tensor,
  axis: "query" | "key",
  places: readonly number[],
  pool: Pool,
): number[] {
  const [rows = 0, columns = 0] = shape;
  const at = (place: number, other: number): number =>
    (axis === "query" ? data[place * columns + other] : data[other * columns + place]) ?? 0;
  const share = pool === "mean" ? 1 / Math.max(1, places.length) : 1;
  return Array.from(
    { length: axis === "query" ? columns : rows },
    (_, other) => places.reduce((sum, place) => sum + at(place, other), 0) * share,
  );
}
