import type { Cell, Region, Tensor } from "../data/index.js";

// The region of a large matrix that a figure shows: whole rows and columns in the proportions of the matrix; null for all.

export type Extent = Pick<Region, "rows" | "columns">;

/** The fewest rows or columns of a region. */
export const FEWEST = 8;

/** The region itself; null for one that is the whole matrix or not inside it, after a change of text. */
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

export function shownOf(region: Region | null, { rows, columns }: Extent): Region {
  return region ?? { query: 0, key: 0, rows, columns };
}

/** The region with its sides multiplied by `factor`, and the cell `at` in the same place of the window. */
export function zoomed(
  region: Region | null,
  at: Cell,
  factor: number,
  extent: Extent,
): Region | null {
  const now = shownOf(region, extent);
  // The longer side decides: the shorter one may already have its fewest cells.
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

/** Whether zooming in would change it. */
export function canEnlarge(region: Region | null, extent: Extent): boolean {
  const { rows, columns } = shownOf(region, extent);
  return (extent.rows >= extent.columns ? rows : columns) > FEWEST;
}

/** The region moved by rows and columns, within the matrix. */
export function moved(region: Region, rows: number, columns: number, extent: Extent): Region {
  return {
    ...region,
    query: within(region.query + rows, extent.rows - region.rows),
    key: within(region.key + columns, extent.columns - region.columns),
  };
}

/** The nearest region of the same size that contains a cell; the same object if it does already. */
export function around(region: Region, { query, key }: Cell): Region {
  const to = {
    query: nearest(region.query, region.rows, query),
    key: nearest(region.key, region.columns, key),
  };
  return to.query === region.query && to.key === region.key ? region : { ...region, ...to };
}

/** A cell counted within the region; null outside it. */
export function inRegion({ query, key, rows, columns }: Region, cell: Cell): Cell | null {
  const to = { query: cell.query - query, key: cell.key - key };
  return to.query >= 0 && to.query < rows && to.key >= 0 && to.key < columns ? to : null;
}

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

/** The start of a side of `length` cells instead of `before`, with `at` in the same place. */
function startOf(start: number, before: number, length: number, at: number, all: number): number {
  return within(Math.round(at + 0.5 - ((at + 0.5 - start) / before) * length), all - length);
}

function nearest(start: number, length: number, at: number): number {
  return Math.min(at, Math.max(start, at - length + 1));
}

function within(value: number, most: number): number {
  return Math.min(Math.max(0, value), Math.max(0, most));
}

/** The cells on the straight line between two cells, both included: a pointer event may skip cells. */
export function between(from: Cell, to: Cell): Cell[] {
  const [down, across] = [to.query - from.query, to.key - from.key];
  const steps = Math.max(Math.abs(down), Math.abs(across));
  return Array.from({ length: steps + 1 }, (_, step) => {
    const along = steps === 0 ? 0 : step / steps;
    return {
      query: from.query + Math.round(down * along),
      key: from.key + Math.round(across * along),
    };
  });
}

/** The cells of the rectangle between two corners, row by row. */
export function rectangle(one: Cell, other: Cell): Cell[] {
  const [top, left] = [Math.min(one.query, other.query), Math.min(one.key, other.key)];
  const [rows, columns] = [
    Math.abs(one.query - other.query) + 1,
    Math.abs(one.key - other.key) + 1,
  ];
  return Array.from({ length: rows * columns }, (_, place) => ({
    query: top + Math.floor(place / columns),
    key: left + (place % columns),
  }));
}
