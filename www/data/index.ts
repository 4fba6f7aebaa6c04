export type { Edits, HeadEdit, MaskEdit, Scope } from "./edits.js";
export type { GenerationEvent, Prediction } from "./generation.js";
export type { Cell, HeadRef, Stack, Stage } from "./head.js";
export type { Architecture, Family, ModelInfo, StackInfo } from "./model.js";
export type { Tensor } from "./tensor.js";
export type { Token, TokenRole } from "./token.js";
