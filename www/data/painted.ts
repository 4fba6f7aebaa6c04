import type { Marginals } from "./generated.js";

/** A head's pattern as pixels, whose colours a GPU made. */
export interface Painted {
  /** Red, green, blue and alpha of each pixel, row after row; a cell without a colour is transparent. */
  data: Uint8ClampedArray<ArrayBuffer>;
  rows: number;
  columns: number;
  /** Of the whole pattern, whatever part of it is painted; of what it was joined to, if it was. */
  marginals: Marginals;
}

/**
 * The rows and columns of a picture, each by the positions that it stands for: a cell is the mean over its row's of the
 * sum over its column's. Without one key, both are divided by what these queries give to all others, shown or not.
 */
export interface Joining {
  rows: readonly (readonly number[])[];
  columns: readonly (readonly number[])[];
  without: number | null;
}
