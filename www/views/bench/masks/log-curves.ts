import { css, html, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { decades, decadesAround, movedApart, pathOf, placeOf, type LogAxes } from "../../../draw/log-axes.js";
import { SizeController } from "../../../elements/shared/size.js";
import { formatNumber, message } from "../../../i18n/index.js";
import { PagePart } from "../../parts/page-part.js";
import { partStyles } from "../../parts/styles.js";
import { MARKED, memoryWords, powerWords, type CostLine, type Quantity } from "./cost-figures.js";

const HEIGHT = 248;
const ROOM = { left: 52, top: 22, bottom: 34, right: 124, narrow: 12 };
const NARROW = 480;
const LINE_HEIGHT = 15;

/** Lines over the length of a text, both axes logarithmic. The numbers stand in a table beside it. */
@customElement("headscope-log-curves")
export class HeadscopeLogCurves extends PagePart {
  static override styles = [
    partStyles,
    css`
      svg {
        display: block;
        width: 100%;
        overflow: visible;
        font-size: 11.5px;
        font-variant-numeric: tabular-nums;
      }

      text {
        fill: var(--headscope-muted);
      }

      .grid {
        stroke: var(--headscope-line);
        stroke-width: 1;
      }

      .mark {
        stroke: var(--headscope-muted);
        stroke-width: 1;
        stroke-dasharray: 1 3;
      }

      .present {
        stroke: var(--headscope-accent);
        stroke-dasharray: none;
      }

      .line {
        fill: none;
        stroke: var(--headscope-muted);
        stroke-width: 1.5;
      }

      .full {
        stroke: var(--headscope-ink);
      }

      .masked {
        stroke: var(--headscope-accent);
        stroke-width: 2.5;
      }

      .vectors,
      .recurrent {
        stroke-dasharray: 6 3;
      }

      .convolutional {
        stroke-dasharray: 2 3;
      }

      text.full {
        fill: var(--headscope-ink);
        stroke: none;
      }

      text.masked {
        fill: var(--headscope-accent);
        stroke: none;
        font-weight: 600;
      }

      text.vectors,
      text.recurrent,
      text.convolutional {
        stroke: none;
      }

      .room {
        height: 248px;
      }

      ul {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 16px;
        margin: 4px 0 0;
        padding: 0;
        list-style: none;
        font-size: 12px;
      }

      li {
        display: inline-flex;
        align-items: center;
        gap: 6px;
      }

      li svg {
        width: 28px;
      }
    `,
  ];

  @property({ attribute: false }) lines: readonly CostLine[] = [];
  @property() quantity: Quantity = "pairs";
  /** The length of the text on the page, which is marked. */
  @property({ type: Number }) present = 0;
  @property() label = "";

  private readonly size = new SizeController(this);

  override render(): TemplateResult {
    const { width } = this.size;
    if (width === 0 || this.lines.length === 0) return html`<div class="room"></div>`;
    const narrow = width < NARROW;
    const axes = this.axes(width, narrow);
    return html`<svg viewBox="0 0 ${width} ${HEIGHT}" height=${HEIGHT} role="img" aria-label=${this.label}>
        ${this.renderGrid(axes)} ${this.renderMarks(axes)} ${this.lines.map(({ name, points }) => svg`<path class="line ${name}" d=${pathOf(axes, points)} />`)}
        ${narrow ? "" : this.renderNames(axes)}
      </svg>
      ${narrow ? html`<ul aria-hidden="true">${this.lines.map(({ name }) => html`<li><svg viewBox="0 0 28 8" height="8"><path class="line ${name}" d="M0 4H28" /></svg>${message(`cost.line.${name}`)}</li>`)}</ul>` : ""}`;
  }

  private axes(width: number, narrow: boolean): LogAxes {
    const points = this.lines.flatMap(({ points }) => points);
    const right = narrow ? ROOM.narrow : ROOM.right;
    return {
      left: ROOM.left,
      top: ROOM.top,
      width: width - ROOM.left - right,
      height: HEIGHT - ROOM.top - ROOM.bottom,
      x: decadesAround(points.map(([x]) => Math.max(x, 10))),
      y: decadesAround(points.map(([, y]) => y)),
    };
  }

  private renderGrid(axes: LogAxes): SVGTemplateResult {
    const right = axes.left + axes.width;
    const bottom = axes.top + axes.height;
    return svg`
      ${decades(axes.y, 6).map((value) => {
        const [, y] = placeOf(axes, [axes.x[0], value]);
        return svg`<line class="grid" x1=${axes.left} x2=${right} y1=${y} y2=${y} /><text x=${axes.left - 6} y=${y + 4} text-anchor="end">${this.words(value)}</text>`;
      })}
      ${decades(axes.x, 6).map((value) => {
        const [x] = placeOf(axes, [value, axes.y[0]]);
        return svg`<text x=${x} y=${bottom + 16} text-anchor="middle">${formatNumber(value)}</text>`;
      })}
      <text x=${right} y=${HEIGHT - 2} text-anchor="end">${message("cost.axis")}</text>`;
  }

  /** The lengths that are spoken of; the text on the page in the accent. */
  private renderMarks(axes: LogAxes): SVGTemplateResult {
    const mark = (tokens: number, look: string, words: string): SVGTemplateResult => {
      const [x] = placeOf(axes, [tokens, axes.y[0]]);
      return svg`<line class="mark ${look}" x1=${x} x2=${x} y1=${axes.top} y2=${axes.top + axes.height} /><text class=${look === "present" ? "masked" : ""} x=${x} y=${axes.top - 6} text-anchor="middle">${words}</text>`;
    };
    const narrow = this.size.width < NARROW;
    const marked = MARKED.filter((tokens) => !narrow || tokens === 4096);
    return svg`${marked.map((tokens) => mark(tokens, "", formatNumber(tokens)))}${this.present >= axes.x[0] ? mark(this.present, "present", message("cost.here")) : ""}`;
  }

  /** Each line's name where it ends; those that end in one place below one another. */
  private renderNames(axes: LogAxes): SVGTemplateResult {
    const ends = this.lines.map(({ points }) => placeOf(axes, points.at(-1) ?? [1, 1])[1]);
    const heights = movedApart(ends, LINE_HEIGHT);
    return svg`${this.lines.map(({ name }, index) => svg`<text class=${name} x=${axes.left + axes.width + 8} y=${(heights[index] ?? 0) + 4}>${message(`cost.line.${name}`)}</text>`)}`;
  }

  private words(value: number): string {
    return this.quantity === "memory" ? memoryWords(value) : powerWords(value);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-log-curves": HeadscopeLogCurves;
  }
}
