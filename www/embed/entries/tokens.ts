/** `headscope/tokens.js`: `<headscope-tokens>` by itself. */
import { HeadscopeTokens } from "../../elements/tokens.js";
import { workAlone } from "../alone.js";

workAlone(HeadscopeTokens);

export { HeadscopeTokens };
export { configure } from "../../session/models/home.js";
