import { define } from "../shared/define.js";
import { HELD, HeadscopeSpectrum, type SingularList } from "./element.js";

define("headscope-spectrum", HeadscopeSpectrum);

declare global {
  interface HTMLElementTagNameMap {
    "headscope-spectrum": HeadscopeSpectrum;
  }
}

export { HELD, HeadscopeSpectrum, type SingularList };
