import { define } from "../shared/define.js";
import { HeadscopeLines } from "./element.js";

define("headscope-lines", HeadscopeLines);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-lines": HeadscopeLines;
  }
}

export { HeadscopeLines };
