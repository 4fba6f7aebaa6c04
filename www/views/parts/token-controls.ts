import { css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { message } from "../../i18n/index.js";
import { DEFAULT_STATE, UNITS, type State } from "../../state/index.js";
import "../../ui/choice.js";
import { patch } from "./events.js";
import "./narrow-menu.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles, toggleStyles } from "../../ui/base-styles.js";

/**
 * How tokens are looked at: by themselves or as words, with special tokens or without, one or several. Changes the
 * State, and fires `headscope-several`.
 */
@customElement("headscope-token-controls")
export class HeadscopeTokenControls extends PagePart {
  static override styles = [
    partStyles,
    toggleStyles,
    css`
      div {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 16px;
        font-size: 12px;
      }

      headscope-choice {
        font-size: 12px;
        --headscope-segment: 1px 10px;
      }

      button {
        padding: 0;
      }
    `,
  ];

  @property() unit: State["unit"] = DEFAULT_STATE.unit;
  @property() specials: State["specials"] = DEFAULT_STATE.specials;
  @property({ type: Boolean }) several = false;

  override render(): TemplateResult {
    const hidden = this.specials === "hidden";
    const changed = [this.unit !== DEFAULT_STATE.unit, hidden, this.several].filter(Boolean).length;
    return html`<div>
      <headscope-narrow-menu .label=${message("lens.menu")} .name=${message("lens.label")} .changed=${changed}>
        <headscope-choice
          look="segments"
          .label=${message("lens.unit")}
          .value=${this.unit}
          .choices=${UNITS.map((value) => ({ value, label: message(`lens.${value}`) }))}
          @headscope-choose=${this.chooseUnit}
        ></headscope-choice>
        <button class="toggle" aria-pressed=${hidden} @click=${() => patch(this, { specials: hidden ? "shown" : "hidden" })}>${message("lens.ordinaryOnly")}</button>
        <button class="toggle" aria-pressed=${this.several} title=${message("lens.severalHint")} @click=${this.toggleSeveral}>${message("lens.several")}</button>
      </headscope-narrow-menu>
    </div>`;
  }

  private readonly chooseUnit = (event: CustomEvent<string>): void => {
    const unit = UNITS.find((candidate) => candidate === event.detail);
    if (unit) patch(this, { unit });
  };

  private readonly toggleSeveral = (): void => {
    this.dispatchEvent(
      new CustomEvent("headscope-several", {
        detail: !this.several,
        bubbles: true,
        composed: true,
      }),
    );
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-token-controls": HeadscopeTokenControls;
  }
  interface HTMLElementEventMap {
    /** Whether touched tokens are picked in addition to others from now on. */
    "headscope-several": CustomEvent<boolean>;
  }
}
