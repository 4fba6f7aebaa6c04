/** `headscope/difference.js`: `<headscope-difference>` by itself. */
import { HeadscopeDifference } from "../../elements/difference.js";
import { workAlone } from "../alone.js";

workAlone(HeadscopeDifference);

export { HeadscopeDifference };
export { configure } from "../../session/models/home.js";
