import type { Cell, Region, Tensor } from "../../data/index.js";
import { cutOut, inRegion, shownOf } from "../../draw/region.js";

/** A matrix with all that is painted of it. */
export interface Painted {
  matrix: Tensor;
  queries: string[];
  keys: string[];
  blocked: Cell[];
  /** Rows that may look at nothing. */
  fullyMasked: number[];
  mass: Float64Array | null;
  given: Float64Array | null;
}

/** What is painted of a region, in places counted from its first row and column: of null, the very same matrix. */
export function drawn(region: Region | null, whole: Painted): Painted {
  if (!region) return whole;
  const { query, key, rows, columns } = region;
  return {
    matrix: cutOut(whole.matrix, region),
    queries: whole.queries.slice(query, query + rows),
    keys: whole.keys.slice(key, key + columns),
    blocked: whole.blocked.flatMap((cell) => inRegion(region, cell) ?? []),
    fullyMasked: whole.fullyMasked.flatMap((row) =>
      row >= query && row < query + rows ? [row - query] : [],
    ),
    mass: whole.mass?.slice(key, key + columns) ?? null,
    given: whole.given?.slice(query, query + rows) ?? null,
  };
}

/** A cell of the matrix in the places of what is drawn, or null where that does not show it. */
export function drawnCell(region: Region | null, cell: Cell | null): Cell | null {
  return cell && region ? inRegion(region, cell) : cell;
}

/** A cell of what is drawn in the places of the matrix. */
export function wholeCell(region: Region | null, cell: Cell | null): Cell | null {
  return cell && region ? { query: region.query + cell.query, key: region.key + cell.key } : cell;
}

/** First and last row and column that are shown, counted from one. */
export function bounds(
  region: Region | null,
  extent: { rows: number; columns: number },
): Record<"firstQuery" | "lastQuery" | "firstKey" | "lastKey", number> {
  const { query, key, rows, columns } = shownOf(region, extent);
  return {
    firstQuery: query + 1,
    lastQuery: query + rows,
    firstKey: key + 1,
    lastKey: key + columns,
  };
}
