import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { isForbidden, rowOf } from "../data/index.js";
import type { Cell, HeadVectors, Stage, Tensor } from "../data/index.js";
import { RAMP_STEPS, rampColour, rampOf, rampStep, scaleOf } from "../draw/colours.js";
import type { ColourScale, Ground } from "../draw/colours.js";
import { cellOfToken, LABEL_GAP, valueAt, type LegendPlace, type Rect } from "../draw/layout.js";
import { MASKED_ALPHA, paintLegend, paintSigns, SIGNS_HEIGHT, type Sign } from "../draw/legend.js";
import { fitLabel, formatValue, writeLabel } from "../draw/text.js";
import { hatch, LABEL_SIZE, type Inks, type Pen } from "../draw/theme.js";
import { formatFixed, formatNumber, message } from "../i18n/index.js";
import { emit } from "./events.js";
import { labelWidths, pairStyles, renderSigns } from "./matrix/pair-figure.js";
import { layoutRows, MARK, ScrolledFigure } from "./matrix/scrolled-figure.js";
import type { PrintedLegend, Room, View } from "./matrix/scrolled-figure.js";
import { dataTable } from "./matrix/table.js";
import { given, listOf, MATRIX, orNull, VECTORS } from "./shared/checked.js";
import { STAGE } from "./shared/checked-steps.js";
import { define } from "./shared/controllers.js";
import type { Point } from "./shared/figure.js";
import { moveInGrid } from "./shared/grid-navigation.js";

/**
 * The two strips of keys, both `[key, head_dim]`: the keys' vectors and their products with the
 * query's.
 */
const STRIPS = ["keys", "products"] as const;
type Strip = (typeof STRIPS)[number];

/** The dimension whose cell in one of the strips is at a place; null beside them. */
export function dimensionAt(
  x: number,
  { left, cell }: { left: Readonly<Record<Strip, number>>; cell: number },
  dimensions: number,
): number | null {
  const found = STRIPS.map((strip) => Math.floor((x - left[strip]) / cell));
  return found.find((dimension) => dimension >= 0 && dimension < dimensions) ?? null;
}

interface Strips {
  query: Float32Array;
  data: Record<Strip, Float32Array>;
  scales: Record<Strip, ColourScale>;
}

const QUERY_TOP = 10;
const FOOT = 48;
/** Above the head is the choice of the query. */
const AROUND = { choices: 54, top: 66, foot: FOOT };
const STRIP_GAP = 18;
const NUMBER_WIDTH = { wide: 60, stacked: 46 };
/** The width below which the products are under the vectors. */
const STACKED_BELOW = 560;
const LARGEST_CELL = 9;
const PITCH = { wide: { least: 18, most: 26 }, stacked: { least: 34, most: 34 } };
const STACKED_SEAM = 2;
const ROW_SEAM = 4;
const LEGEND = { width: 112, height: 8 };
type Layout = ReturnType<typeof layoutDimensions>;

/**
 * The layout: the query's vector at the top, then a row for each key with its vector, the products,
 * their sum, the scaled sum and the weight.
 */
function layoutDimensions(rows: number, dimensions: number, place: Room, keyLabel: number) {
  const { width, ratio } = place;
  const stacked = width < STACKED_BELOW;
  const number = stacked ? NUMBER_WIDTH.stacked : NUMBER_WIDTH.wide;
  const left = keyLabel + LABEL_GAP + MARK;
  const strips = stacked ? 1 : 2;
  const fixed = left + (strips - 1) * STRIP_GAP + 3 * number;
  const room = (width - fixed) / strips / Math.max(1, dimensions);
  const cell = Math.floor(Math.max(1 / ratio, Math.min(LARGEST_CELL, room)) * ratio) / ratio;
  const strip = cell * dimensions;
  const used = fixed + strips * strip;
  const keys = Math.round((left + Math.max(0, (width - used) / 2)) * ratio) / ratio;
  const products = stacked ? keys : keys + strip + STRIP_GAP;
  const right = products + strip + number;
  const bounds = stacked ? PITCH.stacked : PITCH.wide;
  const window = layoutRows(rows, bounds, place, AROUND);
  const { pitch } = window;
  const legend = (x: number): LegendPlace => ({
    x,
    y: window.height - FOOT + 16,
    width: Math.min(LEGEND.width, width / 2 - 64),
    height: LEGEND.height,
    upright: false,
  });
  return {
    ...window,
    width: Math.max(width, Math.ceil(used)),
    rows,
    dimensions,
    cell,
    stacked,
    label: keys - LABEL_GAP - MARK,
    left: { keys, products },
    strip: stacked ? (pitch - ROW_SEAM - STACKED_SEAM) / 2 : pitch - ROW_SEAM,
    legends: stacked
      ? { keys: legend(4), products: legend(width / 2 + 4) }
      : { keys: legend(keys), products: legend(products) },
    numbers: { raw: right, scores: right + number, weights: right + 2 * number },
    digits: stacked ? 2 : 3,
  };
}

