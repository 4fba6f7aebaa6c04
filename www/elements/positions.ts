// A positional encoding, positions down and dimensions across, or a relative bias by distance and head.
import { scaleLinear } from "d3-scale";
import { css, html, nothing, svg, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { DirectiveResult } from "lit/directive.js";
import { guard } from "lit/directives/guard.js";
import type { Tensor } from "../data/index.js";
import { divergingScale } from "../draw/colours.js";
import { paintLegend } from "../draw/legend.js";
import { formatValue, labelStep } from "../draw/text.js";
import { Pen, type Inks, type Print } from "../draw/theme.js";
import { formatNumber, language, message } from "../i18n/index.js";
import { cellImage } from "./matrix/canvas.js";
import { numbersTable } from "./matrix/table.js";
import { given, orNull, tensor } from "./shared/checked.js";
import { define } from "./shared/controllers.js";
import { FigureElement } from "./shared/figure.js";
import { isShortcut, moveInGrid, type Place } from "./shared/grid-navigation.js";

type Layout = ReturnType<typeof layoutPositions>;

const MARGIN = { left: 36, right: 2, top: 22 };
const LEGEND = { gap: 16, width: 148, height: 8, text: 20 };
const COMFORTABLE_HEIGHT = 288;
const LARGEST_ROW = 16;

/** Cells are whole device pixels if there is room for one each; otherwise neighbours blend. */
function layoutPositions([rows = 0, columns = 0]: readonly number[], width: number, ratio: number) {
  const whole = (size: number): number => Math.floor(size * ratio) / ratio;
  const across = Math.max(1, width - MARGIN.left - MARGIN.right) / Math.max(1, columns);
  const down = whole(Math.min(LARGEST_ROW, COMFORTABLE_HEIGHT / Math.max(1, rows)));
  const cell = {
    width: across * ratio >= 1 ? whole(across) : across,
    height: Math.max(1 / ratio, down),
  };
  const size = { width: cell.width * columns, height: cell.height * rows };
  const plot = { x: MARGIN.left, y: MARGIN.top, ...size };
  const legend = {
    x: plot.x,
    y: plot.y + plot.height + LEGEND.gap,
    width: Math.min(LEGEND.width, plot.width),
    height: LEGEND.height,
    upright: false,
  };
  return { width, height: Math.ceil(legend.y + legend.height + LEGEND.text), plot, legend, cell };
}

const TEXT_SIZE = { numbers: 11, print: 12 };
const NUMBER_PITCH = { rows: 16, columns: 40 };

function paintCells(pen: Pen, { plot, cell }: Layout, image: CanvasImageSource): void {
  const { brush, inks } = pen;
  const { x, y, width, height } = plot;
  brush.save();
  brush.imageSmoothingEnabled = cell.width < 1;
  brush.drawImage(image, x, y, width, height);
  pen.line(inks.line, 1);
  pen.frame(plot, 0.5);
  pen.words(TEXT_SIZE.numbers, inks.muted, "right");
  const rows = Math.round(height / cell.height);
  for (let row = 0; row < rows; row += labelStep(cell.height, NUMBER_PITCH.rows))
    brush.fillText(String(row + 1), x - 8, y + (row + 0.5) * cell.height);
  brush.textAlign = "center";
  const columns = Math.round(width / cell.width);
  for (let column = 0; column < columns; column += labelStep(cell.width, NUMBER_PITCH.columns))
    brush.fillText(String(column + 1), x + (column + 0.5) * cell.width, y - 9);
  brush.restore();
}

/** A column as a wave: its numbers and the greatest distance from zero. */
function waveOf({ data, shape: [rows = 0, columns = 0] }: Tensor, column: number): Wave {
  const values = Array.from({ length: rows }, (_, row) => data[row * columns + column] ?? NaN);
  return { values, reach: values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) };
}

interface Wave {
  values: readonly number[];
  reach: number;
}

