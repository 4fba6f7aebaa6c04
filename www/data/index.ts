export type { Scope } from "./edits.js";
export type * from "./generated.js";
export type { GenerationEvent, Prediction } from "./generation.js";
export type { Cell, HeadRef } from "./head.js";
export type { Tensor } from "./tensor.js";
export type { Token, TokenRole } from "./token.js";
