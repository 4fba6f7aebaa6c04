// What each head recovers of the difference between two texts: layers down, heads across.
import { HeadscopeNumbers } from "./matrices.js";
import { define } from "./shared/controllers.js";

/** The recovered effects of patches as a table; works alone beside the table of numbers. */
export class HeadscopeEffects extends HeadscopeNumbers {}

define("headscope-effects", HeadscopeEffects);
