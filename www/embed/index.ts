/**
 * The script for pages of others: it defines the elements, makes those with a `model` attribute
 * work alone, and fetches the explorer when a `<head-scope>` comes near the window.
 */
import * as elements from "../elements/index.js";
import { define, meet } from "../elements/shared/controllers.js";
import { languageOf, PAGE_LOCALE } from "../i18n/index.js";
import { configure } from "../session/models/home.js";
import { FigureController } from "./figure.js";
import { HeadScope } from "./head-scope.js";
import { HEIGHTS } from "./heights.js";

export * from "../elements/index.js";
export { configure, HeadScope };

// A site has the models beside this script, two folders above its source; the package has none.
if (import.meta.env.MODE !== "package")
  configure({ home: new URL(import.meta.env.DEV ? "../../" : "./", import.meta.url).href });

/** The language of the page, followed now and after it changes. */
const root = document.documentElement;
const follow = (): void => PAGE_LOCALE.speak(languageOf(root.lang) ?? "en");
new MutationObserver(follow).observe(root, { attributes: true, attributeFilter: ["lang"] });
follow();

// Connected figures and those that come later, which themselves know nothing of the controller.
for (const element of Object.values(elements))
  meet(element, (one) => {
    if (Object.hasOwn(HEIGHTS, one.localName)) new FigureController(one);
  });
define("head-scope", HeadScope);
