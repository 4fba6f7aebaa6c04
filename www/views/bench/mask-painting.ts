import { css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { HeadRef } from "../../data/index.js";
import { message } from "../../i18n/index.js";
import { REACHES, type Reach } from "../../state/index.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles, toggleStyles } from "../../ui/base-styles.js";
import type { Painting } from "./on-bench.js";
import { ruleStyles } from "./rule-styles.js";

/** The switch that makes the picture above a canvas, and whom its strokes are for. Both belong to the page, not to its address. */
@customElement("headscope-mask-painting")
export class HeadscopeMaskPainting extends PagePart {
  static override styles = [
    partStyles,
    toggleStyles,
    ruleStyles,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px 16px;
      }

      p {
        flex: 1 1 360px;
      }
    `,
  ];

  @property({ attribute: false }) painting: Painting = { on: false, reach: "head" };
  /** The head that is looked at, whose layer and stack can be painted with it. */
  @property({ attribute: false }) head!: HeadRef;

  override render(): TemplateResult {
    const { painting, head } = this;
    const place = {
      layer: head.layer + 1,
      head: head.head + 1,
      stack: message(`stack.${head.stack}`),
    };
    return html`<button class="toggle" aria-pressed=${painting.on} @click=${this.toggle}>${message("paint.switch")}</button>
      <label class="reach"
        >${message("rule.for")}
        <select aria-label=${message("paint.where")} @change=${this.choose}>
          ${REACHES.map((reach) => html`<option value=${reach} .selected=${reach === painting.reach}>${message(`rule.reach.${reach}`, place)}</option>`)}
        </select></label
      >
      <p class="small muted">${message("paint.hint")}</p>`;
  }

  private readonly toggle = (): void => {
    this.dispatchEvent(
      new CustomEvent("headscope-blocking", {
        detail: !this.painting.on,
        bubbles: true,
        composed: true,
      }),
    );
  };

  private readonly choose = ({ target }: Event): void => {
    const reach =
      target instanceof HTMLSelectElement ? REACHES.find((one) => one === target.value) : undefined;
    if (reach)
      this.dispatchEvent(
        new CustomEvent("headscope-paint-reach", { detail: reach, bubbles: true, composed: true }),
      );
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-mask-painting": HeadscopeMaskPainting;
  }
  interface HTMLElementEventMap {
    /** Whom cells that are painted from now on are for. */
    "headscope-paint-reach": CustomEvent<Reach>;
  }
}
