// The numbers that somebody brought to the workbench. What does not fit together stays as it was typed: whoever shows it
// says so, and nothing is lost.

/** The matrices by their names; `output` is the one that may be absent. */
export type BroughtName = "x" | "query" | "key" | "value" | "output" | "mask";

/** Row by row, all equally long. */
export type Rows = readonly (readonly number[])[];

/** Rows or columns of a matrix that is typed, at most: what a reader can still see. */
export const MOST_SIDE = 32;
/** Characters of a word at most. */
export const LONGEST_WORD = 40;

export interface BroughtNumbers {
  /** One for each row of `x`. */
  readonly words: readonly string[];
  readonly x: Rows;
  readonly query: Rows;
  readonly key: Rows;
  readonly value: Rows;
  /** Null where the contexts side by side are the output. */
  readonly output: Rows | null;
  /** What is added to the scores; -Infinity forbids. */
  readonly mask: Rows;
  readonly heads: number;
  /** What scores are divided by: the root of a head's width, or a number. */
  readonly divisor: "root" | number;
}

/** Four words of three numbers and one head: the example that can be followed by hand. */
export const TUTORIAL: BroughtNumbers = {
  words: ["w₁", "w₂", "w₃", "w₄"],
  x: [
    [1, 0, 0],
    [0, 1, 0],
    [1, 1, 0],
    [0, 0, 1],
  ],
  query: [
    [2, 0, 2],
    [2, 0, 0],
    [2, 1, 2],
  ],
  key: [
    [2, 2, 2],
    [0, 2, 1],
    [0, 1, 1],
  ],
  value: [
    [1, 1, 0],
    [0, 1, 1],
    [0, 0, 0],
  ],
  output: null,
  mask: filled(4, 4, 0),
  heads: 1,
  divisor: "root",
};

export function sized(
  rows: number,
  columns: number,
  cell: (row: number, column: number) => number,
): Rows {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => cell(row, column)),
  );
}

export function filled(rows: number, columns: number, value: number): Rows {
  return sized(rows, columns, () => value);
}

/** Rows and columns. */
export function shapeOf(rows: Rows): readonly [rows: number, columns: number] {
  return [rows.length, rows[0]?.length ?? 0];
}

/** How many heads can share both widths evenly. */
export function headChoices(keys: number, values: number): number[] {
  return Array.from({ length: Math.min(keys, values) }, (_, index) => index + 1).filter(
    (heads) => keys % heads === 0 && values % heads === 0,
  );
}
