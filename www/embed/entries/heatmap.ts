/** `headscope/heatmap.js`: `<headscope-heatmap>` by itself. */
import { HeadscopeHeatmap } from "../../elements/heatmap.js";
import { workAlone } from "../alone.js";

workAlone(HeadscopeHeatmap);

export { HeadscopeHeatmap };
export { configure } from "../../session/models/home.js";
