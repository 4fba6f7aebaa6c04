import { LitElement, html, nothing, svg, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { barOutline } from "../../draw/bar-outline.js";
import { formatValue } from "../../draw/format.js";
import { formatNumber, formatPercent, LanguageController, message } from "../../i18n/index.js";
import { looks } from "../shared/looks.js";
import { spectrumStyles } from "./styles.js";

/** The share of the sum of all squares that the filled bars hold. */
export const HELD = 0.9;

/** The singular values of a matrix, largest first, as thin bars on a linear scale; those that hold most are filled. */
export class HeadscopeSpectrum extends LitElement {
  static override styles = [looks, spectrumStyles];

  /** Largest first, none of them negative. */
  @property({ attribute: false }) values: readonly number[] = [];
  /** How many of them hold `HELD` of the sum of all squares. */
  @property({ type: Number }) rank = 0;
  /** What they are the singular values of. */
  @property() heading = "";

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { values, rank, heading } = this;
    const count = values.length;
    const [largest = 0] = values;
    if (count === 0) return nothing;
    const numbers = { count, rank, share: formatPercent(HELD, 0), largest: formatValue(largest), smallest: formatValue(values.at(-1) ?? 0) };
    return html`<figure>
      <figcaption part="caption">${heading}</figcaption>
      <div class="plot">
        <span class="largest" aria-hidden="true">${numbers.largest}</span>
        <svg part="picture" viewBox="0 0 ${count} 1" preserveAspectRatio="none" role="img" aria-label=${message("spectrum.label", { name: heading, ...numbers })}>
          ${svg`<path class="held" d=${barOutline(values, 0, rank, largest)} /><path class="left" d=${barOutline(values, rank, count, largest)} />`}
        </svg>
      </div>
      <div class="axis" aria-hidden="true"><span>1</span>${count > 1 ? html`<span>${formatNumber(count)}</span>` : nothing}</div>
      <p part="legend">${message("spectrum.holds", numbers)}</p>
    </figure>`;
  }
}
