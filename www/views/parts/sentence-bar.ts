import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { isolated } from "../../data/index.js";
import type { TokenHoverDetail, TokenLockDetail } from "../../elements/events.js";
import { pieceText, styled, tokenLabel } from "../../elements/shared/templates.js";
import "../../elements/tokens.js";
import { formatPercent, message } from "../../i18n/index.js";
import type { Side } from "../../state/index.js";
import { partStyles } from "../../ui/base-styles.js";
import "../../ui/text-field.js";
import type { TokenTouch } from "../run/pointing.js";
import "../pairs/compare-entry.js";
import type { Expectation } from "../run/readings.js";
import type { Strip } from "../run/selection.js";
import { sampleOf } from "../samples.js";
import { SessionPart } from "../session.js";
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

/**
 * The sentence and what the model makes of it: a translation with its tokens, how it goes on, or what fills its gaps.
 * Typing changes the State at once.
 */
@customElement("headscope-sentence-bar")
export class HeadscopeSentenceBar extends SessionPart {
  static override styles = [partStyles, sentenceBarStyles];

  /** Whether a touch of a token picks it in addition to others, as a click with Shift does. */
  @state() private several = false;

  @query("section") private readonly section!: HTMLElement | null;

  /** While a translation is written anew, what is below stays where it is: as long as its beginning is short, so high. */
  private keptHeight = 0;

  private wasWriting = false;
  protected override readonly turn = 1;

  protected override willUpdate(): void {
    const { writing } = this.session;
    if (writing !== this.wasWriting)
      this.keptHeight = writing ? (this.section?.getBoundingClientRect().height ?? 0) : 0;
    this.wasWriting = writing;
  }

  override render(): TemplateResult {
    const second = this.renderSecond();
    const label = message(
      this.session.architecture === "encoder-decoder" ? "text.label" : "text.labelAlone",
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
    if (this.session.architecture === "encoder-decoder") return this.renderTarget();
    return this.session.architecture === "decoder" ? this.renderContinuation() : null;
  }

  private renderSource(): TemplateResult {
    const { session } = this;
    const { text, compare } = session.state;
    return html`<div class="over">
        <span aria-hidden="true">${message("text.yours")}</span>
        <headscope-sample-list></headscope-sample-list>
        ${compare === "other" ? nothing : html`<headscope-compare-entry></headscope-compare-entry>`}
      </div>
      <headscope-growing-text
        .value=${text}
        .label=${message("text.yours")}
        .placeholder=${message("text.placeholder")}
        @headscope-text=${(event: CustomEvent<string>) => session.update({ text: event.detail })}
      ></headscope-growing-text>
      ${this.renderStrip("source", session.source, message("text.sourceTokens"))}
      <div class="remarks small muted">${this.renderRemarks()}</div>`;
  }

  /** What the text shows, if it is a sample, and what can be done with its tokens. */
  private renderRemarks(): TemplateResult {
    const { state, source, edited, architecture, info, expectation } = this.session;
    const sample = sampleOf(state.model, state.text);
    const hides = source.tokens.some(({ role }) => role === "mask");
    const hideable = architecture === "encoder" && info?.predicts && info.maskToken !== null;
    // What it says was seen in what the model made of the text by itself.
    const note =
      sample &&
      (state.target !== null || edited
        ? message("text.beforeChanges", { note: message(sample.note) })
        : message(sample.note));
    return html`${note === undefined ? nothing : html`<p class="note">${note}</p>`}
      ${hideable && expectation?.truth ? html`<p class="guesses" aria-hidden="true">${guesses(expectation)}</p>` : nothing}
      ${hideable && source.tokens.length > 0 ? html`<p>${message(hides ? "text.clickToShow" : "text.clickToHide")}</p>` : nothing}
      ${architecture === "encoder" ? this.renderControls() : nothing}`;
  }

  private renderControls(): TemplateResult | typeof nothing {
    if (this.session.source.tokens.length === 0) return nothing;
    return html`<headscope-token-controls
      .several=${this.several}
      @headscope-several=${(event: CustomEvent<boolean>) => (this.several = event.detail)}
    ></headscope-token-controls>`;
  }

  private renderContinuation(): TemplateResult {
    return html`<div class="over"><span>${message("go.label")}</span></div>
      <headscope-continuation-area class=${classMap({ stale: this.session.computation.stale })}></headscope-continuation-area>`;
  }

  private renderTarget(): TemplateResult {
    const { session } = this;
    const { target } = session.state;
    const own = target !== null;
    return html`<div class="over">
        <span aria-hidden="true">${message(own ? "text.own" : session.writing ? "text.writing" : "text.translation")}</span>
        ${own ? nothing : html`<span class="hint" aria-hidden="true">${message("text.orYourOwn")}</span>`}
        ${own ? html`<button @click=${() => session.update({ target: null })}>${message("text.letModelWrite")}</button>` : nothing}
      </div>
      <headscope-growing-text
        class=${classMap({ stale: session.computation.stale && !own })}
        .quiet=${!own}
        .value=${target ?? session.translation}
        .label=${message(own ? "text.own" : "text.translation")}
        .description=${message("text.ownHint")}
        .placeholder=${message(own ? "text.ownPlaceholder" : "text.translationPlaceholder")}
        @headscope-text=${(event: CustomEvent<string>) => session.update({ target: event.detail })}
      ></headscope-growing-text>
      ${this.renderStrip("target", session.result, message("text.targetTokens"))}`;
  }

  private renderStrip(side: Side, strip: Strip, label: string): TemplateResult {
    const touch = (index: number | null, action: TokenTouch["action"]): void =>
      this.session.pointing.touchToken({ side, index, action });
    return html`<headscope-tokens
      class=${classMap({ stale: this.session.computation.stale })}
      .tokens=${strip.tokens}
      .hovered=${strip.focused}
      .locked=${strip.locked}
      .byWord=${strip.byWord}
      .shares=${strip.shares}
      .label=${label}
      @headscope-token-hover=${(event: CustomEvent<TokenHoverDetail>) => touch(event.detail.index, "hover")}
      @headscope-token-lock=${(event: CustomEvent<TokenLockDetail>) => touch(event.detail.index, event.detail.extend || this.several ? "pick" : "lock")}
    ></headscope-tokens>
    ${strip.tokens.some(({ role }) => role === "unknown") ? html`<p class="small muted">${message("text.unknownPieces")}</p>` : nothing}`;
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
