import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import type { TokenHoverDetail, TokenLockDetail } from "../../elements/events.js";
import "../../elements/tokens.js";
import { message } from "../../i18n/index.js";
import {
  type AlignedBy,
  ALIGNMENTS,
  BUNDLED_MODELS,
  type Comparison,
  DEFAULT_STATE,
  type ModelName,
  type Side,
} from "../../state/index.js";
import { partStyles, progressStyles } from "../../ui/base-styles.js";
import { choice } from "../../ui/choice.js";
import { PagePart } from "../../ui/page-part.js";
import "../../ui/text-field.js";
import { modelLabel } from "../models.js";
import { patch, step } from "../parts/events.js";
import { NO_STRIP, type Strip } from "../parts/sentence-bar.js";
import type { Download } from "../run/download.js";
import { pairSamplesOf, stateOfPair } from "./compare-entry.js";

const otherBarStyles = css`
  section {
    padding: 12px 28px 16px;
    border-bottom: 1px solid var(--headscope-line);
  }

  .over {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 20px;
    min-height: 28px;
    font-size: 12px;
    color: var(--headscope-muted);
  }

  .hint headscope-choice {
    font-size: 12px;
  }

  .over select,
  .over button {
    min-width: 0;
    max-width: 100%;
    font-size: 12px;
    color: var(--headscope-muted);
  }

  /* As wide as what it says, not as its longest sentence. */
  .samples {
    width: 9em;
    text-overflow: ellipsis;
  }

  @supports (field-sizing: content) {
    .over select {
      width: auto;
      field-sizing: content;
    }
  }

  option {
    color: var(--headscope-ink);
    background: var(--headscope-paper);
  }

  .over .end {
    margin-left: auto;
    color: var(--headscope-accent);
  }

  .words {
    font: 400 15px/1.5 var(--headscope-font-text);
  }

  .written {
    margin-top: 12px;
  }

  .written .small {
    font: 400 12px/1.5 var(--headscope-font-ui);
  }

  headscope-tokens {
    margin-top: 12px;
    max-height: max(14vh, 96px);
    overflow: auto;
  }

  .hint {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0 24px;
    margin-top: 8px;
  }

  .failure {
    margin-top: 8px;
    color: var(--headscope-accent);
  }

  .failure button {
    margin-left: 12px;
    text-decoration: underline;
  }

  progress {
    display: inline-block;
    width: 160px;
    margin-left: 12px;
    vertical-align: middle;
  }

  .stale {
    filter: grayscale(1);
  }

  @container (max-width: 820px) {
    section {
      padding: 12px 16px;
    }

    /* The way out stays in the line of the choices. */
    .over {
      column-gap: 12px;
    }
  }
`;

/** A token of the other text was pointed at or clicked; null lets go. */
export interface OtherTokenDetail {
  side: Side;
  index: number | null;
  action: "hover" | "lock";
}

/**
 * What the sentence stands beside: another text, another model, or the same without the edits. A click on one of its
 * tokens makes it the counterpart of the token that is held above; tokens fire `headscope-other-token`.
 */
@customElement("headscope-other-bar")
export class HeadscopeOtherBar extends PagePart {
  static override styles = [partStyles, progressStyles, otherBarStyles];

  @property() compare: Comparison = "other";
  @property() model: ModelName = DEFAULT_STATE.model;
  /** Null for the model of the sentence above. */
  @property() otherModel: ModelName | null = null;
  @property({ attribute: false }) opened: readonly ModelName[] = [];
  @property() text = "";
  /** What the model wrote from it; null where nothing is written. */
  @property({ attribute: false }) translation: string | null = null;
  @property({ attribute: false }) source: Strip = NO_STRIP;
  @property({ attribute: false }) result: Strip = NO_STRIP;
  /** Whether tokens and translation are those of an earlier text. */
  @property({ type: Boolean }) stale = false;
  @property() aligned: AlignedBy = "words";
  /** Whether a token above is held, for which a counterpart can be chosen. */
  @property({ type: Boolean }) held = false;
  /** Why there is no run, as a sentence. */
  @property({ attribute: false }) failure: string | null = null;
  @property({ attribute: false }) download: Download | null = null;

  override render(): TemplateResult {
    const original = this.compare === "original";
    return html`<section aria-label=${message(original ? "pairs.original" : "pairs.other")}>
      <div class="over">
        <span class="title">${message(original ? "pairs.original" : "pairs.beside")}</span>
        ${original ? nothing : this.renderChoices()}
        <button class="end" @click=${() => step(this, { compare: null })}>${message("pairs.end")}</button>
      </div>
      ${original ? html`<p class="words">${message("pairs.originalHint")}</p>` : this.renderText()}
      ${this.renderState()}
      ${original ? nothing : this.renderStrips()}
    </section>`;
  }

