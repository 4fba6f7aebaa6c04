import { define } from "../shared/define.js";
import { HeadscopeDimensions } from "./element.js";

define("headscope-dimensions", HeadscopeDimensions);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-dimensions": HeadscopeDimensions;
  }
}

export { HeadscopeDimensions };
