import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import {
  isForbidden,
  type Cell,
  type HeadVectors,
  type Stage,
  type Tensor,
} from "../data/index.js";
import { divergingScale, sequentialRamp, type Ground } from "../draw/colours.js";
import {
  dimensionAt,
  layoutDimensions,
  paintDimensions,
  paintPointed,
  productsOf,
  weightInk,
  type DimensionsLayout,
  type DimensionStrips,
} from "../draw/dimensions.js";
import { cellOfToken, rowAt, valueAt, type Rect } from "../draw/layout.js";
import { paintSigns, SIGNS_HEIGHT, type Sign } from "../draw/legend.js";
import { formatValue } from "../draw/text.js";
import type { Inks, Pen } from "../draw/theme.js";
import { formatNumber, message } from "../i18n/index.js";
import { emit } from "./events.js";
import { labelWidths } from "./matrix/pair-figure.js";
import {
  ScrolledFigure,
  type PrintedLegend,
  type Room,
  type View,
} from "./matrix/scrolled-figure.js";
import { dataTable } from "./matrix/table.js";
import { matrixStyles } from "./shared/base-styles.js";
import { given, listOf, MATRIX, orNull, record, STAGE, VECTORS } from "./shared/checked.js";
import { define } from "./shared/controllers.js";
import type { Point } from "./shared/figure.js";
import { moveInGrid } from "./shared/grid-navigation.js";

const dimensionsStyles = css`
  .controls {
    display: inline-flex;
    gap: 10px;
    align-items: center;
    margin-bottom: 8px;
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

  @media (pointer: coarse) {
    select {
      min-height: 40px;
    }
  }
`;

/**
 * How the weights of one query arise: the products of its vector with each key's, their sum, the scaled sum, and the
 * softmax. Sums and weights are the engine's; only the single products are computed here.
 *
 * @fires headscope-cell-hover - the pair under the pointer or the keyboard, or null
 * @fires headscope-cell-lock - the pair to lock, or null to unlock; the choice of another query locks its strongest pair
 * @fires headscope-cell-toggle - the pair to block or to allow again
 */
export class HeadscopeDimensions extends ScrolledFigure<DimensionsLayout> {
  static override styles = [matrixStyles, dimensionsStyles];

  /** The head's patterns `[query, key]`, all of one size. */
  @given(orNull(record({ raw: MATRIX, scores: MATRIX, masked: MATRIX, weights: MATRIX })))
  stages: Record<Stage, Tensor> | null = null;
  /** `[position, head_dim]`; the sums are shown without them. */
  @given(orNull(record({ query: VECTORS, key: VECTORS }))) vectors: HeadVectors | null = null;

  /** Stages that an edit computes in another way than q · k, ÷ √d and softmax: they have their own names. */
  @given(listOf(STAGE)) unusual: readonly Stage[] = [];