/** The points of a wave in a box, with its reach at the top. */
function wavePoints({ values, reach }: Wave, width: number, height: number): [number, number][] {
  const across = scaleLinear([0, Math.max(1, values.length - 1)], [0, width]);
  const up = scaleLinear([-reach || -1, reach || 1], [height, 0]);
  return values.map((value, index) => [across(index), up(value)]);
}

/** A few columns with different waves, further and further apart. */
function sampleColumns(columns: number): number[] {
  const chosen = [0, columns / 16, columns / 8, columns / 4, columns / 2].map(Math.floor);
  return [...new Set(chosen)].filter((column) => column < columns);
}

/** The names of axes and cells. A tensor with the axis `distance` has numbers of heads by distance, from the most negative one up. */
function wordsOf({ axes, shape: [count = 0, width = 0] }: Tensor): {
  name: string;
  rows: string;
  columns: string;
  waves: string;
  row: (row: number) => string;
  column: (column: number) => string;
  cell: (row: number, column: number, value: string) => string;
} {
  const [down, across] = [formatNumber(count), formatNumber(width)];
  const relative = axes[0] === "distance";
  const columns = message(relative ? "figure.head" : "figure.dimension");
  const row = (at: number): string => formatNumber(relative ? at - (count - 1) / 2 : at + 1);
  return {
    name: relative
      ? message("figure.relative", { distances: down, heads: across })
      : message("figure.positions", { positions: down, dimensions: across }),
    rows: message(relative ? "figure.distance" : "figure.position"),
    columns,
    waves: message(relative ? "figure.wavesOfHeads" : "figure.waves"),
    row,
    column: (at) => `${columns} ${formatNumber(at + 1)}`,
    cell: (at, column, value) =>
      relative
        ? message("figure.distanceCell", { distance: row(at), head: column + 1, value })
        : message("figure.positionCell", { position: at + 1, dimension: column + 1, value }),
  };
}

const positionsStyles = css`
  .axes {
    margin-bottom: 4px;
    color: var(--_muted);
    font-size: 11px;
  }
  .reading {
    min-height: 20px;
    margin: 8px 0 0 36px;
  }
  section {
    margin-top: 16px;
  }
  .wave {
    display: grid;
    grid-template-columns: 100px minmax(0, 1fr) 52px;
    gap: 12px;
    align-items: center;
    padding: 4px 0;
    color: var(--_muted);
    font-size: 13px;
  }
  .pointed {
    color: var(--_ink);
  }
  .reach {
    text-align: right;
  }
  svg {
    width: 100%;
    height: 40px;
    overflow: visible;
  }
  path {
    fill: none;
    stroke: var(--_line);
    stroke-linejoin: round;
    vector-effect: non-scaling-stroke;
  }
  .line {
    stroke: var(--_bar);
    stroke-width: 1.5;
  }
  .at,
  .pointed .line {
    stroke: var(--_accent);
  }
`;

const WAVE = { width: 600, height: 40 };
/** Sizes in files: the least width of the picture and of a dimension, the width beside the plot, and the waves. */
const PRINT = { width: 720, across: 3, around: 40, words: 22 };
const PRINTED_WAVE = { height: 36, gap: 10, left: 110, right: 70 };

/** A positional encoding, or a relative bias, as a picture and as single waves. */
export class HeadscopePositions extends FigureElement {
  static override styles = positionsStyles;

  /** Shape `[position, model_dim]`, `[position, head_dim]`, or `[distance, head]` where positions are relative. */
  @given(orNull(tensor("position", "dimension"))) tensor: Tensor | null = null;

  @state() private hovered: Place | null = null;
  /** The last dimension in focus, which has a wave of its own. */
  @state() private dimension = 0;
  /** The row of a table that shows only one: the last to which a key or a click led. */
  @state() private position = 0;

  private layout: Layout | null = null;

