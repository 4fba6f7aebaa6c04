/** `headscope/dimensions.js`: `<headscope-dimensions>` by itself. */
import { HeadscopeDimensions } from "../../elements/dimensions.js";
import { workAlone } from "../alone.js";

workAlone(HeadscopeDimensions);

export { HeadscopeDimensions };
export { configure } from "../../session/models/home.js";
