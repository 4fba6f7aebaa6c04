import type { Stack } from "./generated.js";

/** One attention head. All indices start at zero. */
export interface HeadRef {
  stack: Stack;
  layer: number;
  head: number;
}

/** One cell of an attention pattern. */
export interface Cell {
  query: number;
  key: number;
}
