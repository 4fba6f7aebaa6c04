import { html, nothing, svg, type TemplateResult, css } from "lit";
import { barOutline } from "../draw/bars.js";
import { formatValue } from "../draw/text.js";
import { formatNumber, formatPercent, LanguageController, message } from "../i18n/index.js";
import { COUNT, CheckedElement, NUMBER, TEXT, given, listOf, record } from "./shared/checked.js";
import { define } from "./shared/controllers.js";
import { baseStyles } from "./shared/base-styles.js";

const spectrumStyles = css`
  /* However wide its place is: a few bars across a whole page would be no picture. */
  .lists {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(104px, 100%), 1fr));
    gap: 16px;
    max-width: 480px;
    margin: 0 auto;
  }

  figure {
    min-width: 0;
  }

  figcaption {
    min-height: 2.9em;
    color: var(--_muted);
    font-size: 12px;
  }

  .plot {
    position: relative;
    margin-top: 4px;
    border-bottom: 1px solid var(--_muted);
  }

  svg {
    display: block;
    width: 100%;
    height: 56px;
  }

  .held {
    fill: var(--_bar);
  }

  /* What is left of them is there, but lighter: the two differ in lightness, not in hue alone. */
  .left {
    fill: color-mix(in srgb, var(--_bar) 38%, var(--_paper));
  }

  .largest {
    position: absolute;
    top: -2px;
    right: 0;
    color: var(--_muted);
    font-size: 12px;
    line-height: 1;
  }

  .axis {
    display: flex;
    justify-content: space-between;
    color: var(--_muted);
    font-size: 12px;
  }

  p {
    margin: 4px 0 0;
    font-size: 12px;
  }
`;

/** The share of the sum of all squares that the filled bars hold. */
export const HELD = 0.9;

export interface SingularList {
  /** What it is called in the element, as `scores`. */
  of: string;
  heading: string;
  /** Largest first, none of them negative; none of a matrix with a number that is not finite. */
  values: readonly number[];
  /** How many of them hold `HELD` of the sum of all squares. */
  rank: number;
}

/** The singular values of matrices, each list largest first, as thin bars on a linear scale of its own; those that hold most are filled. */
export class HeadscopeSpectrum extends CheckedElement {
  static override styles = [baseStyles, spectrumStyles];

  /** Side by side, or below each other where there is no room for that. */
  @given(listOf(record({ of: TEXT, heading: TEXT, values: listOf(NUMBER), rank: COUNT })))
  lists: readonly SingularList[] = [];

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.lists.length === 0) return nothing;
    return html`<div class="lists">${this.lists.map(renderList)}</div>`;
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
  const caption = html`<figcaption part="caption">${heading}</figcaption>`;
  if (count === 0)
    return html`<figure data-of=${of}>${caption}<p part="legend">${message("spectrum.none")}</p></figure>`;
  return html`<figure data-of=${of}>
    ${caption}
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

define("headscope-spectrum", HeadscopeSpectrum);
