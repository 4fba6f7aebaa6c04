// Defines every element. A page that needs one of them imports its folder instead.
export { HeadscopeBars, type BarItem } from "./bars/index.js";
export { HeadscopeChips, type Chip } from "./chips/index.js";
export { HeadscopeCurves } from "./curves/index.js";
export type {
  ChipRemoveDetail,
  HeadDetail,
  HeadscopeEvents,
  TokenHoverDetail,
  TokenLockDetail,
} from "./events.js";
export { HeadscopeDifference } from "./difference/index.js";
export { HeadscopeDimensions } from "./dimensions/index.js";
export { HeadscopeGrid, type RankedHead } from "./grid/index.js";
export { HeadscopeHeatmap } from "./heatmap/index.js";
export { HeadscopeLines } from "./lines/index.js";
export { HeadscopeMask } from "./mask/index.js";
export { HeadscopeNumbers } from "./numbers/index.js";
export { HeadscopePositions } from "./positions/index.js";
export { HeadscopeSpectrum } from "./spectrum/index.js";
export { HeadscopeSteps, HeadscopeStrip, HeadscopeSum } from "./steps/index.js";
export { HeadscopeTokens } from "./tokens/index.js";
