// Hues that tell heads apart. They repeat no name: whoever uses one writes the head's number beside it.
import { lch } from "d3-color";
import type { Ground } from "./ramp.js";

/** Of one lightness each, far enough from the ground to be seen as a thin line. */
const LIGHTNESS: Record<Ground, number> = { light: 46, dark: 70 };
const CHROMA = 58;
/** The indigo of all other pictures. */
const FIRST_HUE = 285;

/** The colour of one of `count` heads: equal steps around the circle. */
export function headHue(head: number, count: number, ground: Ground): string {
  return lch(
    LIGHTNESS[ground],
    CHROMA,
    (FIRST_HUE + (360 * head) / Math.max(1, count)) % 360,
  ).formatRgb();
}
