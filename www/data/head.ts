/** Where attention happens: within the source, within the target, or from target to source. */
export type Stack = "encoder" | "decoder" | "cross";

/** The steps of attention: QKᵀ, scaled, masked, after the softmax. */
export type Stage = "raw" | "scores" | "masked" | "weights";

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
