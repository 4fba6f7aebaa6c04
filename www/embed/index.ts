/**
 * The script for other people's pages: it defines the elements, feeds those that have a `model` attribute, and fetches the
 * explorer where a `<head-scope>` comes near the window.
 */
import { define } from "../elements/shared/controllers.js";
import { configure } from "../views/home.js";
import { attachFeeders } from "./attach.js";
import { HeadScope } from "./head-scope.js";
import { followDocumentLanguage } from "./language.js";

export * from "../elements/index.js";
export { configure, HeadScope };

// A site has the models beside this script, two folders above its source; the package has none.
if (import.meta.env.MODE !== "package")
  configure({ home: new URL(import.meta.env.DEV ? "../../" : "./", import.meta.url).href });
followDocumentLanguage();
attachFeeders();
define("head-scope", HeadScope);
