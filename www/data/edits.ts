import type { Stack } from "./head.js";

/** Which heads an edit touches; what is absent means everywhere. */
export interface Scope {
  stack?: Stack;
  layers?: number[];
  heads?: number[];
}

/** Cells, `[query, key]`, that the heads in scope may not look at. */
export interface MaskEdit extends Scope {
  block?: [query: number, key: number][];
}

/** How much of a head's output is kept: 0 silences it, 1 leaves it, 2 doubles it. */
export interface HeadEdit extends Scope {
  gate?: number;
}

/** Changes to a model's attention, applied in the order written. */
export interface Edits {
  masks?: MaskEdit[];
  heads?: HeadEdit[];
}
