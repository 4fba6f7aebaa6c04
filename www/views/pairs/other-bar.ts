import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import type { TokenHoverDetail, TokenLockDetail } from "../../elements/events.js";
import "../../elements/tokens.js";
import { message } from "../../i18n/index.js";
import { ALIGNMENTS, BUNDLED_MODELS, type ModelName, type Side } from "../../state/index.js";
import { partStyles, progressStyles } from "../../ui/base-styles.js";
import { choice } from "../../ui/choice.js";
import "../../ui/text-field.js";
import { modelLabel } from "../models.js";
import type { Strip } from "../run/selection.js";
import { SessionPart } from "../session.js";
import { pairSamplesOf, stateOfPair } from "./compare-entry.js";
import type { Pairs } from "./pairs.js";

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

/**
 * What the sentence stands beside: another text, another model, or the same without the edits. A click on one of its
 * tokens makes it the counterpart of the token that is held above.
 */
@customElement("headscope-other-bar")
export class HeadscopeOtherBar extends SessionPart {
  static override styles = [partStyles, progressStyles, otherBarStyles];

  protected override readonly turn = 1;

  override render(): TemplateResult | typeof nothing {
    const { store, state, pairs } = this.session;
    if (!pairs) return nothing;
    const original = state.compare === "original";
    return html`<section aria-label=${message(original ? "pairs.original" : "pairs.other")}>
      <div class="over">
        <span class="title">${message(original ? "pairs.original" : "pairs.beside")}</span>
        ${original ? nothing : this.renderChoices()}
        <button class="end" @click=${() => store.step({ compare: null })}>${message("pairs.end")}</button>
      </div>
      ${original ? html`<p class="words">${message("pairs.originalHint")}</p>` : this.renderText(pairs)}
      ${this.renderState(pairs)}
      ${original ? nothing : this.renderStrips(pairs)}
    </section>`;
  }

  /** The models that can stand beside the one in use. */
  private get models(): ModelName[] {
    const { models, state } = this.session;
    return [...BUNDLED_MODELS, ...models.opened].filter((name) => name !== state.model);
  }

  private renderChoices(): TemplateResult {
    const { model, otherModel } = this.session.state;
    const samples = pairSamplesOf(model);
    return html`${
      samples.length === 0
        ? nothing
        : html`<select class="samples" aria-label=${message("pairs.samples")} @change=${this.chooseSample}>
            <option value="" selected>${message("pairs.samples")}</option>
            ${samples.map(({ text, other }, index) => html`<option value=${index} lang="en">${text} · ${other}</option>`)}
          </select>`
    }
      <select aria-label=${message("pairs.model")} @change=${this.chooseModel}>
        <option value="" .selected=${otherModel === null}>${message("pairs.sameModel")}</option>
        ${this.models.map((name) => html`<option value=${name} .selected=${name === otherModel}>${modelLabel(name)}</option>`)}
      </select>`;
  }

  private renderText({ text }: Pairs): TemplateResult {
    return html`<headscope-growing-text
      .value=${text}
      .label=${message("pairs.other")}
      .placeholder=${message("pairs.placeholder")}
      @headscope-text=${(event: CustomEvent<string>) => this.session.update({ otherText: event.detail, pairs: [] })}
    ></headscope-growing-text>`;
  }

  /** What keeps the other run from being there. */
  private renderState({ failure, other }: Pairs): TemplateResult | typeof nothing {
    if (failure !== null) {
      return html`<p class="failure" role="alert">${failure}
        <button @click=${() => other.again()}>${message("run.again")}</button></p>`;
    }
    if (other.download?.phase !== "loading") return nothing;
    const { loadedBytes, totalBytes } = other.download;
    return html`<p class="small muted" role="status">${message("load.model")}
      <progress max=${totalBytes ?? nothing} value=${totalBytes === null ? nothing : loadedBytes} aria-label=${message("load.model")}></progress></p>`;
  }

  private renderStrips(pairs: Pairs): TemplateResult {
    const { locked, state, store } = this.session;
    const { translation } = pairs;
    return html`<div class=${classMap({ strips: true, stale: pairs.stale })}>
        ${this.renderStrip(pairs, "source", pairs.source, message("pairs.tokens"))}
        ${
          translation === null
            ? nothing
            : html`<p class="words written"><span class="small muted">${message("text.translation")}</span> <bdi>${translation}</bdi></p>
              ${this.renderStrip(pairs, "target", pairs.result, message("pairs.writtenTokens"))}`
        }
      </div>
      <div class="hint">
        <p class="small muted">${message(locked ? "pairs.choose" : "pairs.hold")}</p>
        ${choice({
          label: message("pairs.aligned"),
          values: ALIGNMENTS,
          value: state.aligned,
          show: (aligned) => message(`pairs.aligned.${aligned}`),
          choose: (aligned) => store.step({ aligned }),
        })}
      </div>`;
  }

  private renderStrip(pairs: Pairs, side: Side, strip: Strip, label: string): TemplateResult {
    return html`<headscope-tokens
      .tokens=${strip.tokens}
      .hovered=${strip.focused}
      .locked=${strip.locked}
      .label=${label}
      @headscope-token-hover=${(event: CustomEvent<TokenHoverDetail>) => pairs.touched({ side, index: event.detail.index, action: "hover" })}
      @headscope-token-lock=${(event: CustomEvent<TokenLockDetail>) => pairs.touched({ side, index: event.detail.index, action: "lock" })}
    ></headscope-tokens>`;
  }

  private readonly chooseSample = ({ target }: Event): void => {
    if (!(target instanceof HTMLSelectElement)) return;
    const sample = pairSamplesOf(this.session.state.model)[
      target.value === "" ? -1 : Number(target.value)
    ];
    target.selectedIndex = 0;
    if (sample) this.session.store.step(stateOfPair(sample));
  };

  private readonly chooseModel = ({ target }: Event): void => {
    if (!(target instanceof HTMLSelectElement)) return;
    const otherModel = this.models.find((name) => name === target.value) ?? null;
    this.session.store.step({ otherModel, pairs: [] });
  };
}
