// The matrices of the calculator. Matrices that do not fit together stay as they were typed: the
// page reports it, and nothing is lost. Every function returns new matrices.

/** A matrix, row by row, all rows equally long. */
export type Rows = readonly (readonly number[])[];

export const LONGEST_WORD = 40;

export interface MatrixInputs {
  /** The words, one for each row of `x`. */
  readonly words: readonly string[];
  readonly x: Rows;
  readonly query: Rows;
  readonly key: Rows;
  readonly value: Rows;
  /** The output projection; null if the head outputs side by side are the output. */
  readonly output: Rows | null;
  /** The mask that is added to the scores; -Infinity masks a cell. */
  readonly mask: Rows;
  readonly heads: number;
  /** The divisor of scores: the root of a head's width, or a number. */
  readonly divisor: "root" | number;
}

export function sized(
  rows: number,
  columns: number,
  cell: (row: number, column: number) => number,
): number[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => cell(row, column)),
  );
}

export function shapeOf(rows: Rows): readonly [rows: number, columns: number] {
  return [rows.length, rows[0]?.length ?? 0];
}

export function headChoices(keys: number, values: number): number[] {
  const counts = Array.from({ length: Math.min(keys, values) }, (_, at) => at + 1);
  return counts.filter((heads) => keys % heads === 0 && values % heads === 0);
}
