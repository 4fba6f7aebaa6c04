import { define } from "../shared/define.js";
import { HeadscopePositions } from "./element.js";

define("headscope-positions", HeadscopePositions);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-positions": HeadscopePositions;
  }
}

export { HeadscopePositions };
