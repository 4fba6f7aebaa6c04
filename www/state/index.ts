/** The State of the page, its address, its edits, and undo. */
export { bindAddress } from "./address.js";
export {
  blockedCells,
  fittingEdits,
  hasEdits,
  isActive,
  isSilenced,
  removeEdit,
  toggleCell,
  toggleHead,
  type EditRef,
  type Limits,
} from "./edits.js";
export { encodeState, type Decoded } from "./hash.js";
export {
  BUNDLED_MODELS,
  DEFAULT_STATE,
  isBundled,
  NO_EDITS,
  PICTURES,
  STACKS,
  STAGES,
  THEMES,
  TOUR,
  type BundledModel,
  type EditLists,
  type ModelName,
  type OpenedModel,
  type Picture,
  type State,
  type Theme,
  type TourStep,
} from "./state.js";
export { Store } from "./store.js";
