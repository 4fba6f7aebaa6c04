import { define } from "../shared/define.js";
import { HELD, HeadscopeSpectrum } from "./element.js";

define("headscope-spectrum", HeadscopeSpectrum);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-spectrum": HeadscopeSpectrum;
  }
}

export { HELD, HeadscopeSpectrum };
