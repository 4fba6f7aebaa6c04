/** `headscope/lines.js`: `<headscope-lines>` by itself. */
import { HeadscopeLines } from "../../elements/lines.js";
import { workAlone } from "../alone.js";

workAlone(HeadscopeLines);

export { HeadscopeLines };
export { configure } from "../../session/models/home.js";
