/** `headscope/positions.js`: `<headscope-positions>` by itself. */
import { HeadscopePositions } from "../../elements/positions.js";
import { workAlone } from "../alone.js";

workAlone(HeadscopePositions);

export { HeadscopePositions };
export { configure } from "../../session/models/home.js";
