/** The settings of the page: language, theme, colours of weights, size, and the GPU. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { DirectiveResult } from "lit/directive.js";
import { customElement } from "lit/decorators.js";
import { PALETTES } from "../data/index.js";
import { rampOf, rampSwatch } from "../draw/colours.js";
import { type Language, language, LANGUAGES, message } from "../i18n/index.js";
import { THEMES } from "../state/index.js";
import { SessionPart } from "../session/session.js";
import { type Choice, choice } from "../ui/choice.js";
import { fieldChoice, type Settable } from "./controls.js";
import "./gpu-switch.js";

const SWATCH_COLOURS = 5;

/**
 * The choice of the colour map of weights, here and in the grid, by some of its colours, for either
 * theme.
 */
function colourChoice(session: Settable): DirectiveResult {
  return fieldChoice(session, "colours", "colours.label", PALETTES, (palette) => {
    const [light, dark] = (["light", "dark"] as const).map((theme) =>
      rampSwatch(rampOf(palette, theme), SWATCH_COLOURS),
    );
    const swatch = light?.map((colour, at) => `light-dark(${colour}, ${dark?.[at] ?? colour})`);
    return { label: message(`colours.${palette}`), ...(swatch && { swatch }) };
  });
}

/** The contents of the settings menu. */
@customElement("headscope-settings-sheet")
export class HeadscopeSettingsSheet extends SessionPart {
  static override styles = css`
    dl {
      grid-template-columns: auto 1fr;
      align-items: center;
      gap: 8px 20px;
    }
    dd {
      text-align: left;
    }
  `;

  override render(): TemplateResult {
    const { session } = this;
    const { adapter } = session.backend;
    const named = (lang: Language): Omit<Choice, "value"> => {
      return { label: LANGUAGES.find(({ code }) => code === lang)?.name ?? lang, lang };
    };
    const codes = LANGUAGES.map(({ code }) => code);
    const speak = (lang: Language): void => session.update({ language: lang });
    return html`<dl>
        <dt aria-hidden="true">${message("bar.language")}</dt>
        <dd>${choice(message("bar.language"), codes, language(), named, speak)}</dd>
        <dt aria-hidden="true">${message("bar.theme")}</dt>
        <dd>
          ${fieldChoice(session, "theme", "bar.theme", THEMES, (theme) =>
            message(`theme.${theme}`),
          )}
        </dd>
        <dt aria-hidden="true">${message("menus.colours")}</dt>
        <dd>${colourChoice(session)}</dd>
      </dl>
      ${
        session.page.present
          ? html`<button
                class="toggle apart"
                aria-pressed=${session.presenting}
                @click=${() => session.page.present?.(!session.presenting)}
              >
                ${message("menus.present")}
              </button>
              <p class="small muted">${message("menus.presentHint", { parameter: "?present" })}</p>`
          : nothing
      }
      ${adapter ? this.renderSwitch() : nothing}`;
  }

  private renderSwitch(): TemplateResult {
    const { session } = this;
    const turn = ({ detail }: CustomEvent<boolean>): void =>
      session.update({ backend: detail ? "webgpu" : "cpu" });
    return html`<headscope-gpu-switch
      class="small apart"
      .adapter=${session.backend.adapter}
      .on=${session.state.backend === "webgpu"}
      .onCpu=${session.onCpu}
      @headscope-gpu-turn=${turn}
    ></headscope-gpu-switch>`;
  }
}
