// Which part of a large matrix a figure shows: nearer to a cell, further away, moved along. A region has whole rows
// and columns only, and keeps the proportions of its matrix; null is the whole matrix.
import type { Cell, Region, Tensor } from "../data/index.js";

/** How many rows and columns a matrix has. */
export type Extent = Pick<Region, "rows" | "columns">;

/** Fewer rows or columns than this are not worth enlarging. */
export const FEWEST = 8;

/** The region of a matrix, or null for one that shows all of it or does not lie in it: its text has changed. */
export function regionOf(region: Region | null, { rows, columns }: Extent): Region | null {
  if (!region) return null;
  const { query, key } = region;
  const lies =
    query >= 0 &&
    key >= 0 &&
    region.rows > 0 &&
    region.columns > 0 &&
    query + region.rows <= rows &&
    key + region.columns <= columns;
  return !lies || (region.rows === rows && region.columns === columns) ? null : region;
}

/** What is shown of a matrix, be it all. */
export function shownOf(region: Region | null, { rows, columns }: Extent): Region {
  return region ?? { query: 0, key: 0, rows, columns };
}

/** Shows as many times more of each side as `factor` says, below 1 less, and keeps the cell `at` where it is seen. */
export function zoomed(
  region: Region | null,
  at: Cell,
  factor: number,
  extent: Extent,
): Region | null {
  const now = shownOf(region, extent);
  // The longer side says how near it is: the other may have come to its fewest.
  const share = Math.min(
    1,
    factor *
      (extent.rows >= extent.columns ? now.rows / extent.rows : now.columns / extent.columns),
  );
  const rows = lengthOf(extent.rows, share);
  const columns = lengthOf(extent.columns, share);
  const next = {
    query: startOf(now.query, now.rows, rows, at.query, extent.rows),
    key: startOf(now.key, now.columns, columns, at.key, extent.columns),
    rows,
    columns,
  };
  return regionOf(next, extent);
}

/** Whether a step nearer would show less. */
export function canEnlarge(region: Region | null, extent: Extent): boolean {
  const { rows, columns } = shownOf(region, extent);
  return (extent.rows >= extent.columns ? rows : columns) > FEWEST;
}

/** Moved by whole rows and columns, as far as there are any. */
export function moved(region: Region, rows: number, columns: number, extent: Extent): Region {
  return {
    ...region,
    query: within(region.query + rows, extent.rows - region.rows),
    key: within(region.key + columns, extent.columns - region.columns),
  };
}

/** The nearest region of the same size that has this cell in it: the very same one where it has it already. */
export function around(region: Region, { query, key }: Cell): Region {
  const to = {
    query: nearest(region.query, region.rows, query),
    key: nearest(region.key, region.columns, key),
  };
  return to.query === region.query && to.key === region.key ? region : { ...region, ...to };
}

/** A cell of the whole matrix counted within a region, or null outside it. */
export function inRegion({ query, key, rows, columns }: Region, cell: Cell): Cell | null {
  const to = { query: cell.query - query, key: cell.key - key };
  return to.query >= 0 && to.query < rows && to.key >= 0 && to.key < columns ? to : null;
}

/** The numbers of a region. */
export function cutOut(matrix: Tensor, { query, key, rows, columns }: Region): Tensor {
  const width = matrix.shape[1] ?? 0;
  const data = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const start = (query + row) * width + key;
    data.set(matrix.data.subarray(start, start + columns), row * columns);
  }
  return { ...matrix, data, shape: [rows, columns] };
}

function lengthOf(all: number, share: number): number {
  return Math.min(all, Math.max(FEWEST, Math.round(all * share)));
}

/** Where a side begins that now shows `length` cells instead of `before`, with `at` in the same place. */
function startOf(start: number, before: number, length: number, at: number, all: number): number {
  return within(Math.round(at + 0.5 - ((at + 0.5 - start) / before) * length), all - length);
}

function nearest(start: number, length: number, at: number): number {
  return Math.min(at, Math.max(start, at - length + 1));
}

function within(value: number, most: number): number {
  return Math.min(Math.max(0, value), Math.max(0, most));
}
