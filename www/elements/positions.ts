import { css, html, nothing, svg, type TemplateResult } from "lit";
import { query, state } from "lit/decorators.js";
import type { DirectiveResult } from "lit/directive.js";
import { guard } from "lit/directives/guard.js";
import type { Tensor } from "../data/index.js";
import { divergingScale, type ColourScale } from "../draw/colours.js";
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
import { baseStyles, stageStyles, tableStyles } from "./shared/base-styles.js";
import { CheckedElement, given, orNull, tensor } from "./shared/checked.js";
import { define, Memo } from "./shared/controllers.js";
import { canvases, FigureParts } from "./shared/figure-parts.js";
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

  h3 {
    margin: 0 0 8px;
    font-size: 14px;
    font-weight: 600;
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

/** What a model adds to its tokens so that it knows their order, or turns its queries and keys by, as a picture and as single waves. */
export class HeadscopePositions extends CheckedElement {
  static override styles = [baseStyles, stageStyles, tableStyles, positionsStyles];

  /** Shape `[position, model_dim]`, `[position, head_dim]`, or `[distance, head]` where positions are relative. */
  @given(orNull(tensor("position", "dimension"))) tensor: Tensor | null = null;

  @state() private hovered: StripCell | null = null;
  /** The dimension drawn as a wave of its own: the last one pointed at. */
  @state() private dimension = 0;
  /** The position that a table shows which has no room for all: the last one that a key or a click led to. */
  @state() private position = 0;
  @query(".cells") private cells!: HTMLCanvasElement | null;
  @query(".marks") private marks!: HTMLCanvasElement | null;

  private readonly parts = new FigureParts(this);
  private layout: StripLayout | null = null;
  private readonly scale = new Memo<ColourScale>();
  private readonly image = new Memo<OffscreenCanvas | null>();
  private readonly place = new Memo<StripLayout | null>();
  private readonly painted = new Memo<void>();

  private get positions(): number {
    return this.tensor?.shape[0] ?? 0;
  }

  private get dimensions(): number {
    return this.tensor?.shape[1] ?? 0;
  }

  private get words(): PositionWords {
    return new PositionWords(this.tensor ?? { axes: [], shape: [] });
  }

  /** The inks that it is painted with on the page. */
  get inks(): Inks {
    return this.parts.inks;
  }

  /** The picture apart from the page, in its own size. Null when there is none. */
  print(inks: Inks): Print | null {
    return this.tensor && printPositions(this.tensor, inks);
  }

  protected override willUpdate(): void {
    const { width, ratio } = this.parts.size;
    const { positions, dimensions, hovered } = this;
    this.layout = this.place.get([positions, dimensions, width, ratio], () =>
      width > 0 ? layoutStrip(positions, dimensions, width, ratio) : null,
    );
    if (hovered && (hovered.position >= positions || hovered.dimension >= dimensions))
      this.hovered = null;
    this.dimension = Math.min(this.dimension, Math.max(0, dimensions - 1));
    this.position = Math.min(this.position, Math.max(0, positions - 1));
  }

  protected override render(): TemplateResult {
    const { words, parts, positions, dimensions, layout } = this;
    const { moved, left, clicked, pressed } = this;
    if (positions === 0 || dimensions === 0)
      return html`<p class="empty" part="empty">${message("figure.empty")}</p>`;
    return html`
      <p class="axes" aria-hidden="true">${words.rows} ↓ &ensp; ${words.columns} →</p>
      ${parts.stage(words.name(positions, dimensions), { moved, left, clicked, pressed }, layout ? { height: `${layout.height}px` } : {}, canvases("cells", "marks"))}
      <p id="help" class="heard">${message("figure.helpPositions")}</p>
      <p class="reading" part="value" aria-live="polite">${this.reading()}</p>
      ${parts.foot(nothing, () => this.table())} ${this.waves()}
    `;
  }

  private reading(): string | typeof nothing {
    if (!this.hovered) return nothing;
    const { position, dimension } = this.hovered;
    const value = this.tensor?.data[position * this.dimensions + dimension] ?? NaN;
    return this.words.cell(position, dimension, formatValue(value));
  }

  /** Made anew only for other numbers: a pointer on its way must not make thousands of cells. */
  private table(): DirectiveResult | typeof nothing {
    const { tensor: numbers, words, position, positions, dimensions } = this;
    if (!numbers) return nothing;
    const named = (count: number, nameOf: (index: number) => string): string[] =>
      Array.from({ length: count }, (_, index) => nameOf(index));
    return guard([numbers, position, language()], () =>
      numbersTable({
        caption: words.name(positions, dimensions),
        data: numbers.data,
        queries: named(positions, (row) => words.rowNumber(row)),
        keys: named(dimensions, (column) => formatNumber(column + 1)),
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
    const { tensor: numbers, layout, cells, marks, inks } = this;
    if (!numbers || !layout || !cells || !marks) return;
    const { width, height } = layout;
    const scale = this.scale.get([numbers, inks.ground], () =>
      divergingScale(numbers.data, inks.ground),
    );
    const image = this.image.get([scale], () =>
      cellImage(numbers.data, scale, this.positions, this.dimensions),
    );
    this.painted.get([cells, image, inks, layout, language()], () => {
      const pen = this.parts.pen(cells, width, height);
      if (!pen || !image) return;
      paintStrip(pen, layout, image);
      paintLegend(pen, layout.legend, scale, message("figure.value"));
    });
    const pen = this.parts.pen(marks, width, height);
    if (pen && this.hovered) paintStripMark(pen, layout, this.hovered);
  }

  private point(cell: StripCell | null): void {
    this.hovered = cell;
    if (cell) this.dimension = cell.dimension;
  }

  private readonly moved = (event: PointerEvent): void => {
    const box = this.marks?.getBoundingClientRect();
    if (this.layout && box)
      this.point(stripCellAt(this.layout, event.clientX - box.x, event.clientY - box.y));
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

/** What the axes of a picture of positions are called: relative ones are numbers of heads by distance. */
export class PositionWords {
  private readonly relative: boolean;
  private readonly count: number;

  constructor({ axes, shape }: Pick<Tensor, "axes" | "shape">) {
    this.relative = axes[0] === "distance";
    this.count = shape[0] ?? 0;
  }

  get rows(): string {
    return message(this.relative ? "figure.distance" : "figure.position");
  }

  get columns(): string {
    return message(this.relative ? "figure.head" : "figure.dimension");
  }

  get waves(): string {
    return message(this.relative ? "figure.wavesOfHeads" : "figure.waves");
  }

  /** A row as it is counted: of distances as many back as forth, and 0 between them. */
  rowNumber(row: number): string {
    return formatNumber(this.relative ? row - (this.count - 1) / 2 : row + 1);
  }

  column(column: number): string {
    return `${this.columns} ${formatNumber(column + 1)}`;
  }

  cell(row: number, column: number, value: string): string {
    if (!this.relative)
      return message("figure.positionCell", { position: row + 1, dimension: column + 1, value });
    const distance = this.rowNumber(row);
    return message("figure.distanceCell", { distance, head: column + 1, value });
  }

  name(rows: number, columns: number): string {
    const [down, across] = [formatNumber(rows), formatNumber(columns)];
    return this.relative
      ? message("figure.relative", { distances: down, heads: across })
      : message("figure.positions", { positions: down, dimensions: across });
  }
}

// A positional encoding apart from the page: the painters of the screen, at a size that follows from the tensor alone.

/** A dimension is at least this wide, in pixels of the page. */
const LEAST_ACROSS = 3;
const WIDTH = 720;
/** What the numbers of the positions take beside the plot. */
const AROUND = 40;
const WORDS_HEIGHT = 22;
const TEXT_SIZE = 12;
const PRINTED_WAVE = { height: 36, gap: 10, left: 110, right: 70 };

/** Null where the browser cannot draw. */
export function printPositions(tensor: Tensor, inks: Inks): Print | null {
  const [positions = 0, dimensions = 0] = tensor.shape;
  const scale = divergingScale(tensor.data, inks.ground);
  const image = cellImage(tensor.data, scale, positions, dimensions);
  if (!image) return null;
  const width = Math.max(WIDTH, dimensions * LEAST_ACROSS + AROUND);
  const layout = layoutStrip(positions, dimensions, width, 1);
  const words = new PositionWords(tensor);
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
