/** The State of the page, its address, its edits, and undo. */
export { bindAddress, linkTo } from "./address.js";
export {
  decodeAttributes,
  encodeAttributes,
  STATE_ATTRIBUTES,
  unreadAttribute,
  writtenAttribute,
} from "./attributes.js";
export {
  joinedAs,
  NORM_PLACES,
  sublayersOf,
  withNorm,
  withResidual,
  type BlockStack,
  type Joint,
} from "./block-edits.js";
export {
  activeIn,
  blockedCells,
  fittingEdits,
  countEdits,
  dropsOf,
  hasEdits,
  headsOf,
  nameOfHead,
  isSilenced,
  removeEdit,
  type EditRef,
} from "./edits.js";
export { unusualStages } from "./formula.js";
export type { Limits, StackSizes } from "./limits.js";
export { isOverridden } from "./overridden.js";
export { isSolo, toggleHead, toggleSolo } from "./silence.js";
export {
  DRAWN_WHOLE,
  drawingOf,
  gateOf,
  NAMED_PATTERNS,
  painted,
  patternOf,
  withGate,
  withPattern,
} from "./head-edits.js";

export {
  decodeFile,
  decodeState,
  encodeFile,
  encodeState,
  LARGEST_FILE_BYTES,
  type Decoded,
  type FileProblem,
} from "./link.js";
export {
  addKind,
  ATTENTION_KINDS,
  changeKind,
  CHEAP_KINDS,
  DROPOUT_SEEDS,
  KIND_PARTS,
  kindEdit,
  kindValues,
  MODEL_KIND,
  numbersOf,
  RATES,
  SCALE_FACTORS,
  SCORE_KINDS,
  TEMPERATURES,
  type AttentionKind,
  type KindValues,
} from "./kind-rules.js";
export {
  areBuckets,
  isUntrained,
  movedTo,
  placementOf,
  POSITION_NUMBERS,
  positionOrigin,
  SCHEME_NUMBERS,
  SCHEMES,
  standing,
  turnsIn,
  wholeOrder,
  withPlacement,
  type PlacedStack,
  type PositionNumber,
  type PositionScheme,
} from "./position-edits.js";
export {
  addRule,
  changeRule,
  fillOf,
  MASK_MODES,
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
  EDIT_LISTS,
  HEAD_SORTS,
  isBundled,
  isOpened,
  NO_EDITS,
  PICTURES,
  ROLE_FILTERS,
  STACKS,
  STAGES,
  THEMES,
  TOUR,
  UNITS,
  type AddressedModel,
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
export {
  headChoices,
  LONGEST_WORD,
  MOST_SIDE,
  shapeOf,
  sized,
  TUTORIAL,
  type BroughtName,
  type BroughtNumbers,
  type Rows,
} from "./workbench.js";
export {
  laidOver,
  misfitOf,
  resize,
  sizeOf,
  withMatrix,
  type Misfit,
  type Size,
} from "./workbench-changes.js";
export {
  maskOf,
  NUMBER_MASKS,
  NUMBER_PRESET_NAMES,
  NUMBER_PRESETS,
  type NumberPreset,
} from "./workbench-presets.js";
