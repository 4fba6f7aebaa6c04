/** `headscope/grid.js`: `<headscope-grid>` by itself. */
import { HeadscopeGrid } from "../../elements/grid/element.js";
import { workAlone } from "../alone.js";

workAlone(HeadscopeGrid);

export { HeadscopeGrid };
export { configure } from "../../session/models/home.js";
