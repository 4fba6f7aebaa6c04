import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { type Architecture, isolated, type Token } from "../../data/index.js";
import type { TokenHoverDetail, TokenLockDetail } from "../../elements/events.js";
import { styled, pieceText, tokenLabel } from "../../elements/shared/templates.js";
import "../../elements/tokens.js";
import { formatPercent, message } from "../../i18n/index.js";
import {
  type Comparison,
  DEFAULT_STATE,
  type ModelName,
  type Side,
  type State,
} from "../../state/index.js";
import { partStyles } from "../../ui/base-styles.js";
import { PagePart } from "../../ui/page-part.js";
import "../../ui/text-field.js";
import "../pairs/compare-entry.js";
import type { Continuation } from "../run/computation.js";
import type { Expectation } from "../run/readings.js";
import { sampleOf } from "../samples.js";
import { patch } from "./events.js";
import "./sentence-parts.js";

/** The sentence and what comes of it beside each other, or one above the other where there is no room. */
const sentenceBarStyles = css`
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

  .over button {
    max-width: 100%;
    font-size: 12px;
    color: var(--headscope-accent);
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
    max-height: max(14vh, 100px);
    overflow: auto;
  }

  headscope-tokens + p {
    margin-top: 8px;
  }

  /* One line is always there, so that the picture stays where it is when a remark goes. */
  .remarks {
    display: flex;
    flex-wrap: wrap;
    gap: 0 20px;
    min-height: 18px;
    margin-top: 8px;
  }

  headscope-token-controls {
    margin: auto 0 0 auto;
    padding-top: 8px;
  }

  .remarks headscope-token-controls {
    margin-top: 0;
    padding-top: 0;
  }

  .guesses {
    display: none;
    color: var(--headscope-ink);
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

  /* In a low window the picture needs the room more. */
  @media (max-height: 760px) {
    @container not (max-width: 820px) {
      section {
        padding-block: 12px 8px;
      }
    }
  }

  @container (max-width: 820px) {
    section {
      grid-template-columns: minmax(0, 1fr);
      gap: 8px;
      padding: 4px 16px 12px;
    }

    headscope-tokens {
      margin-top: 8px;
      max-height: max(14vh, 124px);
    }

    .side {
      position: relative;
    }

    /* How tokens are looked at is one word then, in the corner that the line above the text leaves free. */
    .side > headscope-token-controls {
      display: flex;
      position: absolute;
      top: 0;
      right: 0;
      align-items: center;
      height: 40px;
      margin: 0;
      padding: 0;
    }

    .side:has(> headscope-token-controls) .over {
      padding-right: 84px;
    }

    .over {
      min-height: 40px;
    }

    .remarks {
      align-items: center;
      justify-content: space-between;
    }

    .arrow {
      display: none;
    }

    /* The full list is screens away here: say the best of it. */
    .guesses {
      display: block;
    }
  }
`;

/** How many guesses a line has room for. */
const MOST_GUESSES = 3;

/** A token of one of the texts was pointed at or clicked; null lets go. */
export interface SideTokenDetail {
  side: Side;
  index: number | null;
  action: "hover" | "lock" | "pick";
}

/** One text's tokens, and which of them the page looks at. */
export interface Strip {
  tokens: Token[];
  focused: number | null;
  locked: number[];
  /** Whether a word is looked at as a whole. */
  byWord: boolean;
  /** How much each token has of what those look at that were picked, of the most; empty when none was. */
  shares: readonly (number | null)[];
}

export const NO_STRIP: Strip = { tokens: [], focused: null, locked: [], byWord: false, shares: [] };

/**
 * The sentence and what the model makes of it: a translation with its tokens, how it goes on, or what fills its gaps.
 * Typing changes the State at once; tokens fire
 * `headscope-side-token`.
 */
@customElement("headscope-sentence-bar")
export class HeadscopeSentenceBar extends PagePart {
  static override styles = [partStyles, sentenceBarStyles];

  @property() text = "";
  /** The user's own translation; null while the model writes. */
  @property({ attribute: false }) target: string | null = null;
  @property() translation = "";
  /** Whether the mechanism was changed. */
  @property({ type: Boolean }) edited = false;
  /** Whether the tokens and the translation are those of an earlier text. */
  @property({ type: Boolean }) stale = false;
  @property({ type: Boolean }) writing = false;
  @property() model: ModelName = DEFAULT_STATE.model;
  /** What the model is made of, and so what it does with a sentence; null while that is not known. */
  @property() architecture: Architecture | null = null;
  /** Whether a token can be hidden for the model to fill the gap. */
  @property({ type: Boolean }) hideable = false;
  /** How the model goes on with the text, where it does, and the token that would end it. */
  @property({ attribute: false }) continuation: Continuation | null = null;
  @property({ type: Number }) endToken: number | null = null;
  /** What the model would put in place of a hidden token. */
  @property({ attribute: false }) expectation: Expectation | null = null;
  /** Whether nothing is being computed. */
  @property({ type: Boolean }) settled = false;
  @property() unit: State["unit"] = DEFAULT_STATE.unit;
  @property() specials: State["specials"] = DEFAULT_STATE.specials;
  @property({ attribute: false }) source: Strip = NO_STRIP;
  @property({ attribute: false }) result: Strip = NO_STRIP;
  /** Whether another run stands beside this one. */
  @property() compare: Comparison | null = null;

