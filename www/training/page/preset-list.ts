/** The presets of the training part: each a training that one click starts. */
import { html, nothing, type TemplateResult } from "lit";
import { message } from "../../i18n/index.js";
import { PRESETS, type PresetName } from "../presets.js";
import { BESIDE } from "./trainings.js";

const NAMES = Object.keys(PRESETS) as PresetName[];

const textOf = (name: PresetName): string => PRESETS[name].join(BESIDE);

/** The settings of a first visit. */
export const USUAL = textOf("induction");

/** Renders the presets; `explains` says whether the chosen one has its sentence below. */
export function renderPresets(
  text: string,
  explains: boolean,
  choose: (text: string) => void,
): TemplateResult {
  const chosen = NAMES.find((name) => textOf(name) === text);
  return html`<div class="presets" role="group" aria-label=${message("training.presets")}>
      ${NAMES.map(
        (name) =>
          html`<button aria-pressed=${name === chosen} @click=${() => choose(textOf(name))}>
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
