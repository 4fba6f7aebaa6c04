import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { tokenLabel } from "../../elements/shared/token-label.js";
import { formatPercent, message } from "../../i18n/index.js";
import type { Continuation, NextToken } from "../run/continuation.js";
import { patch } from "./events.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";

/** How many possible next tokens are offered. */
const MOST_CANDIDATES = 5;

/** How a model that writes goes on, in a quiet colour, and its first candidates, each of which can be added to the text. */
@customElement("headscope-continuation-area")
export class HeadscopeContinuationArea extends PagePart {
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

  /** Null while there is none. */
  @property({ attribute: false }) continuation: Continuation | null = null;
  /** Whether it has been looked for, so that none means none. */
  @property({ type: Boolean }) settled = false;
  /** The token that ends a text. */
  @property({ type: Number }) endToken: number | null = null;

  override render(): TemplateResult {
    const { continuation } = this;
    const nothingMore = this.settled && (continuation?.written ?? "").trim() === "";
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
    const ends = prediction.id === this.endToken;
    const token = tokenLabel({ ...prediction, word: 0, special: ends, role: ends ? "end" : null });
    if (addition === null)
      return html`<span><bdi>${token}</bdi> <small>${message("go.part")}</small> <small class="numbers">${share}</small></span>`;
    if (addition === "") return html`<span><bdi>${token}</bdi> <small>${share}</small></span>`;
    return html`<button aria-label=${message("go.add", { token, share })} title=${message("go.add", { token, share })} @click=${() => patch(this, { text: text + addition })}>
      <bdi>${token}</bdi> <small class="numbers">${share}</small>
    </button>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-continuation-area": HeadscopeContinuationArea;
  }
}
