/** `headscope/steps.js`: `<headscope-steps>` by itself. */
import { HeadscopeSteps } from "../../elements/steps/element.js";
import { workAlone } from "../alone.js";

workAlone(HeadscopeSteps);

export { HeadscopeSteps };
export { configure } from "../../session/models/home.js";
