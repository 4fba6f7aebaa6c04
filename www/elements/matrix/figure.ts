import { LitElement, html, nothing, type TemplateResult } from "lit";
import { property, query, state } from "lit/decorators.js";
import type { Cell, Tensor, Token } from "../../data/index.js";
import { paintAxes } from "../../draw/axes.js";
import { cellAt, cellRect, layoutMatrix, type MatrixLayout } from "../../draw/layout.js";
import { paintLegend, paintMass } from "../../draw/legend.js";
import { paintPlot } from "../../draw/plot.js";
import type { Print } from "../../draw/print.js";
import type { ColourScale } from "../../draw/scale.js";
import type { Sign } from "../../draw/signs.js";
import { LABEL_SIZE, labelFont, type Inks } from "../../draw/theme.js";
import { LanguageController, language, message } from "../../i18n/index.js";
import { InkController } from "../shared/inks.js";
import { Kept } from "../shared/kept.js";
import { SizeController } from "../shared/size.js";
import { tokenLabels } from "../shared/token-label.js";
import { cellImage, measurer, sizedBrush } from "./canvas.js";
import { MatrixPointer, type MatrixPad } from "./pointer.js";
import { printMatrix } from "./print.js";
import { numbersTable } from "./table.js";
import { tip } from "./tip.js";

/** What a kind of matrix figure decides for itself. */
export interface MatrixContent {
  scale: ColourScale;
  /** The accessible name. */
  name: string;
  /** What the legend's numbers are, or null for a figure without a legend. */
  legend: string | null;
  /** The sum of each column, or null where a sum would mean nothing. */
  mass: Float64Array | null;
  /** What the signs on the cells mean, where the legend does not say it. */
  signs: Sign[];
  /** Words under the figure. */
  foot: TemplateResult | typeof nothing;
}

interface Labels {
  queries: string[];
  keys: string[];
}

const NARROW = 560;
const LEGEND_TEXT = 48;
const LABEL_ROOM = { wide: { query: 112, key: 96 }, narrow: { query: 72, key: 64 } };

/** A matrix of queries and keys with labels, crosshair, pointer, keyboard and table; its kinds say what to draw. */
export abstract class MatrixFigure extends LitElement implements MatrixPad {
  @property({ attribute: false }) queries: Token[] = [];
  @property({ attribute: false }) keys: Token[] = [];
  /** Cells that the reader blocked, hatched in the accent. */
  @property({ attribute: false }) blocked: Cell[] = [];
  /** Rows that may look at nothing. */
  @property({ attribute: false }) fullyMasked: number[] = [];
  @property({ attribute: false }) focused: Cell | null = null;
  @property({ attribute: false }) locked: Cell | null = null;
  /** While set, a click toggles a cell instead of locking it. */
  @property({ type: Boolean }) blocking = false;

  /** The height in CSS pixels that the cells should keep to; a long text grows beyond it rather than lose its labels. */
  @property({ type: Number, attribute: "comfortable-height" }) comfortableHeight = 440;

  @state() hovered: Cell | null = null;
  @state() touched = false;
  @state() private tabled = false;
  @query(".cells") private cells!: HTMLCanvasElement | null;
  @query(".axes") private axes!: HTMLCanvasElement | null;

  protected readonly look = new InkController(this);
  private readonly size = new SizeController(this);
  private readonly pointer = new MatrixPointer(this);
  private readonly named = new Kept<Labels>();
  private readonly placed = new Kept<MatrixLayout>();
  private readonly image = new Kept<OffscreenCanvas | null>();
  private readonly painted = new Kept<void>();
  private labels: Labels = { queries: [], keys: [] };
  private layout: MatrixLayout | null = null;
  private content: MatrixContent | null = null;

  constructor() {
    super();
    new LanguageController(this);
  }

  /** The matrix to draw. */
  protected abstract get matrix(): Tensor | null;

  /** The picture of the present matrix. Called once per update, so expensive parts are the kind's to keep. */
  protected abstract describe(matrix: Tensor, inks: Inks): MatrixContent;

  get rows(): number {
    return this.matrix?.shape[0] ?? 0;
  }