  /** The picture for files, whose size follows from the tensor alone. Null when there is none. */
  print(inks: Inks): Print | null {
    const { tensor } = this;
    const [rows = 0, dimensions = 0] = tensor?.shape ?? [];
    const scale = tensor && divergingScale(tensor.data, inks.ground);
    const image = scale && cellImage(tensor.data, scale, rows, dimensions);
    if (!image) return null;
    const width = Math.max(PRINT.width, dimensions * PRINT.across + PRINT.around);
    const layout = layoutPositions(tensor.shape, width, 1);
    const words = wordsOf(tensor);
    const columns = sampleColumns(dimensions);
    const { height, left, right, gap } = PRINTED_WAVE;
    const wavesTop = PRINT.words + layout.height + 2 * gap;
    const paint = (pen: Pen): void => {
      const { brush } = pen;
      brush.save();
      pen.words(TEXT_SIZE.print, inks.muted);
      brush.fillText(`${words.rows} ↓   ${words.columns} →`, layout.plot.x, PRINT.words / 2);
      brush.translate(0, PRINT.words);
      paintCells(pen, layout, image);
      paintLegend(pen, layout.legend, scale, message("figure.value"));
      brush.restore();
      columns.forEach((column, index) => {
        const y = wavesTop + index * (height + gap);
        const middle = y + height / 2;
        const wave = waveOf(tensor, column);
        brush.save();
        pen.line(inks.line, 1);
        brush.beginPath();
        pen.segment(left, middle, width - right, middle);
        brush.stroke();
        pen.line(inks.ink, 1.5);
        brush.lineJoin = "round";
        brush.beginPath();
        wavePoints(wave, width - left - right, height).forEach(([across, down], at) =>
          at === 0 ? brush.moveTo(left + across, y + down) : brush.lineTo(left + across, y + down),
        );
        brush.stroke();
        brush.restore();
        brush.save();
        pen.words(TEXT_SIZE.print, inks.muted, "right");
        brush.fillText(words.column(column), left - 12, middle);
        brush.textAlign = "left";
        brush.fillText(`±${formatValue(wave.reach)}`, width - right + 12, middle);
        brush.restore();
      });
    };
    return {
      width,
      height: wavesTop + columns.length * (height + gap),
      paint: (brush) => paint(new Pen(brush, inks)),
    };
  }

  protected override willUpdate(): void {
    const { width, ratio } = this.size;
    const { tensor, hovered } = this;
    const [rows = 0, columns = 0] = tensor?.shape ?? [];
    this.layout = this.memo("layout", [rows, columns, width, ratio], () =>
      width > 0 ? layoutPositions([rows, columns], width, ratio) : null,
    );
    if (hovered && (hovered.row >= rows || hovered.column >= columns)) this.hovered = null;
    this.dimension = Math.min(this.dimension, Math.max(0, columns - 1));
    this.position = Math.min(this.position, Math.max(0, rows - 1));
  }

  protected override render(): TemplateResult {
    const { tensor, layout, hovered, dimension, moved, left, clicked, pressed } = this;
    if (!tensor || tensor.data.length === 0)
      return html`<p class="empty" part="empty">${message("figure.empty")}</p>`;
    const words = wordsOf(tensor);
    const [, columns = 0] = tensor.shape;
    const size = layout ? { height: `${layout.height}px` } : {};
    const value = tensor.data[(hovered?.row ?? 0) * columns + (hovered?.column ?? 0)] ?? NaN;
    const others = sampleColumns(columns).filter((column) => column !== dimension);
    return html`
      <p class="axes" aria-hidden="true">${words.rows} ↓ &ensp; ${words.columns} →</p>
      ${this.renderStage(words.name, { moved, left, clicked, pressed }, size, this.canvases)}
      <p id="help" class="visually-hidden">${message("figure.helpPositions")}</p>
      <p class="reading" part="value" aria-live="polite">${hovered ? words.cell(hovered.row, hovered.column, formatValue(value)) : nothing}</p>
      ${this.renderBelow(nothing, () => this.renderTable(tensor))}
      <section aria-label=${words.waves}>
        <h3 part="caption">${words.waves}</h3>
        ${[dimension, ...others].map((column, index) => this.renderWave(tensor, column, words.column(column), index === 0))}
      </section>
    `;
  }

