import { define } from "../shared/define.js";
import { HeadscopeDifference } from "./element.js";

define("headscope-difference", HeadscopeDifference);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-difference": HeadscopeDifference;
  }
}

export { HeadscopeDifference };
