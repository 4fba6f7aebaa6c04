import type { Marginals } from "./generated.js";

/** A head's pattern as pixels, whose colours a GPU made. */
export interface Painted {
  /** Red, green, blue and alpha of each pixel, row after row; a cell without a colour is transparent. */
  data: Uint8ClampedArray<ArrayBuffer>;
  rows: number;
  columns: number;
  /** Of the whole pattern, whatever part of it is painted. */
  marginals: Marginals;
}
