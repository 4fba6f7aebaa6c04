/** The presets of the training part: each a lesson that one click starts. */
import { html, nothing, type TemplateResult } from "lit";
import { message } from "../../i18n/index.js";

/** The settings of a first visit. */
export const USUAL = "induction";

/** The presets by name, each with the text of its link. */
const PRESETS = {
  induction: "induction",
  layers: "induction:induction_layers.1",
  copy: "copy",
} as const;

/** Renders the presets; `explains` says whether the chosen one has its sentence below. */
export function renderPresets(
  text: string,
  explains: boolean,
  choose: (text: string) => void,
): TemplateResult {
  const names = Object.keys(PRESETS) as (keyof typeof PRESETS)[];
  const chosen = names.find((name) => PRESETS[name] === text);
  return html`<div class="presets" role="group" aria-label=${message("training.presets")}>
      ${names.map(
        (name) =>
          html`<button aria-pressed=${name === chosen} @click=${() => choose(PRESETS[name])}>
            ${message(`training.preset.${name}`)}
          </button>`,
      )}
    </div>
    ${
      chosen === undefined || !explains
        ? nothing
        : html`<p class="about serif">${message(`training.preset.${chosen}.says`)}</p>`
    }`;
}
