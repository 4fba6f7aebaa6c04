import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import type { Token } from "../../data/index.js";
import "../../elements/tokens/index.js";
import type { TokenHoverDetail, TokenLockDetail } from "../../elements/events.js";
import { message } from "../../i18n/index.js";
import type { Side } from "../run/selection.js";
import { SAMPLES } from "../samples.js";
import { patch } from "./events.js";
import "./growing-text.js";
import { PagePart } from "./page-part.js";
import { partStyles } from "./styles.js";

/** A token of one of the texts was pointed at or clicked; null lets go. */
export interface SideTokenDetail {
  side: Side;
  index: number | null;
  action: "hover" | "lock";
}

/** One text's tokens, and which of them the page looks at. */
export interface Strip {
  tokens: Token[];
  focused: number | null;
  locked: number[];
}

export const NO_STRIP: Strip = { tokens: [], focused: null, locked: [] };

/**
 * The sentence and what became of it, each with its tokens. Typing changes the State at once; tokens fire
 * `headscope-side-token`.
 */
@customElement("headscope-sentence-bar")
export class HeadscopeSentenceBar extends PagePart {
  static override styles = [
    partStyles,
    css`
      section {
        display: grid;
        grid-template-columns: minmax(0, 1fr) 24px minmax(0, 1fr);
        gap: 0 24px;
        padding: 20px 28px 16px;
        border-bottom: 1px solid var(--headscope-line);
      }

      section.single {
        grid-template-columns: minmax(0, 1fr);
      }

      .side {
        display: flex;
        flex-direction: column;
      }

      .over {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 0 16px;
        min-height: 28px;
        font-size: 12px;
        color: var(--headscope-muted);
      }

      .over select,
      .over button {
        max-width: 100%;
        font-size: 12px;
        color: var(--headscope-muted);
      }

      /* As wide as what it says, not as its longest sentence. */
      .over select {
        width: 9em;
        field-sizing: content;
        text-overflow: ellipsis;
      }

      @supports (field-sizing: content) {
        .over select {
          width: auto;
        }
      }

      .over button {
        color: var(--headscope-accent);
      }

      select option {
        color: var(--headscope-ink);
        background: var(--headscope-paper);
      }

      .arrow {
        align-self: start;
        padding-top: 34px;
        text-align: center;
        color: var(--headscope-muted);
        font-size: 18px;
      }

      headscope-tokens {
        margin-top: 12px;
        max-height: max(14vh, 96px);
        overflow: auto;
      }

      .unknown {
        margin-top: 4px;
      }

      /* What belongs to an earlier text loses its colour, not its contrast. */
      .stale {
        filter: grayscale(1);
        --headscope-ink: var(--headscope-muted);
        color: var(--headscope-muted);
      }

      /* Quiet until somebody comes near. */
      .hint {
        margin-right: auto;
        opacity: 0;
      }

      .side:is(:hover, :focus-within) .hint {
        opacity: 1;
      }

      @media (hover: none) {
        .hint {
          opacity: 1;
        }
      }

      @media (max-width: 820px) {
        section {
          grid-template-columns: minmax(0, 1fr);
          gap: 16px;
          padding: 16px;
        }

        .arrow {
          display: none;
        }
      }
    `,
  ];

  @property() text = "";
  /** The user's own translation; null while the model writes. */
  @property({ attribute: false }) target: string | null = null;
  @property() translation = "";
  /** Whether the tokens and the translation are those of an earlier text. */
  @property({ type: Boolean }) stale = false;
  @property({ type: Boolean }) writing = false;
  /** Whether the model has a second text at all. */
  @property({ type: Boolean }) translates = true;
  @property({ attribute: false }) source: Strip = NO_STRIP;
  @property({ attribute: false }) result: Strip = NO_STRIP;

  override render(): TemplateResult {
    return html`<section aria-label=${message("text.label")} class=${classMap({ single: !this.translates })}>
      <div class="side">${this.renderSource()}</div>
      ${this.translates
        ? html`<div class="arrow" aria-hidden="true">→</div>
            <div class="side">${this.renderTarget()}</div>`
        : nothing}
    </section>`;
  }

  private renderSource(): TemplateResult {
    return html`<div class="over">
        <span aria-hidden="true">${message("text.yours")}</span>
        <select aria-label=${message("text.samples")} @change=${this.chooseSample}>
          <option value="" selected>${message("text.samples")}</option>
          ${SAMPLES.map((sample) => html`<option value=${sample} lang="en">${sample}</option>`)}
        </select>
      </div>
      <headscope-growing-text
        .value=${this.text}
        .label=${message("text.yours")}
        .placeholder=${message("text.placeholder")}
        @headscope-text=${(event: CustomEvent<string>) => patch(this, { text: event.detail })}
      ></headscope-growing-text>
      ${this.renderStrip("source", this.source, message("text.sourceTokens"))}`;
  }

  private renderTarget(): TemplateResult {
    const own = this.target !== null;
    return html`<div class="over">
        <span aria-hidden="true">${message(own ? "text.own" : this.writing ? "text.writing" : "text.translation")}</span>
        ${own ? nothing : html`<span class="hint" aria-hidden="true">${message("text.orYourOwn")}</span>`}
        ${own ? html`<button @click=${() => patch(this, { target: null })}>${message("text.letModelWrite")}</button>` : nothing}
      </div>
      <headscope-growing-text
        class=${classMap({ stale: this.stale && !own })}
        .quiet=${!own}
        .value=${this.target ?? this.translation}
        .label=${message(own ? "text.own" : "text.translation")}
        .description=${message("text.ownHint")}
        .placeholder=${message(own ? "text.ownPlaceholder" : "text.translationPlaceholder")}
        @headscope-text=${(event: CustomEvent<string>) => patch(this, { target: event.detail })}
      ></headscope-growing-text>
      ${this.renderStrip("target", this.result, message("text.targetTokens"))}`;
  }

  private renderStrip(side: Side, strip: Strip, label: string): TemplateResult {
    return html`<headscope-tokens
      class=${classMap({ stale: this.stale })}
      .tokens=${strip.tokens}
      .hovered=${strip.focused}
      .locked=${strip.locked}
      .label=${label}
      @headscope-token-hover=${(event: CustomEvent<TokenHoverDetail>) => this.tell(side, event.detail.index, "hover")}
      @headscope-token-lock=${(event: CustomEvent<TokenLockDetail>) => this.tell(side, event.detail.index, "lock")}
    ></headscope-tokens>
    ${strip.tokens.some(({ role }) => role === "unknown") ? html`<p class="unknown small muted">${message("text.unknownPieces")}</p>` : nothing}`;
  }

  private tell(side: Side, index: number | null, action: "hover" | "lock"): void {
    this.dispatchEvent(new CustomEvent("headscope-side-token", { detail: { side, index, action }, bubbles: true, composed: true }));
  }

  private readonly chooseSample = (event: Event): void => {
    if (!(event.target instanceof HTMLSelectElement)) return;
    const sample = event.target.value;
    event.target.selectedIndex = 0;
    if (sample) patch(this, { text: sample, target: null });
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-sentence-bar": HeadscopeSentenceBar;
  }
  interface HTMLElementEventMap {
    "headscope-side-token": CustomEvent<SideTokenDetail>;
  }
}
