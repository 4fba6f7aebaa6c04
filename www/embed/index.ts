/**
 * The script for other people's pages: it defines the elements, makes those with a `model` attribute work alone, and
 * fetches the explorer where a `<head-scope>` comes near the window.
 */
import { HeadscopeDimensions } from "../elements/dimensions.js";
import { HeadscopeGrid } from "../elements/grid/element.js";
import { HeadscopeHeatmap } from "../elements/heatmap.js";
import { HeadscopeLines } from "../elements/lines.js";
import { HeadscopeDifference, HeadscopeMask } from "../elements/matrices.js";
import { HeadscopePositions } from "../elements/positions.js";
import { define, meet } from "../elements/shared/controllers.js";
import { HeadscopeSpectrum } from "../elements/spectrum.js";
import { HeadscopeSteps } from "../elements/steps/element.js";
import { HeadscopeTokens } from "../elements/tokens.js";
import { languageOf, setLanguage } from "../i18n/index.js";
import { configure } from "../views/home.js";
import { FigureController } from "./figure.js";
import { HeadScope } from "./head-scope.js";

export * from "../elements/index.js";
export { configure, HeadScope };

// A site has the models beside this script, two folders above its source; the package has none.
if (import.meta.env.MODE !== "package")
  configure({ home: new URL(import.meta.env.DEV ? "../../" : "./", import.meta.url).href });

/** Follows the language that the page says it is in, now and after it changes. */
const root = document.documentElement;
const follow = (): void => setLanguage(languageOf(root.lang) ?? "en");
new MutationObserver(follow).observe(root, { attributes: true, attributeFilter: ["lang"] });
follow();

// Those figures that are there already and those that come. The elements know nothing of it.
for (const figure of [
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
])
  meet(figure, (element) => {
    new FigureController(element);
  });
define("head-scope", HeadScope);
