import { HeadscopeDifference } from "../elements/difference/element.js";
import { HeadscopeDimensions } from "../elements/dimensions/element.js";
import { HeadscopeGrid } from "../elements/grid/element.js";
import { HeadscopeHeatmap } from "../elements/heatmap/element.js";
import { HeadscopeLines } from "../elements/lines/element.js";
import { HeadscopeMask } from "../elements/mask/element.js";
import { HeadscopePositions } from "../elements/positions/element.js";
import { meet } from "../elements/shared/define.js";
import { HeadscopeSpectrum } from "../elements/spectrum/element.js";
import { HeadscopeSteps } from "../elements/steps/element.js";
import { HeadscopeTokens } from "../elements/tokens/element.js";
import { Feeder } from "./feeder.js";

/** The class of every figure that works alone. */
export const CLASSES = [
  HeadscopeDifference,
  HeadscopeDimensions,
  HeadscopeGrid,
  HeadscopeHeatmap,
  HeadscopeLines,
  HeadscopeMask,
  HeadscopePositions,
  HeadscopeSpectrum,
  HeadscopeSteps,
  HeadscopeTokens,
];

/** Makes every figure of the page work alone, those that are there already and those that come. The elements know nothing of it. */
export function attachFeeders(): void {
  for (const figure of CLASSES) {
    meet(figure, (element) => {
      new Feeder(element);
    });
  }
}
