import { rowOf, type Cell, type Region, type Tensor } from "../data/index.js";

// The region of a large matrix that a figure shows: whole rows and columns in the proportions of
// the matrix; null for all.

export type Extent = Pick<Region, "rows" | "columns">;
export const FEWEST = 8;
/** How many times the cells that have room for labels a whole matrix may have. */
const CROWDED = 1.5;
const within = (value: number, most: number): number =>
  Math.min(Math.max(0, value), Math.max(0, most));

/**
 * The region itself; null for one that is the whole matrix or, after a change of text, not inside
 * it.
 */
export function regionOf(region: Region | null, { rows, columns }: Extent): Region | null {
  if (!region || (region.rows === rows && region.columns === columns)) return null;
  const isInside =
    Math.min(region.query, region.key, region.rows - 1, region.columns - 1) >= 0 &&
    region.query + region.rows <= rows &&
    region.key + region.columns <= columns;
  return isInside ? region : null;
}

export function shownOf(region: Region | null, { rows, columns }: Extent): Region {
  return region ?? { query: 0, key: 0, rows, columns };
}

/**
 * The longer side of a matrix, of a square one that of the region shown. It decides how far to
 * zoom: the shorter one may already have its fewest cells.
 */
function longerSide(all: Extent, shown: Extent): keyof Extent {
  const { rows, columns } = all.rows === all.columns ? shown : all;
  return rows >= columns ? "rows" : "columns";
}

/**
 * The region with its sides multiplied by `factor`, and the cell `at` in the same place of the
 * window.
 */
export function zoomed(from: Region | null, at: Cell, factor: number, all: Extent): Region | null {
  const now = shownOf(from, all);
  const longer = longerSide(all, now);
  const share = Math.min(1, factor * (now[longer] / all[longer]));
  const side = (start: number, before: number, to: number, count: number): [number, number] => {
    const length = Math.min(count, Math.max(FEWEST, Math.round(count * share)));
    const first = Math.round(to + 0.5 - ((to + 0.5 - start) / before) * length);
    return [within(first, count - length), length];
  };
  const [query, rows] = side(now.query, now.rows, at.query, all.rows);
  const [key, columns] = side(now.key, now.columns, at.key, all.columns);
  return regionOf({ query, key, rows, columns }, all);
}

export function canEnlarge(region: Region | null, extent: Extent): boolean {
  const shown = shownOf(region, extent);
  return shown[longerSide(extent, shown)] > FEWEST;
}

export function moved(region: Region, rows: number, columns: number, extent: Extent): Region {
  return {
    ...region,
    query: within(region.query + rows, extent.rows - region.rows),
    key: within(region.key + columns, extent.columns - region.columns),
  };
}

/** The nearest region of the same size that contains a cell; the same object if it does already. */
export function around(region: Region, { query: row, key: column }: Cell): Region {
  const nearest = (start: number, length: number, at: number): number =>
    Math.min(at, Math.max(start, at - length + 1));
  const query = nearest(region.query, region.rows, row);
  const key = nearest(region.key, region.columns, column);
  return query === region.query && key === region.key ? region : { ...region, query, key };
}

/**
 * The region around a cell in which every row and column has room for its label; null where the
 * whole matrix has it, or nearly so. It stays at `before` as long as the cell is in there; else the
 * cell is in its middle.
 */
export function nearest(at: Cell, before: Region | null, all: Extent, room: Extent): Region | null {
  if (all.rows <= CROWDED * room.rows && all.columns <= CROWDED * room.columns) return null;
  const rows = Math.min(all.rows, Math.max(FEWEST, room.rows));
  const columns = Math.min(all.columns, Math.max(FEWEST, room.columns));
  const kept = before?.rows === rows && before.columns === columns ? regionOf(before, all) : null;
  if (kept && around(kept, at) === kept) return kept;
  const query = within(at.query - (rows >> 1), all.rows - rows);
  const key = within(at.key - (columns >> 1), all.columns - columns);
  return regionOf({ query, key, rows, columns }, all);
}

export function inRegion({ query, key, rows, columns }: Region, cell: Cell): Cell | null {
  const to = { query: cell.query - query, key: cell.key - key };
  return to.query >= 0 && to.query < rows && to.key >= 0 && to.key < columns ? to : null;
}

/** The cells of a region as a matrix; the same matrix if the region is all of it. */
export function cutOut(matrix: Tensor, { query, key, rows, columns }: Region): Tensor {
  if (matrix.shape[0] === rows && matrix.shape[1] === columns) return matrix;
  const data = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++)
    data.set(rowOf(matrix, query + row).subarray(key, key + columns), row * columns);
  return { ...matrix, data, shape: [rows, columns] };
}

/**
 * The cells on the straight line between two cells, both included: a pointer event may skip cells.
 */
export function between(from: Cell, to: Cell): Cell[] {
  const down = to.query - from.query;
  const across = to.key - from.key;
  const steps = Math.max(Math.abs(down), Math.abs(across));
  return Array.from({ length: steps + 1 }, (_, step) => ({
    query: from.query + Math.round(down * (step / (steps || 1))),
    key: from.key + Math.round(across * (step / (steps || 1))),
  }));
}

export function rectangle(one: Cell, other: Cell): Cell[] {
  const top = Math.min(one.query, other.query);
  const left = Math.min(one.key, other.key);
  const rows = Math.abs(one.query - other.query) + 1;
  const columns = Math.abs(one.key - other.key) + 1;
  return Array.from({ length: rows * columns }, (_, place) => ({
    query: top + Math.floor(place / columns),
    key: left + (place % columns),
  }));
}
