import { define } from "../shared/define.js";
import { HeadscopeSteps } from "./element.js";
import { HeadscopeStrip } from "./strip.js";
import { HeadscopeSum } from "./sum.js";

define("headscope-strip", HeadscopeStrip);
define("headscope-sum", HeadscopeSum);
define("headscope-steps", HeadscopeSteps);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-steps": HeadscopeSteps;
    "headscope-strip": HeadscopeStrip;
    "headscope-sum": HeadscopeSum;
  }
}

export { HeadscopeSteps, HeadscopeStrip, HeadscopeSum };
