/** `headscope/mask.js`: `<headscope-mask>` by itself. */
import { HeadscopeMask } from "../../elements/mask.js";
import { workAlone } from "../alone.js";

workAlone(HeadscopeMask);

export { HeadscopeMask };
export { configure } from "../../session/models/home.js";
