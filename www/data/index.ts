export { directionOf, isolated } from "./direction.js";
export type * from "./generated.js";
export {
  VARIANT_PARTS,
  LARGEST_BASE,
  LARGEST_CELL,
  LARGEST_DISTANCE,
  LARGEST_FACTOR,
  LARGEST_GATE,
  LARGEST_RATE,
  LARGEST_SIDE,
  LARGEST_WHOLE,
  LEAST_SCORE,
  MODEL_QUESTIONS,
  MOST_BUCKETS,
  MOST_PRESETS,
  MOST_RANDOM_KEYS,
  ROLES,
  GRADIENT_QUESTIONS,
  RUN_QUESTIONS,
  SMALLEST_BASE,
  STEPS,
  TYPES_OF_IMAGES,
} from "./generated.js";
export { trustedScript } from "./browser.js";
export type { HeadReceiver, PatchReceiver } from "./paths.js";
export * from "./types.js";
export type { ModelInfo } from "./types.js";
