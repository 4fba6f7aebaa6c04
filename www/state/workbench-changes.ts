// How brought numbers are changed: every function gives new ones and leaves the old as they were.
import {
  headChoices,
  LONGEST_WORD,
  MOST_SIDE,
  shapeOf,
  sized,
  type BroughtName,
  type BroughtNumbers,
  type Rows,
} from "./workbench.js";

/** The same cells in another size; what is new is zero. */
function resized(matrix: Rows, rows: number, columns: number): Rows {
  const [oldRows, oldColumns] = shapeOf(matrix);
  return oldRows === rows && oldColumns === columns
    ? matrix
    : sized(rows, columns, (row, column) => matrix[row]?.[column] ?? 0);
}

/** The sizes that several matrices share. */
export const SIZES = ["words", "inner", "keys", "values", "out"] as const;
export type Size = (typeof SIZES)[number];

export function sizeOf(brought: BroughtNumbers, size: Size): number {
  const of: Record<Size, number> = {
    words: brought.x.length,
    inner: shapeOf(brought.x)[1],
    keys: shapeOf(brought.query)[1],
    values: shapeOf(brought.value)[1],
    out: shapeOf(brought.output ?? [])[1],
  };
  return of[size];
}

/** Gives a size another value, in every matrix that has it. What is cut off comes back with undo. */
export function resize(brought: BroughtNumbers, size: Size, to: number): BroughtNumbers {
  if (!Number.isInteger(to) || to < 1 || to > MOST_SIDE) return brought;
  const { words, x, query, key, value, output, mask } = brought;
  const wide = (matrix: Rows): Rows => resized(matrix, matrix.length, to);
  const high = (matrix: Rows): Rows => resized(matrix, to, shapeOf(matrix)[1]);
  switch (size) {
    case "words":
      return {
        ...brought,
        words: Array.from({ length: to }, (_, row) => words[row] ?? nameOf(row)),
        x: high(x),
        mask: resized(mask, to, to),
      };
    case "inner":
      return { ...brought, x: wide(x), query: high(query), key: high(key), value: high(value) };
    case "keys":
      return {
        ...brought,
        query: wide(query),
        key: wide(key),
        heads: shared(brought.heads, to, sizeOf(brought, "values")),
      };
    case "values":
      return {
        ...brought,
        value: wide(value),
        output: output && high(output),
        heads: shared(brought.heads, sizeOf(brought, "keys"), to),
      };
    case "out":
      return { ...brought, output: output && wide(output) };
  }
}

/** How a word without a name is called. */
function nameOf(row: number): string {
  return `w${row + 1}`;
}

/** The most heads, up to those that there are, that can share both widths evenly. */
function shared(heads: number, keys: number, values: number): number {
  return headChoices(keys, values).findLast((count) => count <= heads) ?? 1;
}

/** Puts a whole matrix in another's place, as a file or a paste brings it; the words keep up with the rows of `x`, the heads with the columns. */
export function withMatrix(
  brought: BroughtNumbers,
  name: BroughtName,
  rows: Rows,
  labels: readonly string[] | null = null,
): BroughtNumbers {
  if (name !== "x") {
    const changed = { ...brought, [name]: rows };
    return {
      ...changed,
      heads: shared(brought.heads, sizeOf(changed, "keys"), sizeOf(changed, "values")),
    };
  }
  return {
    ...brought,
    x: rows,
    words: rows.map(
      (_, row) => labels?.[row]?.slice(0, LONGEST_WORD) ?? brought.words[row] ?? nameOf(row),
    ),
  };
}

/** Numbers laid over a matrix from one cell on; it grows where they reach beyond it, but never past what is allowed. */
export function laidOver(matrix: Rows, block: Rows, at: { row: number; column: number }): Rows {
  const [rows, columns] = shapeOf(matrix);
  const [more, across] = shapeOf(block);
  const height = Math.min(MOST_SIDE, Math.max(rows, at.row + more));
  const width = Math.min(MOST_SIDE, Math.max(columns, at.column + across));
  return sized(
    height,
    width,
    (row, column) => block[row - at.row]?.[column - at.column] ?? matrix[row]?.[column] ?? 0,
  );
}

/** A matrix that does not go with the others, and the shape that would. */
export interface Misfit {
  name: BroughtName;
  shape: readonly [number, number];
  /** Null for a side that may be anything. */
  wanted: readonly [number | null, number | null];
}

/** The first matrix that does not go with the others; null where all do. Heads that cannot share the columns are no misfit of a shape. */
export function misfitOf({ x, query, key, value, output, mask }: BroughtNumbers): Misfit | null {
  const [words, inner] = shapeOf(x);
  const [, keys] = shapeOf(query);
  const [, values] = shapeOf(value);
  const wanted: readonly [BroughtName, Rows | null, number | null, number | null][] = [
    ["query", query, inner, null],
    ["key", key, inner, keys],
    ["value", value, inner, null],
    ["output", output, values, null],
    ["mask", mask, words, words],
  ];
  for (const [name, matrix, rows, columns] of wanted) {
    if (!matrix) continue;
    const shape = shapeOf(matrix);
    if ((rows !== null && rows !== shape[0]) || (columns !== null && columns !== shape[1]))
      return { name, shape, wanted: [rows, columns] };
  }
  return null;
}
