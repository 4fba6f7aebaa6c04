/**
 * `headscope/elements.js`: every element, each of which works alone where it has a `model`
 * attribute or numbers of its own, and the explorer, which is fetched when a `<head-scope>` comes
 * near the window.
 */
import * as elements from "../elements/index.js";
import { workAlone } from "./alone.js";

export * from "../elements/index.js";
export { configure, HeadScope } from "./entries/head-scope.js";

workAlone(...Object.values(elements));
