// A positional encoding, positions down and dimensions across, or a relative bias by distance and
// head.
import { scaleLinear } from "d3-scale";
import { html, nothing, svg, type TemplateResult, unsafeCSS } from "lit";
import { state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import type { Tensor } from "../data/index.js";
import { scaleOf } from "../draw/colours.js";
import { placeAt } from "../draw/layout.js";
import { paintLegend } from "../draw/legend.js";
import { formatValue, labelled, labelStep } from "../draw/text.js";
import { type Inks, OWN_ROOM, Pen, type Print } from "../draw/theme.js";
import { formatNumber, language, message } from "../i18n/index.js";
import { cellImage } from "../draw/matrix.js";
import { numbersTable } from "./matrix/table.js";
import { given, orNull, tensor } from "./shared/checked.js";
import { define } from "./shared/controllers.js";
import { FigureElement } from "./shared/figure.js";
import { keyListener, moveInGrid, type Place } from "./shared/grid-navigation.js";
import styles from "./positions.css?inline";

type Layout = ReturnType<typeof layoutPositions>;
const MARGIN = { left: 36, right: 2, top: 22 };
const LEGEND = { gap: 16, width: 148, height: 8, text: 20 };
const COMFORTABLE_HEIGHT = 288;
const LARGEST_ROW = 16;

/** The layout of the cells: whole device pixels if there is room; otherwise neighbours blend. */
function layoutPositions(rows: number, columns: number, width: number, ratio: number) {
  const whole = (size: number): number => Math.floor(size * ratio) / ratio;
  const across = Math.max(1, width - MARGIN.left - MARGIN.right) / Math.max(1, columns);
  const down = whole(Math.min(LARGEST_ROW, COMFORTABLE_HEIGHT / Math.max(1, rows)));
  const wide = across * ratio >= 1 ? whole(across) : across;
  const cell = { width: wide, height: Math.max(1 / ratio, down) };
  const size = { width: cell.width * columns, height: cell.height * rows };
  const plot = { x: MARGIN.left, y: MARGIN.top, ...size };
  const y = plot.y + plot.height + LEGEND.gap;
  const long = Math.min(LEGEND.width, plot.width);
  const legend = { x: plot.x, y, width: long, height: LEGEND.height, upright: false };
  const height = Math.ceil(y + LEGEND.height + LEGEND.text);
  return { width, height, plot, legend, cell, rows, columns };
}

const TEXT_SIZE = { numbers: 11, print: 12 };
const NUMBER_PITCH = { rows: 16, columns: 40 };

function paintCells(pen: Pen, layout: Layout, image: CanvasImageSource): void {
  const { brush, inks } = pen;
  const { plot, cell } = layout;
  const { x, y, width, height } = plot;
  brush.save();
  brush.imageSmoothingEnabled = cell.width < 1;
  brush.drawImage(image, x, y, width, height);
  pen.line(inks.line, 1);
  pen.frame(plot, 0.5);
  pen.words(TEXT_SIZE.numbers, inks.muted, "right");
  for (const row of labelled(layout.rows, labelStep(cell.height, NUMBER_PITCH.rows)))
    brush.fillText(String(row + 1), x - 8, y + (row + 0.5) * cell.height);
  brush.textAlign = "center";
  for (const column of labelled(layout.columns, labelStep(cell.width, NUMBER_PITCH.columns)))
    brush.fillText(String(column + 1), x + (column + 0.5) * cell.width, y - 9);
  brush.restore();
}

/**
 * The points of a column as a wave in a box, and the greatest distance from zero, which is at the
 * top.
 */
function waveOf(
  { data, shape: [rows = 0, columns = 0] }: Tensor,
  column: number,
  width: number,
  height: number,
): { points: [number, number][]; reach: number } {
  const values = Array.from({ length: rows }, (_, row) => data[row * columns + column] ?? NaN);
  const reach = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const across = scaleLinear([0, Math.max(1, rows - 1)], [0, width]);
  const up = scaleLinear([-reach || -1, reach || 1], [height, 0]);
  return { points: values.map((value, index) => [across(index), up(value)]), reach };
}

function sampleColumns(columns: number): number[] {
  const chosen = [0, columns / 16, columns / 8, columns / 4, columns / 2].map(Math.floor);
  return [...new Set(chosen)].filter((column) => column < columns);
}

/**
 * The names of axes and cells. The rows of a tensor with the axis `distance` are distances, from
 * the most negative one up.
 */
function wordsOf({ axes, shape: [count = 0, width = 0] }: Tensor) {
  const down = formatNumber(count);
  const across = formatNumber(width);
  const relative = axes[0] === "distance";
  const ofHeads = axes[1] === "head";
  const columns = message(ofHeads ? "figure.head" : "figure.dimension");
  const row = (at: number): string => formatNumber(relative ? at - (count - 1) / 2 : at + 1);
  return {
    name: ofHeads
      ? message("figure.relative", { distances: down, heads: across })
      : relative
        ? message("figure.distances", { distances: down, dimensions: across })
        : message("figure.positions", { positions: down, dimensions: across }),
    rows: message(relative ? "figure.distance" : "figure.position"),
    columns,
    waves: message(ofHeads ? "figure.wavesOfHeads" : "figure.waves"),
    row,
    column: (at: number): string => `${columns} ${formatNumber(at + 1)}`,
    cell: (at: number, column: number, value: string): string =>
      ofHeads
        ? message("figure.distanceCell", { distance: row(at), head: column + 1, value })
        : message(relative ? "figure.distanceDimension" : "figure.positionCell", {
            position: row(at),
            dimension: column + 1,
            value,
          }),
  };
}

const WAVE = { width: 600, height: 40 };
const PRINT = { width: 720, across: 3, around: 40, words: 22 };
const PRINTED_WAVE = { height: 36, gap: 10, left: 110, right: 70 };

/** A positional encoding, or a relative bias, as a picture and as single waves. */
export class HeadscopePositions extends FigureElement {
  static override styles = unsafeCSS(styles);
  protected static override readonly sentences = ["pictures"] as const;
  /**
   * The tensor, shape `[position, model_dim]`, `[position, head_dim]`, or, with relative positions,
   * `[distance, head]` or `[distance, model_dim]`.
   */
  @given(orNull(tensor("position", "dimension"))) tensor: Tensor | null = null;
  @state() private hovered: Place | null = null;
  /** The last dimension in focus, which is drawn as a wave. */
  @state() private dimension = 0;
  @state() private position = 0;
  private layout: Layout | null = null;

  private get shape(): [rows: number, columns: number] {
    const [rows = 0, columns = 0] = this.tensor?.shape ?? [];
    return [rows, columns];
  }

  /** The picture for files, whose size follows from the tensor alone. Null when there is none. */
  print(inks: Inks, { colourBar } = OWN_ROOM): Print | null {
    const { tensor } = this;
    const [rows, dimensions] = this.shape;
    const scale = tensor && scaleOf(tensor.data, "signed", inks.ground);
    const image = scale && cellImage(tensor, scale);
    if (!image) return null;
    const width = Math.max(PRINT.width, dimensions * PRINT.across + PRINT.around);
    const layout = layoutPositions(rows, dimensions, width, 1);
    const words = wordsOf(tensor);
    const columns = sampleColumns(dimensions);
    const { height, left, right, gap } = PRINTED_WAVE;
    const wavesTop = PRINT.words + layout.height + 2 * gap;
    const paintWave = (pen: Pen, column: number, y: number): void => {
      const { brush } = pen;
      const middle = y + height / 2;
      const { points, reach } = waveOf(tensor, column, width - left - right, height);
      brush.save();
      pen.line(inks.line, 1);
      pen.segments([left, middle, width - right, middle]);
      pen.line(inks.ink, 1.5);
      brush.lineJoin = "round";
      brush.beginPath();
      points.forEach(([across, down], at) =>
        at === 0 ? brush.moveTo(left + across, y + down) : brush.lineTo(left + across, y + down),
      );
      brush.stroke();
      pen.words(TEXT_SIZE.print, inks.muted, "right");
      brush.fillText(words.column(column), left - 12, middle);
      brush.textAlign = "left";
      brush.fillText(`±${formatValue(reach)}`, width - right + 12, middle);
      brush.restore();
    };
    return {
      width,
      height: wavesTop + columns.length * (height + gap),
      paint: (brush) => {
        const pen = new Pen(brush, inks);
        brush.save();
        pen.words(TEXT_SIZE.print, inks.muted);
        brush.fillText(`${words.rows} ↓   ${words.columns} →`, layout.plot.x, PRINT.words / 2);
        brush.translate(0, PRINT.words);
        paintCells(pen, layout, image);
        if (colourBar) paintLegend(pen, layout.legend, scale, message("figure.value"));
        brush.restore();
        columns.forEach((column, at) => paintWave(pen, column, wavesTop + at * (height + gap)));
      },
    };
  }

  protected override willUpdate(): void {
    const { width, ratio } = this.size;
    const { hovered } = this;
    const [rows, columns] = this.shape;
    this.layout = this.memo("layout", [rows, columns, width, ratio], () =>
      width > 0 ? layoutPositions(rows, columns, width, ratio) : null,
    );
    if (hovered && (hovered.row >= rows || hovered.column >= columns)) this.hovered = null;
    this.dimension = Math.min(this.dimension, Math.max(0, columns - 1));
    this.position = Math.min(this.position, Math.max(0, rows - 1));
  }

  protected override render(): TemplateResult {
    const { tensor, layout, hovered, dimension, moved, left, clicked, pressed } = this;
    if (!tensor || tensor.data.length === 0) return this.renderEmpty();
    const words = wordsOf(tensor);
    const [, columns] = this.shape;
    const size = layout ? { height: `${layout.height}px` } : {};
    const value = tensor.data[(hovered?.row ?? 0) * columns + (hovered?.column ?? 0)] ?? NaN;
    const others = sampleColumns(columns).filter((column) => column !== dimension);
    return html`
      <p class="small muted" aria-hidden="true">${words.rows} ↓ &ensp; ${words.columns} →</p>
      ${this.renderStage(words.name, { moved, left, clicked, pressed }, size, this.canvases)}
      <p id="help" class="visually-hidden">${message("figure.helpPositions")}</p>
      <p class="reading" part="value" aria-live="polite">
        ${hovered ? words.cell(hovered.row, hovered.column, formatValue(value)) : nothing}
      </p>
      ${this.renderBelow(nothing, () =>
        guard([tensor, this.position, language()], () => this.renderTable(tensor)),
      )}
      <section class="far" aria-label=${words.waves}>
        <h3 part="caption">${words.waves}</h3>
        ${[dimension, ...others].map((column, index) =>
          this.renderWave(tensor, column, words.column(column), index === 0),
        )}
      </section>
    `;
  }

  private renderTable(tensor: Tensor): TemplateResult {
    const words = wordsOf(tensor);
    const [rows, columns] = this.shape;
    const labels = {
      query: Array.from({ length: rows }, (_, row) => words.row(row)),
      key: Array.from({ length: columns }, (_, column) => formatNumber(column + 1)),
    };
    const corner = { query: words.rows, key: words.columns };
    return numbersTable(words.name, tensor.data, labels, { corner, row: this.position });
  }

  private renderWave(tensor: Tensor, column: number, name: string, own: boolean): TemplateResult {
    const { width, height } = WAVE;
    const { points, reach } = waveOf(tensor, column, width, height);
    const path = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    const at = this.hovered && points[this.hovered.row]?.[0].toFixed(1);
    return html`<div class="wave small ${own ? "pointed" : "muted"}">
      <span>${name}</span>
      <svg viewBox="0 -3 ${width} ${height + 6}" preserveAspectRatio="none" aria-hidden="true">
        ${svg`<path class="zero" d="M0 ${height / 2}H${width}" />`}
        ${at ? svg`<path class="at" d="M${at} -3V${height + 3}" />` : nothing}
        ${svg`<path class="line" d="M${path}" />`}
      </svg>
      <span class="end">±${formatValue(reach)}</span>
    </div>`;
  }

  protected override updated(): void {
    const { tensor, layout } = this;
    const { ground } = this.inks;
    if (!tensor || !layout) return;
    const scale = this.memo("scale", [tensor, ground], () =>
      scaleOf(tensor.data, "signed", ground),
    );
    const image = this.memo("image", [scale], () => cellImage(tensor, scale));
    const paintPicture = (pen: Pen): void => {
      if (!image) return;
      paintCells(pen, layout, image);
      paintLegend(pen, layout.legend, scale, message("figure.value"));
    };
    this.paintLayers(layout, [image, layout], paintPicture, (pen) => this.paintMark(pen, layout));
  }

  private paintMark(pen: Pen, { plot, cell }: Layout): void {
    const { hovered } = this;
    const { brush, inks } = pen;
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
    const at = this.pointOf(event);
    if (this.layout && at) this.point(placeAt(this.layout, at));
  };

  private readonly clicked = (): void => {
    if (this.hovered) this.position = this.hovered.row;
  };

  private readonly left = (): void => this.point(null);

  private readonly pressed = keyListener((key) => {
    const to = moveInGrid(key, this.hovered ?? { row: 0, column: this.dimension }, ...this.shape);
    if (!to) return false;
    this.point(to);
    this.position = to.row;
    return true;
  });
}

define("headscope-positions", HeadscopePositions);
