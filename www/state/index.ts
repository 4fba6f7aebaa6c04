/** The State of the page, its address, its edits, and undo. */
export * from "./address.js";
export * from "./attention-edits.js";
export * from "./edit-effects.js";
export * from "./edits.js";
export * from "./head-edits.js";
export {
  attributesOf,
  decodeAttributes,
  encodeAttributes,
  STATE_ATTRIBUTES,
  unreadAttribute,
  writtenAttribute,
  decodeFields,
  decodeState,
  fieldsOf,
  encodeState,
  type Decoded,
} from "./link.js";
export * from "./mask-edits.js";
export {
  BUNDLED_MODELS,
  type AddressedModel,
  type BundledModel,
  isAddressed,
  isBeside,
  isBundled,
  isLinked,
  isOnHub,
  isOpened,
  type ModelName,
  type OpenedModel,
  placeOf,
} from "./model-names.js";
export * from "./painted-cells.js";
export * from "./position-edits.js";
export { generateWith, type Sampling, USUAL_SAMPLING } from "./sampling.js";
export * from "./state.js";
export * from "./store.js";
export * from "./matrix-inputs.js";
