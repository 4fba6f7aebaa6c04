/** `headscope/spectrum.js`: `<headscope-spectrum>` by itself. */
import { HeadscopeSpectrum } from "../../elements/spectrum.js";
import { workAlone } from "../alone.js";

workAlone(HeadscopeSpectrum);

export { HeadscopeSpectrum };
export { configure } from "../../session/models/home.js";
