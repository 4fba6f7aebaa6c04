import { html, type TemplateResult } from "lit";
import { PALETTES, type Palette } from "../../data/index.js";
import { rampSwatch, sequentialRamp } from "../../draw/ramp.js";
import { message } from "../../i18n/index.js";
import "../../ui/choice.js";
import { patch } from "./events.js";

const COLOURS = 5;

/** Each colour map in a few of its colours, for either ground. */
const SWATCHES = Object.fromEntries(
  PALETTES.map((palette) => {
    const dark = rampSwatch(sequentialRamp(palette, "dark"), COLOURS);
    return [
      palette,
      rampSwatch(sequentialRamp(palette, "light"), COLOURS).map(
        (colour, index) => `light-dark(${colour}, ${dark[index] ?? colour})`,
      ),
    ];
  }),
) as Record<Palette, string[]>;

/** The colour map of weights, here and in the grid. */
export function colourChoice(host: EventTarget, colours: Palette): TemplateResult {
  return html`<headscope-choice
    look="words"
    .label=${message("colours.label")}
    .value=${colours}
    .choices=${PALETTES.map((value) => ({ value, label: message(`colours.${value}`), swatch: SWATCHES[value] }))}
    @headscope-choose=${(event: CustomEvent<string>) => {
      const chosen = PALETTES.find((candidate) => candidate === event.detail);
      if (chosen) patch(host, { colours: chosen });
    }}
  ></headscope-choice>`;
}
