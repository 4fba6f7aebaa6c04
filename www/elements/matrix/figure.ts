import { html, nothing, type TemplateResult } from "lit";
import { query } from "lit/decorators.js";
import type { Cell, Tensor } from "../../data/index.js";
import { paintAxes } from "../../draw/axes.js";
import { cellAt, cellRect, layoutMatrix, type MatrixLayout } from "../../draw/layout.js";
import { paintLegend, paintMass } from "../../draw/legend.js";
import { paintPlot } from "../../draw/plot.js";
import type { Print } from "../../draw/print.js";
import type { ColourScale } from "../../draw/scale.js";
import type { Sign } from "../../draw/signs.js";
import { LABEL_SIZE, labelFont, type Inks } from "../../draw/theme.js";
import { language, message } from "../../i18n/index.js";
import { Kept } from "../shared/kept.js";
import { cellImage, measurer, sizedBrush } from "./canvas.js";
import { PairFigure } from "./pair-figure.js";
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

const LEGEND_TEXT = 48;

/** A matrix of queries and keys with labels, crosshair and legend; its kinds say what to draw. */
export abstract class MatrixFigure extends PairFigure {
  @query(".cells") private cells!: HTMLCanvasElement | null;
  @query(".axes") private axes!: HTMLCanvasElement | null;

  private readonly placed = new Kept<MatrixLayout>();
  private readonly image = new Kept<OffscreenCanvas | null>();
  private readonly painted = new Kept<void>();
  private layout: MatrixLayout | null = null;
  private content: MatrixContent | null = null;

  /** The picture of the present matrix. Called once per update, so expensive parts are the kind's to keep. */
  protected abstract describe(matrix: Tensor, inks: Inks): MatrixContent;

  cellUnder(event: MouseEvent): Cell | null {
    const box = this.axes?.getBoundingClientRect();
    return this.layout && box ? cellAt(this.layout, event.clientX - box.x, event.clientY - box.y) : null;
  }

  override print(inks: Inks): Print | null {
    const { matrix, labels, blocked, emptyRows: fullyMasked } = this;
    if (!matrix || !this.labelled || matrix.data.length === 0) return null;
    const scene = { matrix, ...labels, blocked, fullyMasked, locked: this.inside(this.locked) };
    return printMatrix(scene, this.describe(matrix, inks), inks);
  }

  protected override get name(): string {
    return this.content?.name ?? "";
  }

  protected override willUpdate(): void {
    super.willUpdate();
    const { matrix } = this;
    // Colours can be read only once there is something to read them from.
    if (!matrix || !this.hasUpdated || !this.labelled) {
      this.content = null;
      return;
    }
    const { inks } = this.look;
    this.content = this.describe(matrix, inks);
    const { content } = this;
    const { width, ratio } = this.size;
    const parts = [content.legend, content.mass === null];
    const inputs = [this.labels, this.rows, this.columns, width, ratio, this.comfortableHeight, inks, ...parts];
    this.layout = width > 0 ? this.placed.get(inputs, () => this.place(content, inks)) : null;
  }

  private place(content: MatrixContent, inks: Inks): MatrixLayout {
    const measure = measurer(labelFont(inks, "bold"), LABEL_SIZE);
    const labels = this.labelWidths(inks, this.room);
    return layoutMatrix({
      rows: this.rows,
      columns: this.columns,
      width: this.size.width,
      ratio: this.size.ratio,
      comfortableHeight: this.comfortableHeight,
      queryLabel: labels.query,
      keyLabel: labels.key,
      legendText: content.legend === null ? null : Math.max(LEGEND_TEXT, Math.ceil(measure(content.legend))),
      marginalText: content.mass ? Math.ceil(measure(message("figure.mass"))) + 8 : null,
    });
  }

  protected override renderPicture(): TemplateResult {
    const { layout } = this;
    const size = layout ? { width: `${layout.width}px`, height: `${layout.height}px` } : {};
    return html`<div class="frame">
      ${this.renderStage(
        size,
        html`<canvas class="cells" aria-hidden="true"></canvas>
          <canvas class="axes" aria-hidden="true"></canvas>
          ${this.tip()}`,
      )}
    </div>`;
  }

  protected override renderFoot(): TemplateResult | typeof nothing {
    return this.content?.foot ?? nothing;
  }

  protected override renderTable({ data }: Tensor): TemplateResult | typeof nothing {
    if (!this.content) return nothing;
    return numbersTable({ caption: this.content.name, data, ...this.labels, query: this.shown?.query ?? 0 });
  }

  private tip(): TemplateResult | typeof nothing {
    const cell = this.tipped;
    return cell && this.layout ? tip(this.words(cell), cellRect(this.layout, cell), this.layout.width) : nothing;
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
    const { blocked, emptyRows: fullyMasked } = this;
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
      fullyMasked: this.emptyRows,
    };
    paintAxes(brush, layout, scene, this.look.inks);
  }
}
