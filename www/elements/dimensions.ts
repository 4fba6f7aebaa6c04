import { html, nothing, type TemplateResult, css } from "lit";
import { state } from "lit/decorators.js";
import {
  isForbidden,
  type Cell,
  type HeadVectors,
  type Stage,
  type Tensor,
} from "../data/index.js";
import { sequentialRamp, type Ground, divergingScale, type ColourScale } from "../draw/colours.js";
import {
  dimensionAt,
  layoutDimensions,
  type DimensionsLayout,
  paintDimensions,
  paintPointed,
  weightInk,
  type DimensionStrips,
  productsOf,
} from "../draw/dimensions.js";
import { type Rect, rowAt, cellOfToken, valueAt } from "../draw/layout.js";
import { paintSigns, SIGNS_HEIGHT, type Sign } from "../draw/legend.js";
import { formatValue } from "../draw/text.js";
import type { Brush, Inks } from "../draw/theme.js";
import { formatNumber, message } from "../i18n/index.js";
import { emit } from "./events.js";
import {
  ScrolledFigure,
  type Point,
  type PrintedLegend,
  type Room,
  type View,
} from "./matrix/scrolled-figure.js";
import { MATRIX, STAGE, VECTORS, given, listOf, orNull, record } from "./shared/checked.js";
import { Memo, define } from "./shared/controllers.js";
import { matrixStyles, baseStyles, stageStyles } from "./shared/base-styles.js";
import { moveInGrid } from "./shared/grid-navigation.js";

const dimensionsStyles = css`
  .query {
    display: inline-flex;
    gap: 10px;
    align-items: center;
    margin-bottom: 8px;
    color: var(--_muted);
    font-size: 12.5px;
  }

  select {
    max-width: 220px;
    padding: 4px 6px;
    border: 1px solid var(--_line);
    border-radius: 4px;
    background: var(--_paper);
    color: var(--_ink);
    font: inherit;
    font-size: 13px;
  }

  caption {
    padding-bottom: 6px;
    color: var(--_muted);
    text-align: left;
  }

  @media (pointer: coarse) {
    select {
      min-height: 40px;
    }
  }
`;

/**
 * How one query comes to its weights: its vector times each key's, number by number, their sum, scaled, and after
 * the softmax. Sums and weights are the engine's; only the single products are taken here.
 *
 * @fires headscope-cell-hover - the pair under the pointer or the keyboard, or null
 * @fires headscope-cell-lock - the pair to hold, or null to let go; the choice of another query holds its strongest pair
 * @fires headscope-cell-toggle - the pair to block or to allow again
 */
export class HeadscopeDimensions extends ScrolledFigure<DimensionsLayout> {
  static override styles = [baseStyles, stageStyles, matrixStyles, dimensionsStyles];

  /** The head's patterns `[query, key]`, all of one size. */
  @given(orNull(record({ raw: MATRIX, scores: MATRIX, masked: MATRIX, weights: MATRIX })))
  stages: Record<Stage, Tensor> | null = null;
  /** `[position, head_dim]`, for as many queries and keys; the numbers are shown without them. */
  @given(orNull(record({ query: VECTORS, key: VECTORS }))) vectors: HeadVectors | null = null;

  /** Stages that an edit makes otherwise than by q · k, ÷ √d and softmax: they go by their own names. */
  @given(listOf(STAGE)) unusual: readonly Stage[] = [];

  /** The dimension under the pointer. */
  @state() private dimension: number | null = null;

  private readonly vectorScale = new Memo<ColourScale>();
  private readonly multiplied = new Memo<DimensionStrips>();

  protected override get matrix(): Tensor | null {
    return this.stages?.weights ?? null;
  }

  private get dimensions(): number {
    return this.vectors?.query.shape[1] ?? 0;
  }

  /** The query whose row is shown. */
  private get query(): number {
    return this.shown?.query ?? 0;
  }

  protected override get shape(): readonly unknown[] {
    return [this.dimensions];
  }

  protected override get name(): string {
    return message("figure.dimensions", {
      query: this.labels.queries[this.query] ?? "",
      keys: formatNumber(this.columns),
      dimensions: formatNumber(this.dimensions),
    });
  }

  protected override get help(): string {
    return message("figure.helpDimensions");
  }

