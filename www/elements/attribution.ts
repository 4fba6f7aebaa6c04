// What adds up to a logit: its parts as bars, the largest first.
import { HeadscopeBars } from "./bars.js";
import { define } from "./shared/controllers.js";

/** The parts of a logit as bars on both sides of zero; works alone beside the list of bars. */
export class HeadscopeAttribution extends HeadscopeBars {}

define("headscope-attribution", HeadscopeAttribution);