function stripTops({ layout, scroll }: View<Layout>, row: number): Record<Strip, number> {
  const { top, pitch, strip, stacked } = layout;
  const keys = top + row * pitch - scroll + ROW_SEAM / 2;
  return { keys, products: stacked ? keys + strip + STACKED_SEAM : keys };
}

const TEXT_SIZE = 11;
const TITLE_GAP = 9;
const TITLE_LINE = 14;
const WEIGHT_ALPHA = 0.25;
const BAR_PADDING = 5;
const NUMBER_ROOM = 34;
const dimensionsStyles = css`
  select {
    max-width: 220px;
  }
`;

/**
 * The computation of the weights of one query: the products of its vector with each key's, their
 * sum, the scaled sum, and the softmax. Sums and weights are the engine's; only the single products
 * are computed here.
 *
 * @fires headscope-cell-hover - the pair under the pointer or the keyboard, or null
 * @fires headscope-cell-lock - the pair to lock, or null to unlock; the choice of another query
 * locks its strongest pair
 * @fires headscope-cell-toggle - the pair to block or to allow again
 */
export class HeadscopeDimensions extends ScrolledFigure<Layout> {
  static override styles = [pairStyles, dimensionsStyles];
  protected static override readonly sentences = ["pictures"] as const;

  /** The head's patterns `[query, key]`, all of one size. */
  @given(orNull({ raw: MATRIX, scores: MATRIX, masked: MATRIX, weights: MATRIX }))
  stages: Record<Stage, Tensor> | null = null;
  /** The vectors `[position, head_dim]`; without them only the sums are shown. */
  @given(orNull({ query: VECTORS, key: VECTORS })) vectors: HeadVectors | null = null;
  /**
   * Stages that an edit computes by another formula than q · k, ÷ √d and softmax: they have names
   * of their own.
   */
  @given(listOf(STAGE)) unusual: readonly Stage[] = [];
  /** The vectors of a figure beside this one, and its query: both share one scale. */
  @given(orNull({ vectors: { query: VECTORS, key: VECTORS }, query: "count" }))
  scaledWith: { vectors: HeadVectors; query: number } | null = null;
  @state() private dimension: number | null = null;
  protected readonly printWidth = 880;

  protected override get matrix(): Tensor | null {
    return this.stages?.weights ?? null;
  }

  private get dimensions(): number {
    return this.vectors?.query.shape[1] ?? 0;
  }

  private get query(): number {
    return this.shown?.query ?? 0;
  }

  protected override get shape(): readonly unknown[] {
    return [this.dimensions];
  }

  protected override get name(): string {
    return message("figure.dimensions", {
      query: this.labels.query[this.query] ?? "",
      keys: this.sizes.keys,
      dimensions: formatNumber(this.dimensions),
    });
  }

  protected override get keysHelp(): string {
    return message("figure.helpDimensions");
  }

  private strips(ground: Ground): Strips | null {
    const { vectors, query } = this;
    // While a text changes, vectors and patterns may have different sizes.
    if (vectors?.query.shape[0] !== this.rows || vectors.key.shape[0] !== this.columns) return null;
    const { scaledWith: beside } = this;
    const scale = this.memo("vectorScale", [vectors, ground, beside?.vectors], () => {
      const other = beside && bothOf(beside.vectors);
      return scaleOf(bothOf(vectors), "signed", ground, other);
    });
    const inputs = [vectors, query, scale, beside?.vectors, beside?.query];
    return this.memo("strips", inputs, () => {
      const products = productsOf(vectors, query);
      const others = beside && productsOf(beside.vectors, beside.query);
      const scales = { keys: scale, products: scaleOf(products, "signed", ground, others) };
      const data = { keys: vectors.key.data, products };
      return { query: rowOf(vectors.query, query), data, scales };
    });
  }

