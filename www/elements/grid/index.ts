import { define } from "../shared/define.js";
import { HeadscopeGrid } from "./element.js";

define("headscope-grid", HeadscopeGrid);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-grid": HeadscopeGrid;
  }
}

export { HeadscopeGrid };
export type { RankedHead } from "./element.js";
export type { WornScore } from "./worn.js";
