import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { message } from "../../i18n/index.js";
import { BENCHES, type Bench } from "../../state/index.js";
import { patch } from "../parts/events.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";
import { BENCH_PARTS } from "./benches.js";
import type { OnBench } from "./on-bench.js";

/**
 * The bench: a row of doors, and behind the open one the controls that change the mechanism. It is a drawer of the page
 * below the picture that it changes; unfolded it has all the height it needs, and the page scrolls.
 */
@customElement("headscope-bench")
export class HeadscopeBench extends PagePart {
  static override styles = [
    partStyles,
    css`
      .doors {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 4px 20px;
      }

      .doors button {
        padding: 4px 0;
        color: var(--headscope-muted);
        border-bottom: 2px solid transparent;
      }

      .doors button:hover,
      .doors button[aria-expanded="true"] {
        color: var(--headscope-ink);
      }

      .doors button[aria-expanded="true"] {
        border-bottom-color: var(--headscope-accent);
      }

      .doors .fold {
        margin-left: auto;
        border: 0;
      }

      .body {
        /* Above it the picture keeps 460 px, and below that it has room for a control. */
        max-height: clamp(200px, 100vh - 560px, 420px);
        margin-top: 8px;
        padding-top: 12px;
        border-top: 1px solid var(--headscope-line);
        overflow: auto;
      }

      :host([unfolded]) .body {
        max-height: none;
      }

      /* Low windows have no room for a picture and a drawer; a phone gives it a page. */
      @media (max-height: 620px) {
        .body {
          max-height: none;
        }

        .doors .fold {
          display: none;
        }
      }

      @container (max-width: 820px) {
        .body {
          max-height: none;
        }

        .doors .fold {
          display: none;
        }
      }
    `,
  ];

  @property() open: Bench | null = null;
  /** The session as its parts see it. */
  @property({ attribute: false }) on: OnBench | null = null;
  /** Whether it has all the height it needs; this belongs to the place, not to what is shown. */
  @property({ type: Boolean, reflect: true }) unfolded = false;

  protected override willUpdate(): void {
    if (this.open === null && this.unfolded) this.tell(false);
  }

  override render(): TemplateResult {
    const { open, unfolded } = this;
    return html`<div class="doors">
        <h2>${message("bench.title")}</h2>
        ${BENCHES.map(
          (name) =>
            html`<button aria-expanded=${open === name} aria-controls="body" @click=${() => patch(this, { bench: open === name ? null : name, labs: null })}>${message(`bench.${name}`)}</button>`,
        )}
        ${open === null ? nothing : html`<button class="fold" @click=${this.fold}>${message(unfolded ? "bench.fold" : "bench.unfold")}</button>`}
      </div>
      <div class="body" id="body" role="group" aria-label=${open === null ? nothing : message(`bench.${open}`)} ?hidden=${open === null}>${this.renderOpen()}</div>`;
  }

  private renderOpen(): TemplateResult | typeof nothing {
    const { open, on } = this;
    if (open === null || !on) return nothing;
    const { later, draw } = BENCH_PARTS[open];
    return later.show(this, () => draw(on), 96);
  }

  private readonly fold = (): void => {
    this.tell(!this.unfolded);
    void this.updateComplete.then(() =>
      this.scrollIntoView({ block: this.unfolded ? "start" : "nearest" }),
    );
  };

  private tell(unfolded: boolean): void {
    this.unfolded = unfolded;
    this.dispatchEvent(
      new CustomEvent("headscope-bench-fold", { detail: unfolded, bubbles: true, composed: true }),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-bench": HeadscopeBench;
  }
}
