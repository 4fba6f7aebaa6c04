import type { TemplateResult } from "lit";
import { type Palette, PALETTES } from "../../data/index.js";
import { rampSwatch, sequentialRamp } from "../../draw/colours.js";
import { message } from "../../i18n/index.js";
import { STAGES } from "../../state/index.js";
import { choice } from "../../ui/choice.js";
import type { Session } from "../session.js";

const SWATCH_COLOURS = 5;

/** Each colour map in a few of its colours, for either theme. */
const SWATCHES = Object.fromEntries(
  PALETTES.map((palette) => {
    const [light = [], dark = []] = (["light", "dark"] as const).map((theme) =>
      rampSwatch(sequentialRamp(palette, theme), SWATCH_COLOURS),
    );
    return [palette, light.map((colour, at) => `light-dark(${colour}, ${dark[at] ?? colour})`)];
  }),
) as Record<Palette, string[]>;

/** Which stage of the computation a picture shows. */
export function stageChoice(session: Session): TemplateResult {
  return choice({
    label: message("stage.label"),
    look: "segments",
    values: STAGES,
    value: session.state.stage,
    show: (value) => message(`stage.${value}`),
    choose: (stage) => session.update({ stage }),
  });
}

/** The colour map of weights, here and in the grid. */
export function colourChoice(session: Session): TemplateResult {
  return choice({
    label: message("colours.label"),
    values: PALETTES,
    value: session.state.colours,
    show: (palette) => ({ label: message(`colours.${palette}`), swatch: SWATCHES[palette] }),
    choose: (colours) => session.update({ colours }),
  });
}
