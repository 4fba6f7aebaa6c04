import { html, nothing, svg, type TemplateResult, unsafeCSS } from "lit";
import { HELD } from "../data/index.js";
import { formatValue } from "../draw/text.js";
import { formatNumber, formatPercent, message } from "../i18n/index.js";
import { CheckedElement, given, listOf } from "./shared/checked.js";
import { define } from "./shared/controllers.js";
import styles from "./spectrum.css?inline";

export interface SingularList {
  /** The name of the list in the element, such as `scores`. */
  of: string;
  heading: string;
  /** The singular values, largest first; empty for a matrix with a number that is not finite. */
  values: readonly number[];
  /** The number of singular values that hold `HELD` of the sum of all squares. */
  rank: number;
}

/**
 * The singular values of matrices as thin bars, each list on its own linear scale; the bars that
 * hold most of the sum of squares are darker.
 */
export class HeadscopeSpectrum extends CheckedElement {
  static override styles = unsafeCSS(styles);

  protected static override readonly sentences = ["pictures"] as const;

  @given(listOf({ of: "text", heading: "text", values: listOf("number"), rank: "count" }))
  lists: readonly SingularList[] = [];

  protected override render(): TemplateResult | typeof nothing {
    if (this.lists.length === 0) return nothing;
    return html`<div class="columns small">${this.lists.map(renderList)}</div>`;
  }
}

function renderList({ of, heading, values, rank }: SingularList): TemplateResult {
  const count = values.length;
  const [largest = 0] = values;
  const numbers = {
    count,
    rank,
    share: formatPercent(HELD, 0),
    largest: formatValue(largest),
    smallest: formatValue(values.at(-1) ?? 0),
  };
  const caption = html`<figcaption class="small muted" part="caption">${heading}</figcaption>`;
  if (count === 0)
    return html`<figure data-of=${of}>
      ${caption}
      <p part="legend">${message("spectrum.none")}</p>
    </figure>`;
  return html`<figure data-of=${of}>
    ${caption}
    <div class="plot">
      <span class="largest muted" aria-hidden="true">${numbers.largest}</span>
      <svg
        part="picture"
        viewBox="0 0 ${count} 1"
        preserveAspectRatio="none"
        role="img"
        aria-label=${message("spectrum.label", { name: heading, ...numbers })}
      >
        ${svg`
          <path class="held" d=${barOutline(values, 0, rank)} />
          <path class="left" d=${barOutline(values, rank, count)} />
        `}
      </svg>
    </div>
    <div class="ends muted" aria-hidden="true">
      <span>1</span>${count > 1 ? html`<span>${formatNumber(count)}</span>` : nothing}
    </div>
    <p part="legend">${message("spectrum.holds", numbers)}</p>
  </figure>`;
}

const MOST_GAPS = 60;
export const barWidth = (count: number): number => (count <= MOST_GAPS ? 0.8 : 1);

/**
 * The SVG path of the bars from `from` to before `to`, in a view box with the width of the number
 * of bars and the height 1.
 */
function barOutline(values: readonly number[], from: number, to: number): string {
  const [largest = 0] = values;
  const width = barWidth(values.length);
  const bars = values.slice(from, to).map((value, index) => {
    const share = value > 0 && largest > 0 ? Math.min(1, value / largest) : 0;
    return `M${from + index},1V${+(1 - share).toFixed(4)}h${width}V1z`;
  });
  return bars.join("");
}

define("headscope-spectrum", HeadscopeSpectrum);
