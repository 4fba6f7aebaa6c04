/** `headscope/head-scope.js`: `<head-scope>`, the whole explorer, by itself. */
import { define } from "../../elements/shared/controllers.js";
import { followLanguage } from "../alone.js";
import { HeadScope } from "../head-scope.js";

define("head-scope", HeadScope);
followLanguage();

export { HeadScope };
export { configure } from "../../session/models/home.js";
