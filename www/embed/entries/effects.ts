/** `headscope/effects.js`: `<headscope-effects>` by itself. */
import { HeadscopeEffects } from "../../elements/effects.js";
import { workAlone } from "../alone.js";

workAlone(HeadscopeEffects);

export { HeadscopeEffects };
export { configure } from "../../session/models/home.js";
