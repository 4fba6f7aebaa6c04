import { HeadscopeDifference, HeadscopeMask } from "../elements/matrices.js";
import { HeadscopeDimensions } from "../elements/dimensions.js";
import { HeadscopeGrid } from "../elements/grid/element.js";
import { HeadscopeHeatmap } from "../elements/heatmap.js";
import { HeadscopeLines } from "../elements/lines.js";
import { HeadscopePositions } from "../elements/positions.js";
import { meet } from "../elements/shared/controllers.js";
import { HeadscopeSpectrum } from "../elements/spectrum.js";
import { HeadscopeSteps } from "../elements/steps/element.js";
import { HeadscopeTokens } from "../elements/tokens.js";
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
