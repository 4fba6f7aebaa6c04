// Defines every element. A page that needs a single element imports its module instead.
export { HeadscopeAttribution } from "./attribution.js";
export { HeadscopeBars, type BarItem } from "./bars.js";
export { HeadscopeChips, type Chip } from "./chips.js";
export { HeadscopeCurves } from "./curves.js";
export type {
  ChipRemoveDetail,
  FailedDetail,
  HeadDetail,
  HeadscopeEvents,
  TokenHoverDetail,
  TokenLockDetail,
} from "./events.js";
export type { Given, NestedNumbers, NumberList, Numbers } from "./given.js";
export { HeadscopeDifference } from "./difference.js";
export { HeadscopeMask } from "./mask.js";
export { HeadscopeNumbers } from "./numbers.js";
export { HeadscopeDimensions } from "./dimensions.js";
export { HeadscopeEffects } from "./effects.js";
export { HeadscopeGrid } from "./grid/element.js";
export type { RankedHead } from "./grid/thumbnail.js";
export { HeadscopeHeatmap } from "./heatmap.js";
export { HeadscopeImage } from "./image.js";
export { HeadscopeLens } from "./lens.js";
export { HeadscopeLines } from "./lines.js";
export { HeadscopePositions } from "./positions.js";
export { HeadscopeSpectrum } from "./spectrum.js";
export { HeadscopeSteps, HeadscopeSum } from "./steps/element.js";
export { HeadscopeStrip } from "./steps/strip.js";
export { HeadscopeTokens } from "./tokens.js";
