import { css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { message } from "../../i18n/index.js";
import { DEFAULT_STATE, type ModelName } from "../../state/index.js";
import { step } from "../parts/events.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";
import { partnerOf } from "./samples.js";

/** The way to a second sentence beside the first. */
@customElement("headscope-compare-entry")
export class HeadscopeCompareEntry extends PagePart {
  static override styles = [
    partStyles,
    css`
      button {
        font-size: 12px;
        color: var(--headscope-accent);
      }
    `,
  ];

  @property() model: ModelName = DEFAULT_STATE.model;
  @property() text = "";

  override render(): TemplateResult {
    return html`<button @click=${this.begin}>${message("pairs.begin")}</button>`;
  }

  private readonly begin = (): void => {
    step(this, {
      compare: "other",
      otherText: partnerOf(this.model, this.text),
      otherModel: null,
      pairs: [],
    });
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-compare-entry": HeadscopeCompareEntry;
  }
}
