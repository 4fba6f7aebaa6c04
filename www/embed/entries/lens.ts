/** `headscope/lens.js`: `<headscope-lens>` by itself. */
import { HeadscopeLens } from "../../elements/lens.js";
import { workAlone } from "../alone.js";

workAlone(HeadscopeLens);

export { HeadscopeLens };
export { configure } from "../../session/models/home.js";
