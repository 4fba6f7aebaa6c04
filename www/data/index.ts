export type { Adapter } from "./adapter.js";
export { directionOf, isolated } from "./direction.js";
export type { FrozenPattern, Scope } from "./edits.js";
export { isDrawn, isForbidden } from "./forbidden.js";
export type * from "./generated.js";
export {
  LARGEST_BASE,
  LARGEST_CELL,
  LARGEST_DISTANCE,
  LARGEST_FACTOR,
  LARGEST_GATE,
  LARGEST_RATE,
  LARGEST_SIDE,
  LONGEST_DECOMPOSED,
  MOST_BUCKETS,
  MOST_PRESETS,
  MOST_RANDOM_KEYS,
  MOST_UNITS,
  ROLES,
} from "./generated.js";
export type { GenerationEvent, Prediction } from "./generation.js";
export type { Cell, HeadPattern, HeadRef, HeadVectors, Marginals, Region } from "./head.js";
export type { CoreInfo, ModelInfo } from "./model-info.js";
export type { HeldOutSentence, ModelNotes, RoleScores } from "./notes.js";
export { PALETTES, type Palette } from "./palette.js";
export { wornRole } from "./roles.js";
export type {
  Explanation,
  PositionOrigin,
  PositionOrigins,
  StepCell,
  StepPlace,
  StepTensor,
  TermLine,
} from "./step.js";
export type { Tensor } from "./tensor.js";
export type { Token, TokenRole } from "./token.js";
export { trustedScript } from "./trusted-script.js";
