import { define } from "../shared/define.js";
import { HeadscopeSpectrum } from "./element.js";

define("headscope-spectrum", HeadscopeSpectrum);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-spectrum": HeadscopeSpectrum;
  }
}

export { HeadscopeSpectrum };
