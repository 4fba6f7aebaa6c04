// Between the cells of a picture, which may stand for several tokens, and the cells of tokens that the page keeps.
import type { Cell } from "../../data/index.js";
import { cellOfToken, strongestOf } from "../../draw/layout.js";
import type { Groups } from "../../reduce/index.js";
import type { Looked } from "./looked.js";
import { strongestCell } from "./selection.js";

/** The row or column that a token is in; -1 for one that has none. */
export function groupAt(groups: Groups, index: number): number {
  return groups.findIndex((group) => group.includes(index));
}

/** Where a picture shows a cell of tokens; null where it does not. */
export function placeIn({ rows, columns }: Looked, cell: Cell | null): Cell | null {
  if (!cell) return null;
  const place = { query: groupAt(rows, cell.query), key: groupAt(columns, cell.key) };
  return place.query < 0 || place.key < 0 ? null : place;
}

/** The cells of tokens that a picture's cell stands for. */
export function cellsAt({ rows, columns }: Looked, { query, key }: Cell): Cell[] {
  return (rows[query] ?? []).flatMap((one) =>
    (columns[key] ?? []).map((other) => ({ query: one, key: other })),
  );
}

/** Of those the strongest, which speaks for all. */
export function cellAt(looked: Looked, place: Cell | null): Cell | null {
  return place && strongestOf(looked.figures.stages.weights, cellsAt(looked, place));
}

/** The strongest cell that a picture shows of one token's row or column. */
export function cellOf(looked: Looked, axis: keyof Cell, index: number): Cell | null {
  const group = groupAt(axis === "query" ? looked.rows : looked.columns, index);
  return group < 0 ? null : cellAt(looked, cellOfToken(looked.weights, axis, group));
}

const strongest = new WeakMap<Looked, Cell | null>();

/** The strongest cell that a picture shows, between ordinary tokens where there are any. */
export function strongestAt(looked: Looked): Cell | null {
  const known = strongest.get(looked);
  if (known !== undefined) return known;
  const found = cellAt(looked, strongestCell(looked.weights, looked.queries, looked.keys));
  strongest.set(looked, found);
  return found;
}

/** The cells of a picture that are blocked: those of which every cell of tokens is. */
export function blockedPlaces(looked: Looked, blocked: readonly Cell[]): Cell[] {
  const nameOf = ({ query, key }: Cell): string => `${query} ${key}`;
  const names = new Set(blocked.map(nameOf));
  const places = new Map(
    blocked.flatMap((cell) => placeIn(looked, cell) ?? []).map((place) => [nameOf(place), place]),
  );
  return [...places.values()].filter((place) =>
    cellsAt(looked, place).every((cell) => names.has(nameOf(cell))),
  );
}
