/**
 * The types of the package's `elements.js`: those of `index.ts`, without the declarations of the explorer, which a
 * `<head-scope>` fetches and nothing outside of it names.
 */
import type { ReactiveElement } from "lit";
import type * as elements from "../elements/index.js";

export * from "../elements/index.js";
export { configure } from "../views/home.js";

/** The whole explorer, which begins with what its attributes say. */
export declare class HeadScope extends ReactiveElement {}

/** Every tag of the package. */
export interface HeadscopeTags {
  "head-scope": HeadScope;
  "headscope-bars": elements.HeadscopeBars;
  "headscope-chips": elements.HeadscopeChips;
  "headscope-curves": elements.HeadscopeCurves;
  "headscope-difference": elements.HeadscopeDifference;
  "headscope-dimensions": elements.HeadscopeDimensions;
  "headscope-grid": elements.HeadscopeGrid;
  "headscope-heatmap": elements.HeadscopeHeatmap;
  "headscope-lines": elements.HeadscopeLines;
  "headscope-mask": elements.HeadscopeMask;
  "headscope-numbers": elements.HeadscopeNumbers;
  "headscope-positions": elements.HeadscopePositions;
  "headscope-spectrum": elements.HeadscopeSpectrum;
  "headscope-steps": elements.HeadscopeSteps;
  "headscope-strip": elements.HeadscopeStrip;
  "headscope-sum": elements.HeadscopeSum;
  "headscope-tokens": elements.HeadscopeTokens;
}

declare global {
  interface HTMLElementTagNameMap extends HeadscopeTags {}
}