  private strips(ground: Ground): DimensionStrips | null {
    const { vectors, query, dimensions } = this;
    // While a text changes, vectors and patterns may be of two sizes for a moment.
    if (vectors?.query.shape[0] !== this.rows || vectors.key.shape[0] !== this.columns) return null;
    const vectorScale = this.vectorScale.get([vectors, ground], () =>
      divergingScale(joined(vectors.query.data, vectors.key.data), ground),
    );
    return this.multiplied.get([vectors, query, vectorScale], () => {
      const products = productsOf(vectors, query);
      return {
        query: vectors.query.data.subarray(query * dimensions, (query + 1) * dimensions),
        keys: vectors.key.data,
        products,
        vectorScale,
        productScale: divergingScale(products, ground),
      };
    });
  }

  protected override place(
    inks: Inks,
    { width, ratio, comfortableHeight, labels: most }: Room,
  ): DimensionsLayout {
    const labels = this.labelWidths(inks, most);
    const { columns: rows, dimensions } = this;
    return layoutDimensions({
      rows,
      dimensions,
      width,
      ratio,
      comfortableHeight,
      keyLabel: Math.min(most.key, Math.max(labels.key, labels.query)),
    });
  }

  protected override cellAt({ y }: Point, layout: DimensionsLayout): Cell | null {
    const key = rowAt(layout, this.offset, y, this.columns);
    return key === null ? null : { query: this.query, key };
  }

  protected override point(at: Point | null): void {
    this.dimension = at && this.layout ? dimensionAt(this.layout, at.x) : null;
  }

  /** Up and down move from key to key, left and right from query to query. */
  override step(key: string): Cell | null {
    const { cursor } = this;
    const to = moveInGrid(key, { row: cursor.key, column: cursor.query }, this.columns, this.rows);
    if (!to) return null;
    this.dimension = null;
    const cell = { query: to.column, key: to.row };
    this.reveal(cell);
    return cell;
  }

  protected override rowOf(cell: Cell): number {
    return cell.key;
  }

  protected override rectOf({ key }: Cell, { keys, top, pitch }: DimensionsLayout): Rect {
    return { x: keys, y: top + key * pitch, width: 0, height: pitch };
  }

  protected override reading(cell: Cell): string {
    const { stages, dimension } = this;
    if (!stages) return "";
    const strips = this.hasUpdated ? this.strips(this.look.inks.ground) : null;
    if (dimension !== null && strips) return this.product(strips, dimension, cell.key);
    const usual = !this.unusual.includes("raw") && !this.unusual.includes("scores");
    const said = message(usual ? "dimensions.pair" : "dimensions.pairEdited", {
      raw: formatValue(valueAt(stages.raw, cell)),
      scores: formatValue(valueAt(stages.scores, cell)),
      weight: formatValue(valueAt(stages.weights, cell)),
    });
    if (this.isBlocked(cell)) return `${said} · ${message("figure.blockedCell")}`;
    return isForbidden(valueAt(stages.masked, cell))
      ? `${said} · ${message("figure.forbidden")}`
      : said;
  }

  private product(
    { query, keys, products }: DimensionStrips,
    dimension: number,
    key: number,
  ): string {
    const at = key * this.dimensions + dimension;
    return message("dimensions.product", {
      dimension: dimension + 1,
      query: formatValue(query[dimension] ?? NaN),
      key: formatValue(keys[at] ?? NaN),
      product: formatValue(products[at] ?? NaN),
    });
  }

  protected override still(inks: Inks): readonly unknown[] {
    return [this.strips(inks.ground), this.stages, this.query, this.blocked, this.unusual];
  }

