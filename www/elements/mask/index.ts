import { define } from "../shared/define.js";
import { HeadscopeMask } from "./element.js";

define("headscope-mask", HeadscopeMask);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-mask": HeadscopeMask;
  }
}

export { HeadscopeMask };