  protected override place(inks: Inks, room: Room): Layout {
    const labels = labelWidths(this.labels, room.labels, inks);
    const label = Math.min(room.labels.key, Math.max(labels.key, labels.query));
    return layoutDimensions(this.columns, this.dimensions, room, label);
  }

  protected override cellAt({ y }: Point, view: View<Layout>): Cell | null {
    const key = view.rowAt(y, this.columns);
    return key === null ? null : { query: this.query, key };
  }

  protected override point(at: Point | null, layout: Layout): void {
    this.dimension = at && dimensionAt(at.x, layout, this.dimensions);
  }

  /** Up and down move between keys, left and right between queries. */
  override step(key: string): Cell | null {
    const { cursor } = this;
    const to = moveInGrid(key, { row: cursor.key, column: cursor.query }, this.columns, this.rows);
    if (!to) return null;
    this.dimension = null;
    const cell = { query: to.column, key: to.row };
    this.reveal(cell);
    return cell;
  }

  protected override rectOf({ key }: Cell, { left, top, pitch }: Layout): Rect {
    return { x: left.keys, y: top + key * pitch, width: 0, height: pitch };
  }

  protected override isClosed(cell: Cell): boolean {
    const { stages } = this;
    return super.isClosed(cell) || (stages !== null && isForbidden(valueAt(stages.masked, cell)));
  }

  protected override reading(cell: Cell): string {
    const { stages, dimension } = this;
    if (!stages) return "";
    const strips = this.hasUpdated ? this.strips(this.inks.ground) : null;
    if (dimension !== null && strips) {
      const at = cell.key * this.dimensions + dimension;
      return message("dimensions.product", {
        dimension: dimension + 1,
        query: formatValue(strips.query[dimension] ?? NaN),
        key: formatValue(strips.data.keys[at] ?? NaN),
        product: formatValue(strips.data.products[at] ?? NaN),
      });
    }
    const usual = !this.unusual.includes("raw") && !this.unusual.includes("scores");
    const numbers = message(usual ? "dimensions.pair" : "dimensions.pairEdited", {
      raw: formatValue(valueAt(stages.raw, cell)),
      scores: formatValue(valueAt(stages.scores, cell)),
      weight: formatValue(valueAt(stages.weights, cell)),
    });
    if (this.isBlocked(cell)) return `${numbers} · ${message("figure.blockedCell")}`;
    const isMasked = isForbidden(valueAt(stages.masked, cell));
    return isMasked ? `${numbers} · ${message("figure.forbidden")}` : numbers;
  }

  protected override still(inks: Inks): readonly unknown[] {
    return [this.strips(inks.ground), this.stages, this.query, this.blocked, this.unusual];
  }

  private get titles(): { raw: string; scores: string; weights: string } {
    const nameOf = (stage: "raw" | "scores" | "weights", usual: string): string =>
      this.unusual.includes(stage) ? message(`stage.${stage}`) : usual;
    return {
      raw: nameOf("raw", message("inspect.raw")),
      scores: nameOf("scores", message("inspect.scaled", { size: this.dimensions })),
      weights: nameOf("weights", "softmax"),
    };
  }

