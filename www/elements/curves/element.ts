import { scaleLinear } from "d3-scale";
import { css, html, LitElement, nothing, svg, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { formatValue } from "../../draw/format.js";
import { headHue } from "../../draw/hues.js";
import { formatNumber, formatPercent, LanguageController, message } from "../../i18n/index.js";
import { InkController } from "../shared/inks.js";
import { looks } from "../shared/looks.js";
import { SizeController } from "../shared/size.js";

/** One line: its name and its points, from left to right. */
export interface CurveLine {
  name: string;
  points: readonly { x: number; y: number }[];
}

const HEIGHT = 220;
const ROOM = { left: 44, right: 20, top: 12, bottom: 24 };
const TICKS = 5;
/** Lines differ in their dashes too, for those who do not tell hues apart. */
const DASHES = ["none", "6 3", "2 3"] as const;

/** Lines over shares of a whole: named, with axes, one share marked, and all numbers in a table on request. */
export class HeadscopeCurves extends LitElement {
  static override styles = [
    looks,
    css`
      figcaption {
        margin-bottom: 4px;
        font-size: 12px;
        color: var(--_muted);
      }

      figure {
        margin: 0;
      }

      svg {
        display: block;
        overflow: visible;
      }

      text {
        font: 11px var(--_font-ui);
        fill: var(--_muted);
      }

      .grid {
        stroke: var(--_line);
      }

      .marked {
        stroke: var(--_accent);
        stroke-dasharray: 1 3;
      }

      .keys {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 20px;
        margin: 4px 0;
        padding: 0;
        list-style: none;
        font-size: 12px;
      }

      .keys svg {
        display: inline-block;
        margin-right: 6px;
        vertical-align: middle;
      }

      .numbers {
        font-size: 12px;
        color: var(--_muted);
        border-bottom: 1px dotted currentColor;
      }

      .table {
        overflow: auto;
        max-height: 240px;
      }

      table {
        border-collapse: collapse;
        font-size: 12px;
      }

      th,
      td {
        padding: 2px 12px 2px 0;
        text-align: right;
        font-weight: 400;
      }

      @media (pointer: coarse) {
        .numbers {
          min-height: 40px;
        }
      }
    `,
  ];

  @property({ attribute: false }) lines: readonly CurveLine[] = [];
  /** What the shares are shares of, and what the numbers are. */
  @property({ attribute: false }) titles: { x: string; y: string } = { x: "", y: "" };
  /** A share that a line stands at. */
  @property({ attribute: false }) marked: number | null = null;
  @state() private tabled = false;

  private readonly look = new InkController(this);
  private readonly size = new SizeController(this);

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.lines.every(({ points }) => points.length === 0)) return nothing;
    const { titles } = this;
    return html`<figure>
        <figcaption>${titles.y}</figcaption>
        ${this.size.width > 0 ? this.renderPlot(this.size.width) : nothing}
      </figure>
      <ul class="keys">
        ${this.lines.map(({ name }, index) => html`<li><svg width="22" height="6" aria-hidden="true">${svg`<line x1="0" x2="22" y1="3" y2="3" stroke=${this.hue(index)} stroke-width="2" stroke-dasharray=${dash(index)} />`}</svg>${name}</li>`)}
      </ul>
      <button class="numbers" aria-expanded=${this.tabled} @click=${() => (this.tabled = !this.tabled)}>${message(this.tabled ? "figure.hideNumbers" : "figure.showNumbers")}</button>
      ${this.tabled ? this.renderTable() : nothing}`;
  }

  private renderPlot(width: number): TemplateResult {
    const all = this.lines.flatMap(({ points }) => points);
    const values = all.map(({ y }) => y).filter(Number.isFinite);
    const x = scaleLinear([0, 1], [ROOM.left, width - ROOM.right]);
    const y = scaleLinear([Math.min(0, ...values), Math.max(...values)], [HEIGHT - ROOM.bottom, ROOM.top]).nice(TICKS);
    const { marked } = this;
    return html`<svg width=${width} height=${HEIGHT} role="img" aria-label=${this.name}>
      ${y.ticks(TICKS).map((tick) => svg`<line class="grid" x1=${ROOM.left} x2=${width - ROOM.right} y1=${y(tick)} y2=${y(tick)} /><text x=${ROOM.left - 6} y=${y(tick) + 4} text-anchor="end">${formatNumber(tick, 2)}</text>`)}
      ${x.ticks(TICKS).map((tick) => svg`<text x=${x(tick)} y=${HEIGHT - 8} text-anchor="middle">${formatPercent(tick, 0)}</text>`)}
      ${marked === null ? nothing : svg`<line class="marked" x1=${x(marked)} x2=${x(marked)} y1=${ROOM.top} y2=${HEIGHT - ROOM.bottom} />`}
      ${this.lines.map(({ points }, index) => {
        const path = points.map((point) => `${x(point.x)},${y(point.y)}`).join(" ");
        return svg`<polyline points=${path} fill="none" stroke=${this.hue(index)} stroke-width="2" stroke-dasharray=${dash(index)} stroke-linejoin="round" />`;
      })}
    </svg>`;
  }

  private renderTable(): TemplateResult {
    const shares = [...new Set(this.lines.flatMap(({ points }) => points.map((point) => point.x)))].sort((one, other) => one - other);
    return html`<div class="table" tabindex="0" role="region" aria-label=${this.name}>
      <table>
        <thead>
          <tr><th scope="col">${this.titles.x}</th>${this.lines.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr>
        </thead>
        <tbody>
          ${shares.map((share) => html`<tr><th scope="row">${formatPercent(share, 0)}</th>${this.lines.map(({ points }) => html`<td>${formatValue(points.find((point) => point.x === share)?.y ?? NaN)}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>`;
  }

  private get name(): string {
    return message("curves.name", { y: this.titles.y, x: this.titles.x, lines: this.lines.map(({ name }) => name).join(", ") });
  }

  private hue(index: number): string {
    return headHue(index, this.lines.length, this.look.inks.ground);
  }
}

function dash(index: number): string {
  return DASHES[index % DASHES.length] ?? "none";
}
