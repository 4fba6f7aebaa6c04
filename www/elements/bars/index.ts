import { define } from "../shared/define.js";
import { HeadscopeBars } from "./element.js";

define("headscope-bars", HeadscopeBars);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-bars": HeadscopeBars;
  }
}

export { HeadscopeBars };
export type { BarItem } from "./element.js";
