import { define } from "../shared/define.js";
import { HeadscopeHeatmap } from "./element.js";

define("headscope-heatmap", HeadscopeHeatmap);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-heatmap": HeadscopeHeatmap;
  }
}

export { HeadscopeHeatmap };
