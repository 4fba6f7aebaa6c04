/** The State of the page, its address, its edits, and undo. */
export { bindAddress, linkTo } from "./address.js";
export { decodeAttributes, encodeAttributes, STATE_ATTRIBUTES } from "./attributes.js";
export {
  blockedCells,
  fittingEdits,
  hasEdits,
  isActive,
  isSilenced,
  isSolo,
  removeEdit,
  toggleHead,
  toggleSolo,
  type EditRef,
  type Limits,
} from "./edits.js";
export { decodeFile, encodeFile, LARGEST_FILE_BYTES } from "./file.js";
export { decodeState, encodeState, type Decoded } from "./hash.js";
export {
  addRule,
  changeRule,
  fillOf,
  MASK_MODES,
  MOST_RULES,
  NUMBER_RANGES,
  PRESET_KINDS,
  PRESET_PARTS,
  presetOf,
  reachOf,
  REACHES,
  rulesOf,
  scopeAt,
  withFill,
  type MaskRule,
  type PresetKind,
  type PresetNumber,
  type PresetValues,
  type Reach,
} from "./mask-rules.js";
export { paintFor, toggleCell, toggleCells } from "./paint.js";
export { LOOKINGS, POOLS, togglePicked, type Picked, type Side } from "./picked.js";
export {
  ALIGNMENTS,
  BENCHES,
  BUNDLED_MODELS,
  DEFAULT_STATE,
  HEAD_SORTS,
  isBundled,
  NO_EDITS,
  PICTURES,
  ROLE_FILTERS,
  STACKS,
  STAGES,
  THEMES,
  TOUR,
  UNITS,
  type AlignedBy,
  type Bench,
  type BundledModel,
  type Comparison,
  type EditLists,
  type HandPair,
  type HeadSort,
  type ModelName,
  type OpenedModel,
  type Picture,
  type RoleFilter,
  type State,
  type Theme,
  type TourStep,
} from "./state.js";
export { Store, type StepKind } from "./store.js";
