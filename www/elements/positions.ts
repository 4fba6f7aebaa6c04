import { css, html, nothing, svg, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { DirectiveResult } from "lit/directive.js";
import { guard } from "lit/directives/guard.js";
import type { Tensor } from "../data/index.js";
import { divergingScale } from "../draw/colours.js";
import { paintLegend } from "../draw/legend.js";
import {
  columnOf,
  layoutStrip,
  paintStrip,
  paintStripMark,
  paintWave,
  reachOf,
  sampleColumns,
  stripCellAt,
  wavePath,
  type StripCell,
  type StripLayout,
} from "../draw/position-matrix.js";
import { formatValue } from "../draw/text.js";
import { Pen, type Inks, type Print } from "../draw/theme.js";
import { formatNumber, language, message } from "../i18n/index.js";
import { cellImage } from "./matrix/canvas.js";
import { numbersTable } from "./matrix/table.js";
import { figureStyles } from "./shared/base-styles.js";
import { given, orNull, tensor } from "./shared/checked.js";
import { define } from "./shared/controllers.js";
import { FigureElement } from "./shared/figure.js";
import { isShortcut, moveInGrid } from "./shared/grid-navigation.js";

const positionsStyles = css`
  .axes {
    margin: 0 0 4px;
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
    font-size: 12.5px;
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
    stroke: var(--_bar);
    stroke-width: 1.5;
    stroke-linejoin: round;
    vector-effect: non-scaling-stroke;
  }

  .zero,
  .at {
    stroke: var(--_line);
    stroke-width: 1;
  }

  .at,
  .pointed .line {
    stroke: var(--_accent);
  }
`;

const WAVE = { width: 600, height: 40 };

/** A positional encoding, or a relative bias, as a picture and as single waves. */
export class HeadscopePositions extends FigureElement {
  static override styles = [figureStyles, positionsStyles];

  /** Shape `[position, model_dim]`, `[position, head_dim]`, or `[distance, head]` where positions are relative. */
  @given(orNull(tensor("position", "dimension"))) tensor: Tensor | null = null;

  @state() private hovered: StripCell | null = null;
  /** The last dimension in focus, which has a wave of its own. */
  @state() private dimension = 0;
  /** The row of a table that shows only one: the last to which a key or a click led. */
  @state() private position = 0;

  private layout: StripLayout | null = null;

  private get positions(): number {
    return this.tensor?.shape[0] ?? 0;
  }

  private get dimensions(): number {
    return this.tensor?.shape[1] ?? 0;
  }

  private get words(): PositionWords {
    return positionWords(this.tensor ?? { axes: [], shape: [] });
  }

  /** The picture for files, in its own size. Null when there is none. */
  print(inks: Inks): Print | null {
    return this.tensor && printPositions(this.tensor, inks);
  }

  protected override willUpdate(): void {
    const { width, ratio } = this.size;
    const { positions, dimensions, hovered } = this;
    this.layout = this.memo("layout", [positions, dimensions, width, ratio], () =>
      width > 0 ? layoutStrip(positions, dimensions, width, ratio) : null,
    );
    if (hovered && (hovered.position >= positions || hovered.dimension >= dimensions))
      this.hovered = null;
    this.dimension = Math.min(this.dimension, Math.max(0, dimensions - 1));
    this.position = Math.min(this.position, Math.max(0, positions - 1));
  }

  protected override render(): TemplateResult {
    const { words, positions, dimensions, layout } = this;
    const { moved, left, clicked, pressed } = this;
    if (positions === 0 || dimensions === 0)
      return html`<p class="empty" part="empty">${message("figure.empty")}</p>`;
    const size = layout ? { height: `${layout.height}px` } : {};
    return html`
      <p class="axes" aria-hidden="true">${words.rows} ↓ &ensp; ${words.columns} →</p>
      ${this.renderStage(words.name, { moved, left, clicked, pressed }, size, this.canvases)}
      <p id="help" class="spoken">${message("figure.helpPositions")}</p>
      <p class="reading" part="value" aria-live="polite">${this.reading()}</p>
      ${this.renderBelow(nothing, () => this.table())} ${this.waves()}
    `;
  }

  private reading(): string | typeof nothing {
    if (!this.hovered) return nothing;
    const { position, dimension } = this.hovered;
    const value = this.tensor?.data[position * this.dimensions + dimension] ?? NaN;
    return this.words.cell(position, dimension, formatValue(value));
  }

  /** Rendered again for other numbers only: it may have thousands of cells. */
  private table(): DirectiveResult | typeof nothing {
    const { tensor: numbers, words, position, positions, dimensions } = this;
    if (!numbers) return nothing;
    return guard([numbers, position, language()], () =>
      numbersTable({
        caption: words.name,
        data: numbers.data,
        queries: Array.from({ length: positions }, (_, row) => words.row(row)),
        keys: Array.from({ length: dimensions }, (_, column) => formatNumber(column + 1)),
        corner: { query: words.rows, key: words.columns },
        query: position,
      }),
    );
  }

  private waves(): TemplateResult | typeof nothing {
    const { tensor: numbers, dimension, words } = this;
    if (!numbers) return nothing;
    const others = sampleColumns(this.dimensions).filter((column) => column !== dimension);
    return html`<section aria-label=${words.waves}>
      <h3 part="caption">${words.waves}</h3>
      ${[dimension, ...others].map((column, index) => this.wave(numbers, column, index === 0))}
    </section>`;
  }

  private wave({ data }: Tensor, column: number, pointed: boolean): TemplateResult {
    const { width, height } = WAVE;
    const values = columnOf(data, this.dimensions, column);
    const at =
      this.hovered &&
      ((this.hovered.position / Math.max(1, this.positions - 1)) * width).toFixed(1);
    return html`<div class="wave ${pointed ? "pointed" : ""}">
      <span>${this.words.column(column)}</span>
      <svg viewBox="0 -3 ${width} ${height + 6}" preserveAspectRatio="none" aria-hidden="true">
        ${svg`<path class="zero" d="M0 ${height / 2}H${width}" />`}
        ${at === null ? nothing : svg`<path class="at" d="M${at} -3V${height + 3}" />`}
        ${svg`<path class="line" d=${wavePath(values, width, height)} />`}
      </svg>
      <span class="reach">±${formatValue(reachOf(values))}</span>
    </div>`;
  }

  protected override updated(): void {
    const { tensor: numbers, layout, cells, overlay, inks } = this;
    if (!numbers || !layout || !cells || !overlay) return;
    const { width, height } = layout;
    const scale = this.memo("scale", [numbers, inks.ground], () =>
      divergingScale(numbers.data, inks.ground),
    );
    const image = this.memo("image", [scale], () =>
      cellImage(numbers.data, scale, this.positions, this.dimensions),
    );
    this.memo("cells", [cells, image, inks, layout, language()], () => {
      const pen = this.pen(cells, width, height);
      if (!pen || !image) return;
      paintStrip(pen, layout, image);
      paintLegend(pen, layout.legend, scale, message("figure.value"));
    });
    const pen = this.pen(overlay, width, height);
    if (pen && this.hovered) paintStripMark(pen, layout, this.hovered);
  }

  private point(cell: StripCell | null): void {
    this.hovered = cell;
    if (cell) this.dimension = cell.dimension;
  }

  private readonly moved = (event: PointerEvent): void => {
    const at = this.pointOf(event);
    if (this.layout && at) this.point(stripCellAt(this.layout, at.x, at.y));
  };

  private readonly clicked = (): void => {
    if (this.hovered) this.position = this.hovered.position;
  };

  private readonly left = (): void => {
    this.point(null);
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    const at = this.hovered ?? { position: 0, dimension: this.dimension };
    const from = { row: at.position, column: at.dimension };
    const step = moveInGrid(event.key, from, this.positions, this.dimensions);
    if (!step || isShortcut(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.point({ position: step.row, dimension: step.column });
    this.position = step.row;
  };
}

/** The names of axes and cells. */
interface PositionWords {
  name: string;
  rows: string;
  columns: string;
  waves: string;
  row: (row: number) => string;
  column: (column: number) => string;
  cell: (row: number, column: number, value: string) => string;
}

/** A tensor with the axis `distance` has numbers of heads by distance, from the most negative one up. */
function positionWords({ axes, shape }: Pick<Tensor, "axes" | "shape">): PositionWords {
  const [count = 0, width = 0] = shape;
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

// The picture for files has a size that follows from the tensor alone.

/** The least width of a dimension, in CSS pixels. */
const LEAST_ACROSS = 3;
const WIDTH = 720;
/** The width beside the plot. */
const AROUND = 40;
const WORDS_HEIGHT = 22;
const TEXT_SIZE = 12;
const PRINTED_WAVE = { height: 36, gap: 10, left: 110, right: 70 };

/** Null without a 2D context. */
function printPositions(tensor: Tensor, inks: Inks): Print | null {
  const [positions = 0, dimensions = 0] = tensor.shape;
  const scale = divergingScale(tensor.data, inks.ground);
  const image = cellImage(tensor.data, scale, positions, dimensions);
  if (!image) return null;
  const width = Math.max(WIDTH, dimensions * LEAST_ACROSS + AROUND);
  const layout = layoutStrip(positions, dimensions, width, 1);
  const words = positionWords(tensor);
  const columns = sampleColumns(dimensions);
  const wavesTop = WORDS_HEIGHT + layout.height + 2 * PRINTED_WAVE.gap;
  const { height, left, right, gap } = PRINTED_WAVE;
  return {
    width,
    height: wavesTop + columns.length * (height + gap),
    paint: (brush) => {
      const pen = new Pen(brush, inks);
      brush.save();
      pen.words(TEXT_SIZE, inks.muted);
      brush.fillText(`${words.rows} ↓   ${words.columns} →`, layout.plot.x, WORDS_HEIGHT / 2);
      brush.translate(0, WORDS_HEIGHT);
      paintStrip(pen, layout, image);
      paintLegend(pen, layout.legend, scale, message("figure.value"));
      brush.restore();
      columns.forEach((column, index) => {
        const y = wavesTop + index * (height + gap);
        const values = columnOf(tensor.data, dimensions, column);
        paintWave(pen, { x: left, y, width: width - left - right, height }, values);
        brush.save();
        pen.words(TEXT_SIZE, inks.muted, "right");
        brush.fillText(words.column(column), left - 12, y + height / 2);
        brush.textAlign = "left";
        brush.fillText(`±${formatValue(reachOf(values))}`, width - right + 12, y + height / 2);
        brush.restore();
      });
    },
  };
}

define("headscope-positions", HeadscopePositions);