  get columns(): number {
    return this.matrix?.shape[1] ?? 0;
  }

  /** A matrix whose labels do not match its shape would be read wrongly, so it is not drawn. */
  private get labelled(): boolean {
    return this.queries.length === this.rows && this.keys.length === this.columns;
  }

  get cursor(): Cell {
    const { query: row, key } = this.hovered ?? this.focused ?? this.locked ?? { query: 0, key: 0 };
    return { query: Math.min(row, this.rows - 1), key: Math.min(key, this.columns - 1) };
  }

  cellUnder(event: MouseEvent): Cell | null {
    const box = this.axes?.getBoundingClientRect();
    return this.layout && box ? cellAt(this.layout, event.clientX - box.x, event.clientY - box.y) : null;
  }

  private inside(cell: Cell | null): Cell | null {
    return cell && cell.query < this.rows && cell.key < this.columns ? cell : null;
  }

  /** The inks that it is painted with on the page. */
  get inks(): Inks {
    return this.look.inks;
  }

  /** The picture apart from the page, in its own size: without what only the pointer shows. Null when there is none. */
  print(inks: Inks): Print | null {
    const { matrix, blocked, fullyMasked } = this;
    if (!matrix || !this.labelled || matrix.data.length === 0) return null;
    const labels = { queries: tokenLabels(this.queries), keys: tokenLabels(this.keys) };
    const scene = { matrix, ...labels, blocked, fullyMasked, locked: this.inside(this.locked) };
    return printMatrix(scene, this.describe(matrix, inks), inks);
  }

  /** `focused = hovered ?? locked`, with the page's own word for it in between. */
  private get shown(): Cell | null {
    return this.inside(this.hovered) ?? this.inside(this.focused) ?? this.inside(this.locked);
  }

  protected override willUpdate(): void {
    const { matrix } = this;
    // Colours can be read only once there is something to read them from.
    if (!matrix || !this.hasUpdated || !this.labelled) {
      this.content = null;
      return;
    }
    const { inks } = this.look;
    this.content = this.describe(matrix, inks);
    const { content, queries, keys } = this;
    const { width, ratio } = this.size;
    const parts = [content.legend === null, content.mass === null];
    this.labels = this.named.get([queries, keys, language()], () => ({
      queries: tokenLabels(queries),
      keys: tokenLabels(keys),
    }));
    const inputs = [this.labels, this.rows, this.columns, width, ratio, this.comfortableHeight, inks, ...parts];
    this.layout = width > 0 ? this.placed.get(inputs, () => this.place(content, inks)) : null;
  }

  private get room(): { query: number; key: number } {
    return this.size.width < NARROW ? LABEL_ROOM.narrow : LABEL_ROOM.wide;
  }

  private place(content: MatrixContent, inks: Inks): MatrixLayout {
    const measure = measurer(labelFont(inks, "bold"), LABEL_SIZE);
    const longest = (labels: string[], room: number): number =>
      Math.min(room, Math.ceil(labels.reduce((most, label) => Math.max(most, measure(label)), 0)));
    const { room } = this;
    return layoutMatrix({
      rows: this.rows,
      columns: this.columns,
      width: this.size.width,
      ratio: this.size.ratio,
      comfortableHeight: this.comfortableHeight,
      queryLabel: Math.max(longest(this.labels.queries, room.query), 48),
      keyLabel: longest(this.labels.keys, room.key),
      legendText: content.legend === null ? null : LEGEND_TEXT,
      marginalText: content.mass ? Math.ceil(measure(message("figure.mass"))) + 8 : null,
    });
  }

