import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { message } from "../../i18n/index.js";
import { DEFAULT_STATE, type ModelName } from "../../state/index.js";
import { samplesOf, stateOf } from "../samples.js";
import { step } from "./events.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";

/** The samples of the model in use, as a list that drops down. Choosing one changes the State in one step. */
@customElement("headscope-sample-list")
export class HeadscopeSampleList extends PagePart {
  static override styles = [
    partStyles,
    css`
      :host {
        min-width: 0;
      }

      /* As wide as what it says, not as its longest sentence. */
      select {
        width: 9em;
        max-width: 100%;
        font-size: 12px;
        color: var(--headscope-muted);
        field-sizing: content;
        text-overflow: ellipsis;
      }

      @supports (field-sizing: content) {
        select {
          width: auto;
        }
      }

      option {
        color: var(--headscope-ink);
        background: var(--headscope-paper);
      }
    `,
  ];

  @property() model: ModelName = DEFAULT_STATE.model;

  override render(): TemplateResult | typeof nothing {
    const samples = samplesOf(this.model);
    if (samples.length === 0) return nothing;
    return html`<select aria-label=${message("text.samples")} @change=${this.choose}>
      <option value="" selected>${message("text.samples")}</option>
      ${samples.map(({ text }) => html`<option value=${text} lang="en">${text}</option>`)}
    </select>`;
  }

  private readonly choose = (event: Event): void => {
    if (!(event.target instanceof HTMLSelectElement)) return;
    const { value } = event.target;
    event.target.selectedIndex = 0;
    const sample = samplesOf(this.model).find(({ text }) => text === value);
    if (sample) step(this, stateOf(sample));
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-sample-list": HeadscopeSampleList;
  }
}
