import { define } from "../shared/define.js";
import { HeadscopeChips } from "./element.js";

define("headscope-chips", HeadscopeChips);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-chips": HeadscopeChips;
  }
}

export { HeadscopeChips };
export type { Chip } from "./element.js";
