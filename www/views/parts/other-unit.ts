import { css, html, LitElement, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { partStyles } from "../../ui/base-styles.js";

/**
 * A number that can be read in another unit: shown while it is pointed at, while it has the focus, and after a tap.
 * Escape puts it away.
 */
@customElement("headscope-other-unit")
export class HeadscopeOtherUnit extends LitElement {
  static override styles = [
    partStyles,
    css`
      :host {
        position: relative;
        display: inline-block;
      }

      button {
        padding: 0;
        min-height: 24px;
        border-bottom: 1px dotted var(--headscope-muted);
        font-variant-numeric: tabular-nums;
      }

      [role="tooltip"] {
        position: absolute;
        right: 0;
        top: 100%;
        z-index: 2;
        visibility: hidden;
        padding: 4px 8px;
        border-radius: 3px;
        background: var(--headscope-ink);
        color: var(--headscope-paper);
        font-size: 12px;
        white-space: nowrap;
      }

      :host(:not([dismissed]):hover) [role="tooltip"],
      :host(:not([dismissed])) button:focus + [role="tooltip"] {
        visibility: visible;
      }
    `,
  ];

  @property() value = "";
  @property() other = "";
  @property({ type: Boolean, reflect: true }) dismissed = false;

  override render(): TemplateResult {
    return html`<button type="button" aria-describedby="other" @keydown=${this.pressed} @focus=${this.offer} @click=${this.offer} @pointerenter=${this.offer}>${this.value}</button
      ><span id="other" role="tooltip">${this.other}</span>`;
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || this.dismissed) return;
    this.dismissed = true;
    event.stopPropagation();
  };

  private readonly offer = (): void => {
    this.dismissed = false;
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-other-unit": HeadscopeOtherUnit;
  }
}