  protected override paintStill(pen: Pen, view: View<Layout>): void {
    const { brush, inks } = pen;
    const { titles, stages } = this;
    const { layout } = view;
    const { left, numbers, cell, dimensions, strip } = layout;
    const strips = this.strips(inks.ground);
    if (!stages) return;
    brush.save();
    const y = layout.top - TITLE_GAP;
    pen.words(TEXT_SIZE, inks.muted, "left", "alphabetic");
    brush.fillText("k", left.keys, layout.stacked ? y - TITLE_LINE : y);
    brush.fillText("q ⊙ k", left.products, y);
    brush.textAlign = "right";
    for (const stage of ["raw", "scores", "weights"] as const)
      brush.fillText(titles[stage], numbers[stage], y);
    pen.words(TEXT_SIZE, inks.muted);
    brush.fillText("q", left.keys + cell * dimensions + 8, QUERY_TOP + strip / 2);
    if (strips) {
      paintStrip(pen, layout, strips.query, strips.scales.keys, left.keys, QUERY_TOP);
      paintLegend(pen, layout.legends.keys, strips.scales.keys, "q, k");
      paintLegend(pen, layout.legends.products, strips.scales.products, "q ⊙ k");
    }
    view.clip(pen);
    for (const row of view.rows(layout.rows)) this.paintRow(pen, view, strips, stages, row);
    brush.restore();
  }

  private paintRow(
    pen: Pen,
    view: View<Layout>,
    strips: Strips | null,
    stages: Record<Stage, Tensor>,
    row: number,
  ): void {
    const { brush, inks } = pen;
    const { layout } = view;
    const { left, dimensions, strip: height, numbers, digits } = layout;
    const top = stripTops(view, row);
    const pair = { query: this.query, key: row };
    const isMasked = isForbidden(valueAt(stages.masked, pair));
    const weight = valueAt(stages.weights, pair);
    if (strips)
      for (const strip of STRIPS) {
        const data = strips.data[strip].subarray(row * dimensions, (row + 1) * dimensions);
        paintStrip(pen, layout, data, strips.scales[strip], left[strip], top[strip]);
      }
    const middle = view.middle(row);
    const x = numbers.scores + BAR_PADDING;
    if (isMasked) {
      const own = this.isBlocked(pair);
      const width = Math.max(0, numbers.weights - NUMBER_ROOM - x);
      const areas = [
        { x: left.products, y: top.products, width: dimensions * layout.cell, height },
        { x, y: top.keys, width, height: top.products + height - top.keys },
      ];
      brush.globalAlpha = own ? 1 : MASKED_ALPHA;
      hatch(brush, areas, own ? inks.accent : inks.muted);
    } else {
      const width = (numbers.weights - x) * weight;
      brush.globalAlpha = WEIGHT_ALPHA;
      const colour = rampColour(rampOf("blue", inks.ground), RAMP_STEPS >> 1);
      pen.fill({ x, y: middle - height / 2, width, height }, colour);
    }
    brush.globalAlpha = 1;
    pen.words(TEXT_SIZE, isMasked ? inks.muted : inks.ink, "right");
    for (const stage of ["raw", "scores"] as const) {
      const number = formatFixed(valueAt(stages[stage], pair), digits);
      brush.fillText(number, numbers[stage], middle + 0.5);
    }
    brush.fillText(formatFixed(weight), numbers.weights, middle + 0.5);
  }

  protected override paintMoving(pen: Pen, view: View<Layout>): void {
    const { brush, inks } = pen;
    const { layout, focused } = view;
    const { label, strip, cell, left } = layout;
    const { dimension } = this;
    const locked = this.inside(this.locked);
    const write = (text: string | undefined, x: number, y: number): void =>
      writeLabel(brush, fitLabel(text ?? "", view.room.key, pen.measure), x, y);
    const frame = (x: number, y: number): void => {
      if (dimension === null) return;
      pen.line(inks.accent, 2);
      brush.strokeRect(x + dimension * cell - 1, y - 1, cell + 1, strip + 2);
    };
    brush.save();
    pen.words(LABEL_SIZE, inks.ink, "right", "middle", "bold");
    write(this.labels.query[this.query], label + MARK, QUERY_TOP + strip / 2 + 0.5);
    frame(left.keys, QUERY_TOP);
    view.clip(pen);
    for (const row of view.rows(this.columns)) {
      const strong = focused?.key === row;
      view.words(pen, strong, strong, "right");
      write(this.labels.key[row], label, view.middle(row) + 0.5);
    }
    if (locked && locked.query === focused?.query)
      view.mark(pen, locked.key, label + MARK, inks.ink);
    if (focused) {
      view.mark(pen, focused.key, label + MARK, inks.accent);
      const tops = stripTops(view, focused.key);
      for (const name of STRIPS) frame(left[name], tops[name]);
    }
    brush.restore();
  }

