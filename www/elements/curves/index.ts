import { define } from "../shared/define.js";
import { HeadscopeCurves } from "./element.js";

define("headscope-curves", HeadscopeCurves);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-curves": HeadscopeCurves;
  }
}

export { HeadscopeCurves };
