// The numbers that somebody brought to the workbench. What does not fit together stays as it was typed: whoever shows it
// says so, and nothing is lost. Every function that changes them gives new ones.

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

/** Where one starts: the example, two words that are the same, one where all are alike, and two heads. */
export const NUMBER_PRESETS = {
  tutorial: TUTORIAL,
  twins: twins(),
  uniform: uniform(),
  heads: twoHeads(),
} as const satisfies Record<string, BroughtNumbers>;
export type NumberPreset = keyof typeof NUMBER_PRESETS;
export const NUMBER_PRESET_NAMES = [
  "tutorial",
  "twins",
  "uniform",
  "heads",
] as const satisfies readonly NumberPreset[];

/** The first and the last word are the same: nothing but a position or a mask could tell them apart. */
function twins(): BroughtNumbers {
  return {
    ...TUTORIAL,
    words: ["same", "other", "third", "same"],
    x: [
      [1, 0, 2],
      [0, 1, 0],
      [1, 1, 0],
      [1, 0, 2],
    ],
  };
}

/** All queries are zero: every word looks evenly at all. */
function uniform(): BroughtNumbers {
  return { ...TUTORIAL, query: filled(3, 3, 0) };
}

/** Four columns for two heads of two: one looks at the same word, one at the others. */
function twoHeads(): BroughtNumbers {
  return {
    words: ["the", "dog", "bites", "him"],
    x: [
      [1, 0, 0, 1],
      [0, 1, 0, 1],
      [0, 0, 1, 1],
      [1, 1, 0, 0],
    ],
    query: [
      [2, 0, 1, 0],
      [0, 2, 0, 1],
      [1, 1, 0, 1],
      [0, 1, 1, 0],
    ],
    key: [
      [2, 0, -1, 0],
      [0, 2, 0, -1],
      [1, 1, 1, 0],
      [0, 0, 0, 1],
    ],
    value: [
      [1, 0, 0, 1],
      [0, 1, 1, 0],
      [1, 1, 0, 0],
      [0, 0, 1, 1],
    ],
    output: [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ],
    mask: filled(4, 4, 0),
    heads: 2,
    divisor: "root",
  };
}

/** Masks that can be laid over the words. */
export const NUMBER_MASKS = ["open", "causal", "window", "padding"] as const;
export type NumberMask = (typeof NUMBER_MASKS)[number];

/** One of them for so many words: a window looks one word to each side, padding hides the last word. */
export function maskOf(kind: NumberMask, words: number): Rows {
  const open = {
    open: () => true,
    causal: (query: number, key: number) => key <= query,
    window: (query: number, key: number) => Math.abs(key - query) <= 1,
    padding: (_: number, key: number) => key < words - 1,
  }[kind];
  return sized(words, words, (query, key) => (open(query, key) ? 0 : -Infinity));
}
