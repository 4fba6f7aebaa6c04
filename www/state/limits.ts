import type { Stack } from "../data/index.js";

/** How many layers, heads, queries and keys a stack has; edits beyond them are kept but not sent. */
export type Limits = Partial<
  Record<Stack, { layers: number; heads: number; queries: number; keys: number; headDim?: number }>
>;

/** The part of it that a model alone decides. */
export type StackSizes = Partial<Record<Stack, { layers: number; heads: number }>>;
