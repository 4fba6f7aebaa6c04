/** Examples of typed matrices, and how a change of one matrix, or its size, changes the others. */
import {
  headChoices,
  LONGEST_WORD,
  type MatrixInputs,
  type Rows,
  shapeOf,
  sized,
} from "./matrix-inputs.js";
import presets from "./number-presets.json" with { type: "json" };

export type Size = "words" | "inner" | "keys" | "values" | "out";

/**
 * The sizes of each input matrix, for rows and columns; the first matrix with a size decides it.
 */
const SIDES = {
  x: ["words", "inner"],
  query: ["inner", "keys"],
  key: ["inner", "keys"],
  value: ["inner", "values"],
  output: ["values", "out"],
  mask: ["words", "words"],
} as const satisfies Record<string, readonly [Size, Size]>;
export type MatrixName = keyof typeof SIDES;
export const MATRIX_NAMES = Object.keys(SIDES) as MatrixName[];

/** The most rows or columns of a typed matrix that a reader can still see. */
export const MOST_SIDE = 32;
/**
 * The examples to start from: four words of three numbers and one head, which can be followed by
 * hand; two equal words, which only a position or a mask distinguishes; queries of zero, which
 * attend uniformly; and two heads.
 */
export const NUMBER_PRESETS = presets as Readonly<Record<keyof typeof presets, MatrixInputs>>;
export const TUTORIAL = NUMBER_PRESETS.tutorial;
export const NUMBER_PRESET_NAMES = Object.keys(NUMBER_PRESETS) as (keyof typeof NUMBER_PRESETS)[];

/** The matrix that decides a size, and whether by its rows (0) or its columns (1). */
function deciding(size: Size): readonly [name: MatrixName, side: 0 | 1] {
  const name = MATRIX_NAMES.find((one) => SIDES[one].some((side) => side === size)) ?? "x";
  return [name, SIDES[name][0] === size ? 0 : 1];
}

export function sizeOf(inputs: MatrixInputs, size: Size): number {
  const [name, side] = deciding(size);
  return shapeOf(inputs[name] ?? [])[side];
}

/**
 * Resizes the rows or columns of a matrix, and every matrix that shares the size; new cells are
 * zero. Undo restores what is cut off.
 */
export function resize(
  inputs: MatrixInputs,
  name: MatrixName,
  axis: "rows" | "columns",
  to: number,
): MatrixInputs {
  if (!Number.isInteger(to) || to < 1 || to > MOST_SIDE) return inputs;
  const size = SIDES[name][axis === "rows" ? 0 : 1];
  const changed = MATRIX_NAMES.map((one) => {
    const old = inputs[one];
    const [rows = 0, columns = 0] = SIDES[one].map((side, at) =>
      side === size ? to : shapeOf(old ?? [])[at],
    );
    return [one, old && sized(rows, columns, (row, column) => old[row]?.[column] ?? 0)];
  });
  return fitted({ ...inputs, ...(Object.fromEntries(changed) as Pick<MatrixInputs, MatrixName>) });
}

/** Replaces a whole matrix, for instance from a file or the clipboard. */
export function withMatrix(
  inputs: MatrixInputs,
  name: MatrixName,
  rows: Rows,
  labels: readonly string[] | null = null,
): MatrixInputs {
  return fitted({ ...inputs, [name]: rows }, name === "x" && labels ? labels : []);
}

/**
 * The inputs with a word for each row of `x`, and the largest number of heads, up to the present
 * one, that divides both widths.
 */
function fitted(inputs: MatrixInputs, labels: readonly string[] = []): MatrixInputs {
  const choices = headChoices(sizeOf(inputs, "keys"), sizeOf(inputs, "values"));
  const wordAt = (row: number): string =>
    labels[row]?.slice(0, LONGEST_WORD) ?? inputs.words[row] ?? `w${row + 1}`;
  return {
    ...inputs,
    words: inputs.x.map((_, row) => wordAt(row)),
    heads: choices.findLast((count) => count <= inputs.heads) ?? 1,
  };
}

/**
 * A block of numbers laid over a matrix from one cell on; the matrix grows if needed, up to its
 * limit.
 */
export function laidOver(under: Rows, block: Rows, at: { row: number; column: number }): Rows {
  const [rows, columns] = shapeOf(under);
  const [more, across] = shapeOf(block);
  return sized(
    Math.min(MOST_SIDE, Math.max(rows, at.row + more)),
    Math.min(MOST_SIDE, Math.max(columns, at.column + across)),
    (row, column) => block[row - at.row]?.[column - at.column] ?? under[row]?.[column] ?? 0,
  );
}

/** A matrix that does not fit the others, and the shape that would. */
export interface Misfit {
  name: MatrixName;
  shape: readonly [number, number];
  /** The wanted shape; null for a side of any size. */
  wanted: readonly [number | null, number | null];
}

/**
 * The first matrix that does not fit the others; null if all fit. Heads that do not divide the
 * columns are not reported here.
 */
export function misfitOf(inputs: MatrixInputs): Misfit | null {
  const misfits = MATRIX_NAMES.map((name): Misfit => {
    const wantedOf = (side: 0 | 1): number | null => {
      const [owner, own] = deciding(SIDES[name][side]);
      return owner === name && own === side ? null : sizeOf(inputs, SIDES[name][side]);
    };
    return { name, shape: shapeOf(inputs[name] ?? []), wanted: [wantedOf(0), wantedOf(1)] };
  });
  const isMisfit = ({ name, shape, wanted }: Misfit): boolean =>
    inputs[name] !== null && wanted.some((size, side) => size !== null && size !== shape[side]);
  return misfits.find(isMisfit) ?? null;
}

/**
 * Masks over the words, each by which keys a query attends to: a window has one word on each side,
 * padding masks the last word.
 */
const MASKS = {
  open: () => true,
  causal: (query, key) => key <= query,
  window: (query, key) => Math.abs(key - query) <= 1,
  padding: (_, key, words) => key < words - 1,
} as const satisfies Record<string, (query: number, key: number, words: number) => boolean>;
export const NUMBER_MASKS = Object.keys(MASKS) as (keyof typeof MASKS)[];

export function maskOf(kind: keyof typeof MASKS, words: number): Rows {
  return sized(words, words, (query, key) => (MASKS[kind](query, key, words) ? 0 : -Infinity));
}
