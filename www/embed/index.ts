/**
 * The script for other people's pages: it defines the elements, feeds those that have a `model` attribute, and fetches the
 * explorer where a `<head-scope>` comes near the window.
 */
import { define } from "../elements/shared/define.js";
import { settleAt } from "../views/home.js";
import { attachFeeders } from "./attach.js";
import { HeadScope } from "./head-scope.js";
import { followDocumentLanguage } from "./language.js";

export * from "../elements/index.js";
export { HeadScope };

// The models lie beside the built script; in the sources it is two folders deeper.
const up = import.meta.env.DEV ? "../../" : "./";
settleAt(new URL(up, import.meta.url).href);
followDocumentLanguage();
attachFeeders();
define("head-scope", HeadScope);