  private renderChoices(): TemplateResult {
    const samples = pairSamplesOf(this.model);
    const models: ModelName[] = [...BUNDLED_MODELS, ...this.opened].filter(
      (name) => name !== this.model,
    );
    return html`${
      samples.length === 0
        ? nothing
        : html`<select class="samples" aria-label=${message("pairs.samples")} @change=${this.chooseSample}>
            <option value="" selected>${message("pairs.samples")}</option>
            ${samples.map(({ text, other }, index) => html`<option value=${index} lang="en">${text} · ${other}</option>`)}
          </select>`
    }
      <select aria-label=${message("pairs.model")} @change=${this.chooseModel}>
        <option value="" .selected=${this.otherModel === null}>${message("pairs.sameModel")}</option>
        ${models.map((name) => html`<option value=${name} .selected=${name === this.otherModel}>${modelLabel(name)}</option>`)}
      </select>`;
  }

  private renderText(): TemplateResult {
    return html`<headscope-growing-text
      .value=${this.text}
      .label=${message("pairs.other")}
      .placeholder=${message("pairs.placeholder")}
      @headscope-text=${(event: CustomEvent<string>) => patch(this, { otherText: event.detail, pairs: [] })}
    ></headscope-growing-text>`;
  }

  /** What keeps the other run from being there. */
  private renderState(): TemplateResult | typeof nothing {
    if (this.failure !== null) {
      return html`<p class="failure" role="alert">${this.failure}
        <button @click=${() => this.dispatchEvent(new CustomEvent("headscope-other-again"))}>${message("run.again")}</button></p>`;
    }
    if (this.download?.phase !== "loading") return nothing;
    const { loadedBytes, totalBytes } = this.download;
    return html`<p class="small muted" role="status">${message("load.model")}
      <progress max=${totalBytes ?? nothing} value=${totalBytes === null ? nothing : loadedBytes} aria-label=${message("load.model")}></progress></p>`;
  }

  private renderStrips(): TemplateResult {
    return html`<div class=${classMap({ strips: true, stale: this.stale })}>
        ${this.renderStrip("source", this.source, message("pairs.tokens"))}
        ${
          this.translation === null
            ? nothing
            : html`<p class="words written"><span class="small muted">${message("text.translation")}</span> <bdi>${this.translation}</bdi></p>
              ${this.renderStrip("target", this.result, message("pairs.writtenTokens"))}`
        }
      </div>
      <div class="hint">
        <p class="small muted">${message(this.held ? "pairs.choose" : "pairs.hold")}</p>
        ${choice({
          label: message("pairs.aligned"),
          values: ALIGNMENTS,
          value: this.aligned,
          show: (aligned) => message(`pairs.aligned.${aligned}`),
          choose: (aligned) => step(this, { aligned }),
        })}
      </div>`;
  }

  private renderStrip(side: Side, strip: Strip, label: string): TemplateResult {
    const tell = (index: number | null, action: OtherTokenDetail["action"]): void => {
      this.dispatchEvent(
        new CustomEvent<OtherTokenDetail>("headscope-other-token", {
          detail: { side, index, action },
          bubbles: true,
          composed: true,
        }),
      );
    };
    return html`<headscope-tokens
      .tokens=${strip.tokens}
      .hovered=${strip.focused}
      .locked=${strip.locked}
      .label=${label}
      @headscope-token-hover=${(event: CustomEvent<TokenHoverDetail>) => tell(event.detail.index, "hover")}
      @headscope-token-lock=${(event: CustomEvent<TokenLockDetail>) => tell(event.detail.index, "lock")}
    ></headscope-tokens>`;
  }

  private readonly chooseSample = ({ target }: Event): void => {
    if (!(target instanceof HTMLSelectElement)) return;
    const sample = pairSamplesOf(this.model)[target.value === "" ? -1 : Number(target.value)];
    target.selectedIndex = 0;
    if (sample) step(this, stateOfPair(sample));
  };

  private readonly chooseModel = ({ target }: Event): void => {
    if (!(target instanceof HTMLSelectElement)) return;
    const name =
      [...BUNDLED_MODELS, ...this.opened].find((candidate) => candidate === target.value) ?? null;
    step(this, { otherModel: name, pairs: [] });
  };
}

declare global {
  interface HTMLElementEventMap {
    "headscope-other-token": CustomEvent<OtherTokenDetail>;
  }
}