  protected override render(): TemplateResult {
    const { matrix, layout, content } = this;
    if (!matrix || this.rows === 0 || this.columns === 0) {
      return html`<p class="empty">${message("figure.empty")}</p>`;
    }
    if (!this.labelled) {
      const { rows, columns, queries, keys } = this;
      return html`<p class="empty">
        ${message("figure.misfit", { rows, columns, queries: queries.length, keys: keys.length })}
      </p>`;
    }
    const size = layout ? `width: ${layout.width}px; height: ${layout.height}px` : "";
    return html`
      <div class="frame">
        <div
          class="stage"
          style=${size}
          role="application"
          tabindex="0"
          aria-label=${content?.name ?? ""}
          aria-describedby="help"
          @pointermove=${this.pointer.moved}
          @pointerdown=${this.pointer.moved}
          @pointerleave=${this.pointer.left}
          @blur=${this.pointer.left}
          @click=${this.pointer.clicked}
          @keydown=${this.pointer.pressed}
        >
          <canvas class="cells" aria-hidden="true"></canvas>
          <canvas class="axes" aria-hidden="true"></canvas>
          ${this.tip()}
        </div>
      </div>
      <p id="help" class="heard">${message("figure.help")}</p>
      <p class="heard" aria-live="polite">${this.spoken()}</p>
      <div class="foot">
        ${content?.foot ?? nothing}
        <button aria-expanded=${this.tabled} @click=${() => (this.tabled = !this.tabled)}>
          ${message(this.tabled ? "figure.hideNumbers" : "figure.showNumbers")}
        </button>
      </div>
      ${this.tabled && content
        ? numbersTable({
            caption: content.name,
            data: matrix.data,
            queries: this.labels.queries,
            keys: this.labels.keys,
            query: this.shown?.query ?? 0,
          })
        : nothing}
    `;
  }

  /** What a cell says beside its two tokens. */
  protected abstract reading(cell: Cell): string;

  protected isBlocked(cell: Cell): boolean {
    return this.blocked.some(({ query: row, key }) => row === cell.query && key === cell.key);
  }

  /** What the hatching in the accent means, where there is any. */
  protected blockedSign(): Sign[] {
    return this.blocked.length === 0 ? [] : [{ kind: "blocked", words: message("figure.blockedCell") }];
  }

  private spoken(): string {
    const cell = this.shown;
    if (!cell) return "";
    const [from, to] = [this.labels.queries[cell.query] ?? "", this.labels.keys[cell.key] ?? ""];
    return message("figure.cell", { query: from, key: to, value: this.reading(cell) });
  }

  private tip(): TemplateResult | typeof nothing {
    const cell = this.inside(this.hovered) ?? (this.touched ? this.inside(this.locked) : null);
    if (!cell || !this.layout) return nothing;
    const words = {
      query: this.labels.queries[cell.query] ?? "",
      key: this.labels.keys[cell.key] ?? "",
      value: this.reading(cell),
    };
    return tip(words, cellRect(this.layout, cell), this.layout.width);
  }

  protected override updated(): void {
    if (!this.content || !this.layout) return;
    this.paintCells(this.content, this.layout);
    this.paintOverlay(this.layout);
  }

  /** Repaints the cells only when something that they show has changed: hovering must not. */
  private paintCells(content: MatrixContent, layout: MatrixLayout): void {
    const { matrix, cells } = this;
    const { inks } = this.look;
    if (!matrix || !cells) return;
    const { scale, legend, mass } = content;
    const { blocked, fullyMasked } = this;
    const image = this.image.get([matrix, scale], () => cellImage(matrix.data, scale, this.rows, this.columns));
    this.painted.get([cells, image, legend, mass, blocked, fullyMasked, inks, layout, language()], () => {
      const brush = sizedBrush(cells, layout.width, layout.height, this.size.ratio);
      if (!brush || !image) return;
      paintPlot(brush, layout, { image, data: matrix.data, blocked, fullyMasked }, inks);
      if (legend !== null && layout.legend) paintLegend(brush, layout.legend, scale, legend, inks);
      if (mass) paintMass(brush, layout, mass, message("figure.mass"), inks);
    });
  }

  private paintOverlay(layout: MatrixLayout): void {
    const brush = this.axes && sizedBrush(this.axes, layout.width, layout.height, this.size.ratio);
    if (!brush) return;
    const scene = {
      ...this.labels,
      queryRoom: this.room.query,
      keyRoom: this.room.key,
      corner: { query: message("figure.query"), key: message("figure.key") },
      focused: this.shown,
      locked: this.inside(this.locked),
      fullyMasked: this.fullyMasked,
    };
    paintAxes(brush, layout, scene, this.look.inks);
  }
}