  /** The dimension under the pointer. */
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
    // While a text changes, vectors and patterns may have different sizes.
    if (vectors?.query.shape[0] !== this.rows || vectors.key.shape[0] !== this.columns) return null;
    const [queries, keys] = [vectors.query.data, vectors.key.data];
    const vectorScale = this.memo("vectorScale", [vectors, ground], () => {
      const both = new Float32Array(queries.length + keys.length);
      both.set(queries);
      both.set(keys, queries.length);
      return divergingScale(both, ground);
    });
    return this.memo("strips", [vectors, query, vectorScale], () => {
      const products = productsOf(vectors, query);
      return {
        query: queries.subarray(query * dimensions, (query + 1) * dimensions),
        keys,
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
    const labels = labelWidths(this.labels, most, inks);
    return layoutDimensions({
      rows: this.columns,
      dimensions: this.dimensions,
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

  protected override rowOf(cell: Cell): number {
    return cell.key;
  }

  protected override rectOf({ key }: Cell, { keys, top, pitch }: DimensionsLayout): Rect {
    return { x: keys, y: top + key * pitch, width: 0, height: pitch };
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
        key: formatValue(strips.keys[at] ?? NaN),
        product: formatValue(strips.products[at] ?? NaN),
      });
    }
    const usual = !this.unusual.includes("raw") && !this.unusual.includes("scores");
    const numbers = message(usual ? "dimensions.pair" : "dimensions.pairEdited", {
      raw: formatValue(valueAt(stages.raw, cell)),
      scores: formatValue(valueAt(stages.scores, cell)),
      weight: formatValue(valueAt(stages.weights, cell)),
    });
    if (this.isBlocked(cell)) return `${numbers} · ${message("figure.blockedCell")}`;
    return isForbidden(valueAt(stages.masked, cell))
      ? `${numbers} · ${message("figure.forbidden")}`
      : numbers;
  }

  protected override still(inks: Inks): readonly unknown[] {
    return [this.strips(inks.ground), this.stages, this.query, this.blocked, this.unusual];
  }

  protected override paintStill(pen: Pen, layout: DimensionsLayout, { scroll }: View): void {
    const { stages, query } = this;
    if (!stages) return;
    const { ground } = pen.inks;
    paintDimensions(pen, layout, {
      scroll,
      query,
      stages,
      strips: this.strips(ground),
      weightInk: weightInk(sequentialRamp("blue", ground)),
      blocked: this.blocked.filter((cell) => cell.query === query).map(({ key }) => key),
      titles: { ...this.titles, query: "q", keys: "k", products: "q ⊙ k", vectors: "q, k" },
    });
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
    pen: Pen,
    layout: DimensionsLayout,
    { scroll, focused, labels }: View,
  ): void {
    paintPointed(pen, layout, {
      scroll,
      query: this.labels.queries[this.query] ?? "",
      keys: this.labels.keys,
      room: labels.key,
      focused,
      locked: this.inside(this.locked),
      dimension: this.dimension,
    });
  }

  protected override renderPicture(): TemplateResult {
    const option = (query: string, index: number): TemplateResult => {
      const words = message("dimensions.option", { position: index + 1, query });
      return html`<option value=${index} .selected=${index === this.query}>${words}</option>`;
    };
    return html`<label class="controls" part="controls">
        ${message("dimensions.query")}
        <select @change=${this.chooseQuery}>${this.labels.queries.map(option)}</select>
      </label>
      ${super.renderPicture()}`;
  }

  protected override renderFoot(): TemplateResult | typeof nothing {
    return this.masks
      ? html`<span class="sign" part="legend"><i class="forbidden"></i>${message("figure.forbidden")}</span>`
      : nothing;
  }

  /** Whether a key is masked for the query. */
  private get masks(): boolean {
    const { stages, query, columns } = this;
    return (
      stages?.masked.data.subarray(query * columns, (query + 1) * columns).some(isForbidden) ??
      false
    );
  }

  protected override printLegend(): PrintedLegend | null {
    const words = message("figure.forbidden");
    const forbidden: Sign[] = this.masks ? [{ kind: "forbidden", words }] : [];
    const signs = [...forbidden, ...this.blockedSign()];
    return signs.length === 0
      ? null
      : { height: SIGNS_HEIGHT, paint: (pen, x, y) => paintSigns(pen, x, y, signs) };
  }

  /** A table of the query's row of every stage, and one of the pair in focus, dimension by dimension. */
  protected override renderTable(): TemplateResult | typeof nothing {
    const { stages, labels, query, shown, titles, dimensions } = this;
    if (!stages) return nothing;
    const strips = this.strips(this.inks.ground);
    const { raw, scores, masked, weights } = stages;
    const keys = dataTable({
      caption: message("dimensions.keysTable", { query: labels.queries[query] ?? "" }),
      hidden: false,
      columns: [
        message("figure.key"),
        titles.raw,
        titles.scores,
        message("stage.masked"),
        titles.weights,
      ],
      rows: labels.keys.map((name, key) => ({
        name,
        cells: [raw, scores, masked, weights].map((stage) =>
          formatValue(valueAt(stage, { query, key })),
        ),
      })),
    });
    if (!strips || !shown) return keys;
    const at = shown.key * dimensions;
    const rows = Array.from(strips.query, (number, dimension) => ({
      name: String(dimension + 1),
      cells: [number, strips.keys[at + dimension], strips.products[at + dimension]].map((value) =>
        formatValue(value ?? NaN),
      ),
    }));
    // The engine's sum, not a sum of the products here.
    const sum = {
      name: message("dimensions.sum"),
      cells: ["", "", formatValue(valueAt(raw, shown))],
    };
    const { query: own, key } = this.words(shown);
    return html`${keys}
    ${dataTable({
      caption: message("dimensions.pairTable", { query: own, key }),
      hidden: false,
      columns: [message("figure.dimension"), "q", "k", "q ⊙ k"],
      rows: this.unusual.includes("raw") ? rows : [...rows, sum],
    })}`;
  }

  private readonly chooseQuery = ({ target }: Event): void => {
    const { matrix } = this;
    if (!(target instanceof HTMLSelectElement) || !matrix) return;
    emit(this, "headscope-cell-lock", cellOfToken(matrix, "query", Number(target.value)));
  };
}

define("headscope-dimensions", HeadscopeDimensions);