  /** Rendered again for other numbers only: it may have thousands of cells. */
  private renderTable(tensor: Tensor): DirectiveResult {
    const { position } = this;
    return guard([tensor, position, language()], () => {
      const words = wordsOf(tensor);
      const [rows = 0, columns = 0] = tensor.shape;
      return numbersTable({
        caption: words.name,
        data: tensor.data,
        queries: Array.from({ length: rows }, (_, row) => words.row(row)),
        keys: Array.from({ length: columns }, (_, column) => formatNumber(column + 1)),
        corner: { query: words.rows, key: words.columns },
        query: position,
      });
    });
  }

  private renderWave(tensor: Tensor, column: number, name: string, own: boolean): TemplateResult {
    const { width, height } = WAVE;
    const wave = waveOf(tensor, column);
    const last = Math.max(1, wave.values.length - 1);
    const at = this.hovered && ((this.hovered.row / last) * width).toFixed(1);
    const points = wavePoints(wave, width, height).map(
      ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`,
    );
    return html`<div class="wave ${own ? "pointed" : ""}">
      <span>${name}</span>
      <svg viewBox="0 -3 ${width} ${height + 6}" preserveAspectRatio="none" aria-hidden="true">
        ${svg`<path class="zero" d="M0 ${height / 2}H${width}" />`}
        ${at === null ? nothing : svg`<path class="at" d="M${at} -3V${height + 3}" />`}
        ${svg`<path class="line" d="M${points.join("L")}" />`}
      </svg>
      <span class="reach">±${formatValue(wave.reach)}</span>
    </div>`;
  }

  protected override updated(): void {
    const { tensor, layout, inks } = this;
    if (!tensor || !layout) return;
    const [rows = 0, columns = 0] = tensor.shape;
    const scale = this.memo("scale", [tensor, inks.ground], () =>
      divergingScale(tensor.data, inks.ground),
    );
    const image = this.memo("image", [scale], () => cellImage(tensor.data, scale, rows, columns));
    this.paintLayers(
      layout,
      [image, layout],
      (pen) => {
        if (!image) return;
        paintCells(pen, layout, image);
        paintLegend(pen, layout.legend, scale, message("figure.value"));
      },
      (pen) => this.paintMark(pen, layout),
    );
  }

  private paintMark(pen: Pen, { plot, cell }: Layout): void {
    const { brush, inks } = pen;
    const { hovered } = this;
    if (!hovered) return;
    brush.save();
    pen.line(inks.accent, 1);
    brush.globalAlpha = 0.6;
    brush.strokeRect(plot.x, plot.y + hovered.row * cell.height, plot.width, cell.height);
    const x = plot.x + hovered.column * cell.width;
    brush.strokeRect(x - 0.5, plot.y, cell.width + 1, plot.height);
    brush.restore();
  }

  private point(cell: Place | null): void {
    this.hovered = cell;
    if (cell) this.dimension = cell.column;
  }

  private readonly moved = (event: PointerEvent): void => {
    const { layout, tensor } = this;
    const at = this.pointOf(event);
    if (!layout || !at) return;
    const { plot, cell } = layout;
    const row = Math.floor((at.y - plot.y) / cell.height);
    const column = Math.floor((at.x - plot.x) / cell.width);
    const [rows = 0, columns = 0] = tensor?.shape ?? [];
    const inside = row >= 0 && column >= 0 && row < rows && column < columns;
    this.point(inside ? { row, column } : null);
  };

  private readonly clicked = (): void => {
    if (this.hovered) this.position = this.hovered.row;
  };

  private readonly left = (): void => {
    this.point(null);
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    const from = this.hovered ?? { row: 0, column: this.dimension };
    const [rows = 0, columns = 0] = this.tensor?.shape ?? [];
    const step = moveInGrid(event.key, from, rows, columns);
    if (!step || isShortcut(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.point(step);
    this.position = step.row;
  };
}

define("headscope-positions", HeadscopePositions);
