/** `headscope/image.js`: `<headscope-image>` by itself. */
import { HeadscopeImage } from "../../elements/image.js";
import { workAlone } from "../alone.js";

workAlone(HeadscopeImage);

export { HeadscopeImage };
export { configure } from "../../session/models/home.js";