  protected override paintStill(
    brush: Brush,
    layout: DimensionsLayout,
    inks: Inks,
    { scroll }: View,
  ): void {
    const { stages, query } = this;
    if (!stages) return;
    const scene = {
      scroll,
      query,
      stages,
      strips: this.strips(inks.ground),
      weightInk: weightInk(sequentialRamp("blue", inks.ground)),
      blocked: this.blocked.filter((cell) => cell.query === query).map(({ key }) => key),
      titles: { ...this.titles, query: "q", keys: "k", products: "q ⊙ k", vectors: "q, k" },
    };
    paintDimensions(brush, layout, scene, inks);
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

  protected override paintMoving(
    brush: Brush,
    layout: DimensionsLayout,
    inks: Inks,
    { scroll, focused, labels: most }: View,
  ): void {
    const { labels, query, dimension } = this;
    const scene = {
      scroll,
      query: labels.queries[query] ?? "",
      keys: labels.keys,
      room: most.key,
      focused,
      locked: this.inside(this.locked),
      dimension,
    };
    paintPointed(brush, layout, scene, inks);
  }

  protected override renderPicture(): TemplateResult {
    const option = (label: string, index: number): string =>
      message("dimensions.option", { position: index + 1, query: label });
    return html`<label class="query" part="controls">
        ${message("dimensions.query")}
        <select @change=${this.chooseQuery}>
          ${this.labels.queries.map((label, index) => html`<option value=${index} .selected=${index === this.query}>${option(label, index)}</option>`)}
        </select>
      </label>
      ${super.renderPicture()}`;
  }

  protected override renderFoot(): TemplateResult | typeof nothing {
    return this.forbids
      ? html`<span class="sign" part="legend"><i class="forbidden"></i>${message("figure.forbidden")}</span>`
      : nothing;
  }

  /** Whether the query may not look at some key. */
  private get forbids(): boolean {
    const { stages, query } = this;
    return (
      stages !== null &&
      Array.from({ length: this.columns }, (_, key) => valueAt(stages.masked, { query, key })).some(
        isForbidden,
      )
    );
  }

  protected readonly printWidth = 880;

  protected override printLegend(inks: Inks): PrintedLegend | null {
    const signs: Sign[] = [
      ...(this.forbids ? [{ kind: "forbidden" as const, words: message("figure.forbidden") }] : []),
      ...this.blockedSign(),
    ];
    return signs.length === 0
      ? null
      : { height: SIGNS_HEIGHT, paint: (brush, x, y) => paintSigns(brush, x, y, signs, inks) };
  }

  protected override renderTable(): TemplateResult | typeof nothing {
    const { stages, labels, query, shown } = this;
    if (!stages) return nothing;
    const strips = this.strips(this.look.inks.ground);
    return html`${keysTable({ ...labels, query, stages, titles: this.titles })}
    ${strips && shown ? pairTable({ ...labels, cell: shown, strips, dimensions: this.dimensions, sum: this.unusual.includes("raw") ? null : valueAt(stages.raw, shown) }) : nothing}`;
  }

  private readonly chooseQuery = (event: Event): void => {
    const { matrix } = this;
    if (!(event.target instanceof HTMLSelectElement) || !matrix) return;
    emit(this, "headscope-cell-lock", cellOfToken(matrix, "query", Number(event.target.value)));
  };
}

function joined(one: Float32Array, other: Float32Array): Float32Array {
  const both = new Float32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

interface Rows {
  caption: string;
  columns: readonly string[];
  rows: readonly { name: string; values: readonly number[] }[];
}

interface KeysContent {
  queries: readonly string[];
  keys: readonly string[];
  query: number;
  stages: Record<Stage, Tensor>;
  titles: { raw: string; scores: string; weights: string };
}

interface PairContent {
  queries: readonly string[];
  keys: readonly string[];
  cell: Cell;
  strips: DimensionStrips;
  dimensions: number;
  /** The engine's own sum of the products; null where an edit has it take none. */
  sum: number | null;
}

/** What one query's row of every stage says of each key. */
export function keysTable({ queries, keys, query, stages, titles }: KeysContent): TemplateResult {
  return table({
    caption: message("dimensions.keysTable", { query: queries[query] ?? "" }),
    columns: [
      message("figure.key"),
      titles.raw,
      titles.scores,
      message("stage.masked"),
      titles.weights,
    ],
    rows: keys.map((name, key) => ({
      name,
      values: [stages.raw, stages.scores, stages.masked, stages.weights].map((stage) =>
        valueAt(stage, { query, key }),
      ),
    })),
  });
}

/** One pair, dimension by dimension, with what it adds up to. */
export function pairTable({
  queries,
  keys,
  cell,
  strips,
  dimensions,
  sum,
}: PairContent): TemplateResult {
  const value = (data: Float32Array, dimension: number): number =>
    data[cell.key * dimensions + dimension] ?? NaN;
  const rows = Array.from(strips.query, (number, dimension) => ({
    name: String(dimension + 1),
    values: [number, value(strips.keys, dimension), value(strips.products, dimension)],
  }));
  return table({
    caption: message("dimensions.pairTable", {
      query: queries[cell.query] ?? "",
      key: keys[cell.key] ?? "",
    }),
    columns: [message("figure.dimension"), "q", "k", "q ⊙ k"],
    rows:
      sum === null ? rows : [...rows, { name: message("dimensions.sum"), values: [NaN, NaN, sum] }],
  });
}

function table({ caption, columns, rows }: Rows): TemplateResult {
  return html`<div class="numbers" part="table" role="region" aria-label=${caption} tabindex="0">
    <table>
      <caption>${caption}</caption>
      <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
      <tbody>
        ${rows.map(
          ({ name, values }) =>
            html`<tr><th scope="row"><bdi>${name}</bdi></th>${values.map((value) => html`<td>${Number.isNaN(value) ? "" : formatValue(value)}</td>`)}</tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

define("headscope-dimensions", HeadscopeDimensions);
