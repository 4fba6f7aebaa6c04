import { html, nothing, svg, type TemplateResult } from "lit";
import { query, state } from "lit/decorators.js";
import type { DirectiveResult } from "lit/directive.js";
import { guard } from "lit/directives/guard.js";
import type { Tensor } from "../../data/index.js";
import { formatValue } from "../../draw/format.js";
import { paintLegend } from "../../draw/legend.js";
import { divergingScale, type ColourScale } from "../../draw/scale.js";
import { layoutStrip, stripCellAt, type StripCell, type StripLayout } from "../../draw/strip.js";
import { paintStrip, paintStripMark } from "../../draw/strip-paint.js";
import type { Print } from "../../draw/print.js";
import type { Inks } from "../../draw/theme.js";
import { columnOf, sampleColumns, wavePath } from "../../draw/waves.js";
import { formatNumber, LanguageController, language, message } from "../../i18n/index.js";
import { cellImage, sizedBrush } from "../matrix/canvas.js";
import { numbersTable, numbersToggle } from "../matrix/table.js";
import { tableStyles } from "../matrix/table-styles.js";
import { InkController } from "../shared/inks.js";
import { Memo } from "../shared/memo.js";
import { baseStyles } from "../shared/base-styles.js";
import { SizeController } from "../shared/size.js";
import { stageStyles } from "../shared/stage-styles.js";
import { styled } from "../shared/styled.js";
import { isShortcut, moveInGrid } from "../shared/grid-navigation.js";
import { printPositions } from "./print.js";
import { positionsStyles } from "./styles.js";
import { PositionWords } from "./words.js";
import { CheckedElement, given, orNull, tensor } from "../shared/checked.js";

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
  @state() private tabled = false;
  @query(".cells") private cells!: HTMLCanvasElement | null;
  @query(".marks") private marks!: HTMLCanvasElement | null;

  private readonly look = new InkController(this);
  private readonly size = new SizeController(this);
  private layout: StripLayout | null = null;
  private readonly scale = new Memo<ColourScale>();
  private readonly image = new Memo<OffscreenCanvas | null>();
  private readonly place = new Memo<StripLayout | null>();
  private readonly painted = new Memo<void>();

  constructor() {
    super();
    new LanguageController(this);
  }

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
    return this.look.inks;
  }

  /** The picture apart from the page, in its own size. Null when there is none. */
  print(inks: Inks): Print | null {
    return this.tensor && printPositions(this.tensor, inks);
  }

  protected override willUpdate(): void {
    const { width, ratio } = this.size;
    const { positions, dimensions } = this;
    this.layout = this.place.get([positions, dimensions, width, ratio], () =>
      width > 0 ? layoutStrip(positions, dimensions, width, ratio) : null,
    );
    const { hovered } = this;
    if (hovered && (hovered.position >= this.positions || hovered.dimension >= this.dimensions))
      this.hovered = null;
    this.dimension = Math.min(this.dimension, Math.max(0, this.dimensions - 1));
    this.position = Math.min(this.position, Math.max(0, this.positions - 1));
  }

  protected override render(): TemplateResult {
    if (this.positions === 0 || this.dimensions === 0)
      return html`<p class="empty" part="empty">${message("figure.empty")}</p>`;
    const { words } = this;
    return html`
      <p class="axes" aria-hidden="true">${words.rows} ↓ &ensp; ${words.columns} →</p>
      <div
        class="stage"
        part="picture"
        style=${styled(this.layout ? { height: `${this.layout.height}px` } : {})}
        role="application"
        tabindex="0"
        aria-label=${words.name(this.positions, this.dimensions)}
        aria-describedby="help"
        @pointermove=${this.moved}
        @pointerdown=${this.moved}
        @click=${this.clicked}
        @pointerleave=${this.left}
        @blur=${this.left}
        @keydown=${this.pressed}
      >
        <canvas class="cells" part="canvas" aria-hidden="true"></canvas>
        <canvas class="marks" part="canvas" aria-hidden="true"></canvas>
      </div>
      <p id="help" class="heard">${message("figure.helpPositions")}</p>
      <p class="reading" part="value" aria-live="polite">${this.reading()}</p>
      <div class="foot" part="foot">${numbersToggle(this.tabled, () => (this.tabled = !this.tabled))}</div>
      ${this.tabled ? this.table() : nothing}
      ${this.waves()}
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
    const { tensor, words, position, positions, dimensions } = this;
    if (!tensor) return nothing;
    const named = (count: number, nameOf: (index: number) => string): string[] =>
      Array.from({ length: count }, (_, index) => nameOf(index));
    return guard([tensor, position, language()], () =>
      numbersTable({
        caption: words.name(positions, dimensions),
        data: tensor.data,
        queries: named(positions, (row) => words.rowNumber(row)),
        keys: named(dimensions, (column) => formatNumber(column + 1)),
        corner: { query: words.rows, key: words.columns },
        query: position,
      }),
    );
  }

  private waves(): TemplateResult | typeof nothing {
    const { tensor } = this;
    if (!tensor) return nothing;
    const fixed = sampleColumns(this.dimensions).filter((column) => column !== this.dimension);
    return html`<section aria-label=${this.words.waves}>
      <h3 part="caption">${this.words.waves}</h3>
      ${[this.dimension, ...fixed].map((column, index) => this.wave(tensor, column, index === 0))}
    </section>`;
  }

  private wave(tensor: Tensor, column: number, pointed: boolean): TemplateResult {
    const values = columnOf(tensor.data, this.dimensions, column);
    const reach = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const at =
      this.hovered &&
      ((this.hovered.position / Math.max(1, this.positions - 1)) * WAVE.width).toFixed(1);
    const middle = WAVE.height / 2;
    return html`<div class="wave ${pointed ? "pointed" : ""}">
      <span>${this.words.column(column)}</span>
      <svg viewBox="0 -3 ${WAVE.width} ${WAVE.height + 6}" preserveAspectRatio="none" aria-hidden="true">
        ${svg`<path class="zero" d="M0 ${middle}H${WAVE.width}" />`}
        ${at === null ? nothing : svg`<path class="at" d="M${at} -3V${WAVE.height + 3}" />`}
        ${svg`<path class="line" d=${wavePath(values, WAVE.width, WAVE.height, reach)} />`}
      </svg>
      <span class="reach">±${formatValue(reach)}</span>
    </div>`;
  }

  protected override updated(): void {
    const { tensor, layout, cells, marks } = this;
    if (!tensor || !layout || !cells || !marks) return;
    const { inks } = this.look;
    const scale = this.scale.get([tensor, inks.ground], () =>
      divergingScale(tensor.data, inks.ground),
    );
    const image = this.image.get([scale], () =>
      cellImage(tensor.data, scale, this.positions, this.dimensions),
    );
    this.painted.get([cells, image, inks, layout, language()], () => {
      const brush = sizedBrush(cells, layout.width, layout.height, this.size.ratio);
      if (!brush || !image) return;
      paintStrip(brush, layout, image, inks);
      paintLegend(brush, layout.legend, scale, message("figure.value"), inks);
    });
    const brush = sizedBrush(marks, layout.width, layout.height, this.size.ratio);
    if (brush && this.hovered) paintStripMark(brush, layout, this.hovered, inks);
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
    const step = moveInGrid(
      event.key,
      { row: at.position, column: at.dimension },
      this.positions,
      this.dimensions,
    );
    if (!step || isShortcut(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.point({ position: step.row, dimension: step.column });
    this.position = step.row;
  };
}
