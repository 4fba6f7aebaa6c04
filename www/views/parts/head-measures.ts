import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { HeadMeasures, Spectrum } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import { HELD, type SingularList } from "../../elements/spectrum.js";
import { formatFixed, formatPercent, message } from "../../i18n/index.js";
import { derived } from "../../signals.js";
import { factsStyles, foldStyles, partStyles } from "../../ui/base-styles.js";
import { namedSpectra } from "../run/readings.js";
import { SessionPart } from "../session.js";
import "./embed-buttons.js";

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

const EMBEDDED = [["spectrum", "embed.copySpectrum"]] as const;

/** How wide and how far a head looks on the present text, and how many directions its patterns have. */
@customElement("headscope-head-measures")
export class HeadscopeHeadMeasures extends SessionPart {
  static override styles = [
    partStyles,
    factsStyles,
    foldStyles,
    css`
      dl {
        margin-top: 12px;
      }

      h3 {
        margin: 16px 0 4px;
        font-size: 14px;
        font-weight: 600;
      }

      .charts {
        max-width: 480px;
        min-height: 128px;
      }

      .charts ~ * {
        margin-top: 8px;
      }

      .values {
        max-height: 240px;
        overflow: auto;
      }
    `,
  ];

  override render(): TemplateResult {
    const { measured, spectrum } = this.session;
    return html`<h2>${message("measures.title")}</h2>
      ${measured ? this.renderMeasures(measured) : nothing}
      <h3>${message("spectrum.title")}</h3>
      ${spectrum === "too-long" ? html`<p class="small muted">${message("error.selection/too-large")}</p>` : this.renderSpectrum(spectrum)}`;
  }

  @derived private get lists(): SingularList[] {
    const { spectrum, unusual } = this.session;
    return spectrum && spectrum !== "too-long" ? namedSpectra(spectrum, unusual) : [];
  }

  private renderMeasures({ entropy, distance }: HeadMeasures): TemplateResult {
    return html`<dl>
      <dt>${message("measures.entropy")}</dt>
      <dd data-measure="entropy">
        ${
          entropy === null
            ? "–"
            : html`<headscope-other-unit
              .value=${message("measures.nats", { value: formatFixed(entropy) })}
              .other=${message("measures.bits", { value: formatFixed(entropy / Math.LN2) })}
            ></headscope-other-unit>`
        }
      </dd>
      <dt>${message("measures.distance")}</dt>
      <dd data-measure="distance">${distance === null ? noDistance(entropy) : message("measures.tokens", { value: formatFixed(distance) })}</dd>
    </dl>`;
  }

  /** Room is kept for it while it is computed, so that nothing jumps. */
  private renderSpectrum(spectrum: Spectrum | null): TemplateResult {
    if (spectrum === null)
      return html`<div class="charts"><p class="small muted">${message("spectrum.working")}</p></div>`;
    const { scores, weights } = spectrum;
    const { state, links } = this.session;
    return html`<div class="charts">
        <headscope-spectrum .lists=${this.lists}></headscope-spectrum>
      </div>
      <p class="small muted">${message("spectrum.hint", { share: formatPercent(HELD, 0) })}</p>
      <headscope-embed-buttons class="small muted" .shown=${state} .kinds=${EMBEDDED} .linkCopied=${links.linkCopied}></headscope-embed-buttons>
      <details class="small">
        <summary>${message("spectrum.table")}</summary>
        <div class="values" role="region" tabindex="0" aria-label=${message("spectrum.table")}>
          <table class="numbers">
            <thead>
              <tr>
                <th scope="col">${message("spectrum.index")}</th>
                <th scope="col">${message("stage.scores")}</th>
                <th scope="col">${message("stage.weights")}</th>
              </tr>
            </thead>
            <tbody>
              ${Array.from(
                { length: Math.max(scores.values.length, weights.values.length) },
                (_, index) => html`<tr>
                  <th scope="row">${index + 1}</th>
                  <td>${cell(scores.values[index])}</td>
                  <td>${cell(weights.values[index])}</td>
                </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </details>`;
  }
}

/** Between two texts there is no distance; of a pattern over no tokens at all nothing is defined. */
function noDistance(entropy: number | null): string {
  return entropy === null ? "–" : message("measures.noDistance");
}

/** A matrix with a number that is not finite has no singular values. */
function cell(value: number | undefined): string {
  return value === undefined ? "–" : formatValue(value);
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-other-unit": HeadscopeOtherUnit;
  }
}
