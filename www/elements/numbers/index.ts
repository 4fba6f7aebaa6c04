import { define } from "../shared/define.js";
import { HeadscopeNumbers } from "./element.js";

define("headscope-numbers", HeadscopeNumbers);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-numbers": HeadscopeNumbers;
  }
}

export { HeadscopeNumbers };
