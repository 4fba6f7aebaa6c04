import { PALETTES, type Palette } from "../../data/index.js";
import { rampSwatch, sequentialRamp } from "../../draw/ramp.js";

const COLOURS = 5;

/** Each colour map in a few of its colours, for either ground. */
export const SWATCHES = Object.fromEntries(
  PALETTES.map((palette) => {
    const dark = rampSwatch(sequentialRamp(palette, "dark"), COLOURS);
    return [palette, rampSwatch(sequentialRamp(palette, "light"), COLOURS).map((colour, index) => `light-dark(${colour}, ${dark[index] ?? colour})`)];
  }),
) as Record<Palette, string[]>;