  /** Whether a touch of a token picks it in addition to others, as a click with Shift does. */
  @state() private several = false;

  @query("section") private readonly section!: HTMLElement | null;

  /** While a translation is written anew, what is below stays where it is: as long as its beginning is short, so high. */
  private keptHeight = 0;

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("writing"))
      this.keptHeight = this.writing ? (this.section?.getBoundingClientRect().height ?? 0) : 0;
  }

  override render(): TemplateResult {
    const second = this.renderSecond();
    const label = message(
      this.architecture === "encoder-decoder" ? "text.label" : "text.labelAlone",
    );
    return html`<section aria-label=${label} class=${classMap({ single: second === null })} style=${styled({ "min-height": `${this.keptHeight}px` })}>
      <div class="side">${this.renderSource()}</div>
      ${
        second === null
          ? nothing
          : html`<div class="arrow" aria-hidden="true">→</div>
            <div class="side">${second}${this.renderControls()}</div>`
      }
    </section>`;
  }

  /** What stands beside the sentence. */
  private renderSecond(): TemplateResult | null {
    if (this.architecture === "encoder-decoder") return this.renderTarget();
    return this.architecture === "decoder" ? this.renderContinuation() : null;
  }

  private renderSource(): TemplateResult {
    return html`<div class="over">
        <span aria-hidden="true">${message("text.yours")}</span>
        <headscope-sample-list .model=${this.model}></headscope-sample-list>
        ${this.compare === "other" ? nothing : html`<headscope-compare-entry .model=${this.model} .text=${this.text}></headscope-compare-entry>`}
      </div>
      <headscope-growing-text
        .value=${this.text}
        .label=${message("text.yours")}
        .placeholder=${message("text.placeholder")}
        @headscope-text=${(event: CustomEvent<string>) => patch(this, { text: event.detail })}
      ></headscope-growing-text>
      ${this.renderStrip("source", this.source, message("text.sourceTokens"))}
      <div class="remarks small muted">${this.renderRemarks()}</div>`;
  }

  /** What the text shows, if it is a sample, and what can be done with its tokens. */
  private renderRemarks(): TemplateResult {
    const sample = sampleOf(this.model, this.text);
    const hides = this.source.tokens.some(({ role }) => role === "mask");
    // What it says was seen in what the model made of the text by itself.
    const note =
      sample &&
      (this.target !== null || this.edited
        ? message("text.beforeChanges", { note: message(sample.note) })
        : message(sample.note));
    return html`${note === undefined ? nothing : html`<p class="note">${note}</p>`}
      ${this.hideable && this.expectation?.truth ? html`<p class="guesses" aria-hidden="true">${guesses(this.expectation)}</p>` : nothing}
      ${this.hideable && this.source.tokens.length > 0 ? html`<p>${message(hides ? "text.clickToShow" : "text.clickToHide")}</p>` : nothing}
      ${this.architecture === "encoder" ? this.renderControls() : nothing}`;
  }

  private renderControls(): TemplateResult | typeof nothing {
    if (this.source.tokens.length === 0) return nothing;
    return html`<headscope-token-controls
      .unit=${this.unit}
      .specials=${this.specials}
      .several=${this.several}
      @headscope-several=${(event: CustomEvent<boolean>) => (this.several = event.detail)}
    ></headscope-token-controls>`;
  }

  private renderContinuation(): TemplateResult {
    return html`<div class="over"><span>${message("go.label")}</span></div>
      <headscope-continuation-area
        class=${classMap({ stale: this.stale })}
        .continuation=${this.continuation}
        .settled=${this.settled}
        .endToken=${this.endToken}
      ></headscope-continuation-area>`;
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
      .byWord=${strip.byWord}
      .shares=${strip.shares}
      .label=${label}
      @headscope-token-hover=${(event: CustomEvent<TokenHoverDetail>) => this.tell(side, event.detail.index, "hover")}
      @headscope-token-lock=${(event: CustomEvent<TokenLockDetail>) => this.tell(side, event.detail.index, event.detail.extend || this.several ? "pick" : "lock")}
    ></headscope-tokens>
    ${strip.tokens.some(({ role }) => role === "unknown") ? html`<p class="small muted">${message("text.unknownPieces")}</p>` : nothing}`;
  }

  private tell(side: Side, index: number | null, action: SideTokenDetail["action"]): void {
    this.dispatchEvent(
      new CustomEvent("headscope-side-token", {
        detail: { side, index, action },
        bubbles: true,
        composed: true,
      }),
    );
  }
}

/** The best guesses in one line. */
function guesses({ at, predictions }: Expectation): string {
  const best = predictions
    .slice(0, MOST_GUESSES)
    .map(
      (prediction) =>
        `${isolated(pieceText(prediction, at))} ${formatPercent(prediction.probability)}`,
    );
  return message("fill.short", { token: tokenLabel(at), guesses: best.join(" · ") });
}

declare global {
  interface HTMLElementEventMap {
    "headscope-side-token": CustomEvent<SideTokenDetail>;
  }
}
