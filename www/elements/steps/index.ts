import { define } from "../shared/define.js";
import { HeadscopeSteps } from "./element.js";
import { HeadscopeSum } from "./sum.js";

define("headscope-steps", HeadscopeSteps);
define("headscope-sum", HeadscopeSum);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-steps": HeadscopeSteps;
    "headscope-sum": HeadscopeSum;
  }
}

export { HeadscopeSteps, HeadscopeSum };
