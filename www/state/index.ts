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
  DEFAULT_STATE,
  NO_EDITS,
  PICTURES,
  STACKS,
  STAGES,
  THEMES,
  type EditLists,
  type Picture,
  type State,
  type Theme,
} from "./state.js";
export { Store } from "./store.js";
