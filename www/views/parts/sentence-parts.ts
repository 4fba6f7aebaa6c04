import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { tokenLabel } from "../../elements/shared/templates.js";
import { formatPercent, message } from "../../i18n/index.js";
import { DEFAULT_STATE, UNITS } from "../../state/index.js";
import { partStyles, toggleStyles } from "../../ui/base-styles.js";
import { choice } from "../../ui/choice.js";
import type { Continuation, NextToken } from "../run/computation.js";
import { samplesOf, stateOf } from "../samples.js";
import { SessionPart } from "../session.js";
import "./menus.js";

/** How many possible next tokens are offered. */
const MOST_CANDIDATES = 5;

/** How a model that writes goes on, in a quiet colour, and its first candidates, each of which can be added to the text. */
@customElement("headscope-continuation-area")
export class HeadscopeContinuationArea extends SessionPart {
  static override styles = [
    partStyles,
    css`
      .written {
        min-height: 1.35em;
        padding: 2px 0 8px;
        border-bottom: 1.5px solid var(--headscope-line);
        font: 400 24px/1.35 var(--headscope-font-text);
        color: var(--headscope-muted);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }

      ul {
        display: flex;
        flex-wrap: wrap;
        gap: 4px;
        margin: 12px 0 0;
        padding: 0;
        list-style: none;
      }

      li > * {
        display: inline-flex;
        gap: 8px;
        align-items: baseline;
        min-height: 28px;
        padding: 3px 8px;
        border-radius: 4px;
        background: var(--headscope-chip);
        font-size: 13.5px;
        white-space: pre;
      }

      li > span {
        background: none;
        outline: 1px dashed var(--headscope-line);
        outline-offset: -1px;
        color: var(--headscope-muted);
      }

      li small {
        font-size: 12px;
        color: var(--headscope-muted);
      }

      @container (max-width: 700px) {
        .written {
          font-size: 20px;
        }
      }

      @media (pointer: coarse) {
        li > * {
          min-height: 40px;
          align-items: center;
        }
      }
    `,
  ];

  override render(): TemplateResult {
    const { continuation, busy, run } = this.session.computation;
    // Only when it was looked for, none means none.
    const nothingMore = !busy && run !== null && (continuation?.written ?? "").trim() === "";
    return html`<p class="written">${nothingMore ? message("go.nothing") : continuation?.written.trimStart()}</p>
      ${continuation ? this.renderCandidates(continuation) : nothing}`;
  }

  private renderCandidates({ text, candidates }: Continuation): TemplateResult {
    return html`<ul aria-label=${message("go.candidates")}>
      ${candidates.slice(0, MOST_CANDIDATES).map((next) => html`<li>${this.renderCandidate(text, next)}</li>`)}
    </ul>`;
  }

  /** What ends the text adds nothing to it and is no button, nor is what no text can hold. */
  private renderCandidate(text: string, { prediction, addition }: NextToken): TemplateResult {
    const share = formatPercent(prediction.probability);
    const ends = prediction.id === this.session.info?.endToken;
    const token = tokenLabel({ ...prediction, word: 0, special: ends, role: ends ? "end" : null });
    if (addition === null)
      return html`<span><bdi>${token}</bdi> <small>${message("go.part")}</small> <small class="numbers">${share}</small></span>`;
    if (addition === "") return html`<span><bdi>${token}</bdi> <small>${share}</small></span>`;
    return html`<button aria-label=${message("go.add", { token, share })} title=${message("go.add", { token, share })} @click=${() => this.session.update({ text: text + addition })}>
      <bdi>${token}</bdi> <small class="numbers">${share}</small>
    </button>`;
  }
}

/** The samples of the model in use, as a list that drops down. Choosing one changes the State in one step. */
@customElement("headscope-sample-list")
export class HeadscopeSampleList extends SessionPart {
  static override styles = [
    partStyles,
    css`
      :host {
        min-width: 0;
      }

      /* As wide as what it says, not as its longest sentence. */
      select {
        width: 9em;
        max-width: 100%;
        font-size: 12px;
        color: var(--headscope-muted);
        field-sizing: content;
        text-overflow: ellipsis;
      }

      @supports (field-sizing: content) {
        select {
          width: auto;
        }
      }

      option {
        color: var(--headscope-ink);
        background: var(--headscope-paper);
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    const samples = samplesOf(this.session.state.model);
    if (samples.length === 0) return nothing;
    return html`<select aria-label=${message("text.samples")} @change=${this.choose}>
      <option value="" selected>${message("text.samples")}</option>
      ${samples.map(({ text }) => html`<option value=${text} lang="en">${text}</option>`)}
    </select>`;
  }

  private readonly choose = (event: Event): void => {
    if (!(event.target instanceof HTMLSelectElement)) return;
    const { value } = event.target;
    event.target.selectedIndex = 0;
    const sample = samplesOf(this.session.state.model).find(({ text }) => text === value);
    if (sample) this.session.store.step(stateOf(sample));
  };
}

/**
 * How tokens are looked at: by themselves or as words, with special tokens or without, one or several. Changes the
 * State, and fires `headscope-several`.
 */
@customElement("headscope-token-controls")
export class HeadscopeTokenControls extends SessionPart {
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

  @property({ type: Boolean }) several = false;

  override render(): TemplateResult {
    const { unit, specials } = this.session.state;
    const hidden = specials === "hidden";
    const changed = [unit !== DEFAULT_STATE.unit, hidden, this.several].filter(Boolean).length;
    return html`<div>
      <headscope-narrow-menu .label=${message("lens.menu")} .name=${message("lens.label")} .changed=${changed}>
        ${choice({
          label: message("lens.unit"),
          look: "segments",
          values: UNITS,
          value: unit,
          show: (one) => message(`lens.${one}`),
          choose: (chosen) => this.session.update({ unit: chosen }),
        })}
        <button class="toggle" aria-pressed=${hidden} @click=${() => this.session.update({ specials: hidden ? "shown" : "hidden" })}>${message("lens.ordinaryOnly")}</button>
        <button class="toggle" aria-pressed=${this.several} title=${message("lens.severalHint")} @click=${this.toggleSeveral}>${message("lens.several")}</button>
      </headscope-narrow-menu>
    </div>`;
  }

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
  interface HTMLElementEventMap {
    /** Whether touched tokens are picked in addition to others from now on. */
    "headscope-several": CustomEvent<boolean>;
  }
}
