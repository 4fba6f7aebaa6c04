/** `headscope/attribution.js`: `<headscope-attribution>` by itself. */
import { HeadscopeAttribution } from "../../elements/attribution.js";
import { workAlone } from "../alone.js";

workAlone(HeadscopeAttribution);

export { HeadscopeAttribution };
export { configure } from "../../session/models/home.js";
