import { define } from "../shared/define.js";
import { HeadscopeTokens } from "./element.js";

define("headscope-tokens", HeadscopeTokens);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-tokens": HeadscopeTokens;
  }
}

export { HeadscopeTokens };
