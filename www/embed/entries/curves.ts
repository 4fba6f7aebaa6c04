/** `headscope/curves.js`: `<headscope-curves>` by itself. */
import { HeadscopeCurves } from "../../elements/curves.js";
import { workAlone } from "../alone.js";

workAlone(HeadscopeCurves);

export { HeadscopeCurves };
export { configure } from "../../session/models/home.js";