  protected override renderPicture(): TemplateResult {
    const option = (query: string, index: number): TemplateResult => {
      const words = message("dimensions.option", { position: index + 1, query });
      return html`<option value=${index} .selected=${index === this.query}>${words}</option>`;
    };
    const choose = ({ target }: Event): void => {
      const query = Number((target as HTMLSelectElement).value);
      if (this.matrix) emit(this, "headscope-cell-lock", cellOfToken(this.matrix, "query", query));
    };
    return html`<label class="controls inline" part="controls">
        ${message("dimensions.query")}
        <select class="boxed" @change=${choose}>
          ${this.labels.query.map(option)}
        </select>
      </label>
      ${super.renderPicture()}`;
  }

  protected override renderFoot(): TemplateResult {
    return renderSigns(this.maskedSign());
  }

  private maskedSign(): Sign[] {
    const { stages, query } = this;
    const words = message("figure.forbidden");
    return stages && rowOf(stages.masked, query).some(isForbidden)
      ? [{ kind: "forbidden", words }]
      : [];
  }

  protected override printLegend(): PrintedLegend | null {
    const signs = [...this.maskedSign(), ...this.blockedSign()];
    const paint: PrintedLegend["paint"] = (pen, x, y) => paintSigns(pen, x, y, signs);
    return signs.length === 0 ? null : { height: SIGNS_HEIGHT, paint };
  }

  protected override renderTable(): TemplateResult | typeof nothing {
    const { stages, labels, query, shown, titles, dimensions } = this;
    if (!stages) return nothing;
    const { raw, scores, masked, weights } = stages;
    const written = (stage: Tensor, key: number): string =>
      formatValue(valueAt(stage, { query, key }));
    const keys = dataTable(
      message("dimensions.keysTable", { query: labels.query[query] ?? "" }),
      [message("figure.key"), titles.raw, titles.scores, message("stage.masked"), titles.weights],
      labels.key.map((name, key) => [
        name,
        ...[raw, scores, masked, weights].map((stage) => written(stage, key)),
      ]),
      { titled: true },
    );
    const strips = this.strips(this.inks.ground);
    if (!strips || !shown) return keys;
    const { query: own, key } = this.words(shown);
    const at = shown.key * dimensions;
    const rows = Array.from(strips.query, (number, dimension) => {
      const others = STRIPS.map((strip) => strips.data[strip][at + dimension] ?? NaN);
      return [String(dimension + 1), ...[number, ...others].map(formatValue)];
    });
    // The engine's sum, not a sum of the products here.
    const sum = [message("dimensions.sum"), "", "", written(raw, shown.key)];
    const pair = dataTable(
      message("dimensions.pairTable", { query: own, key }),
      [message("figure.dimension"), "q", "k", "q ⊙ k"],
      this.unusual.includes("raw") ? rows : [...rows, sum],
      { titled: true },
    );
    return html`${keys} ${pair}`;
  }
}

/** The numbers of all queries and all keys. */
function bothOf({ query, key }: HeadVectors): Float32Array {
  const both = new Float32Array(query.data.length + key.data.length);
  both.set(query.data);
  both.set(key.data, query.data.length);
  return both;
}

/** The products of one query's vector with that of each key, by dimension. */
function productsOf(vectors: HeadVectors, query: number): Float32Array {
  const own = rowOf(vectors.query, query);
  return vectors.key.data.map((value, index) => value * (own[index % own.length] ?? 0));
}

function paintStrip(
  pen: Pen,
  { cell, strip: height }: Layout,
  values: Float32Array,
  scale: ColourScale,
  x: number,
  y: number,
): void {
  const seam = cell >= 5 ? 1 : 0;
  const width = cell - seam;
  values.forEach((value, dimension) => {
    const colour = rampColour(scale.ramp, rampStep(scale, value));
    pen.fill({ x: x + dimension * cell, y, width, height }, colour);
  });
  pen.line(pen.inks.line, 1);
  pen.frame({ x, y, width: values.length * cell - seam, height }, 0.5);
}

define("headscope-dimensions", HeadscopeDimensions);
