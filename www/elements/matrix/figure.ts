import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { isForbidden, type Cell, type Region, type Tensor } from "../../data/index.js";
import type { ColourScale } from "../../draw/colours.js";
import { cellAt, cellRect, layoutMatrix } from "../../draw/layout.js";
import type { LayoutRequest, MatrixLayout } from "../../draw/layout.js";
import { paintLegend, paintSigns, SIGNS_HEIGHT, type Sign } from "../../draw/legend.js";
import { MatrixPainter, type MatrixScene } from "../../draw/matrix.js";
import { canEnlarge, cutOut, inRegion, regionOf, shownOf } from "../../draw/region.js";
import { formatValue } from "../../draw/text.js";
import { LABEL_SIZE, labelFont, Pen, type Inks, type Print } from "../../draw/theme.js";
import { formatNumber, language, message } from "../../i18n/index.js";
import { matrixStyles } from "../shared/base-styles.js";
import { COUNT, given, orNull, record } from "../shared/checked.js";
import type { ClientPoint } from "../shared/figure.js";
import { cellImage, measurer, Picture } from "./canvas.js";
import { MatrixGestures, STEP, type MatrixPad } from "./gestures.js";
import { labelWidths, PairFigure, type Lengths } from "./pair-figure.js";
import { numbersTable, tip } from "./table.js";

/** What differs between the kinds of matrix figures. */
export interface MatrixContent {
  scale: ColourScale;
  name: string;
  /** What the legend's numbers are; a figure without it has no legend. */
  legend?: string;
  /** The meaning of hatched and coloured cells. */
  signs?: Sign[];
  foot?: TemplateResult;
  columnSums?: Float64Array | null;
  rowSums?: Float64Array | null;
}

/** The least width of the legend's numbers, on the page and in a file. */
const LEGEND_TEXT = { page: 48, print: 60 };
/** A matrix of at most this many rows and columns needs no zoom. */
const EASY = 24;

// A matrix figure in a file has a size that follows from the matrix alone.

/** Sides of a cell, in CSS pixels. */
const CELL = { largest: 28, legible: 14, smallest: 1 };
/** Cells shrink from the largest to a legible size to keep to the first, and further only to keep to the second. */
const SIDE = { easy: 720, most: 2048 };
const PRINT_WIDTH = 560;
const LABEL_ROOM = { query: 200, key: 200 };

function printedCell(count: number): number {
  const easy = Math.min(CELL.largest, Math.max(CELL.legible, Math.floor(SIDE.easy / count)));
  return easy * count <= SIDE.most ? easy : Math.max(CELL.smallest, Math.floor(SIDE.most / count));
}

const sumsTitle = (rowSums: Float64Array | null | undefined): string =>
  message(rowSums ? "figure.masses" : "figure.mass");

/** Lays out a matrix whose labels have these widths. */
function layOut(
  { legend, columnSums, rowSums }: MatrixContent,
  labels: Lengths,
  leastLegend: number,
  inks: Inks,
  room: Omit<LayoutRequest, "queryLabel" | "keyLabel" | "legendText" | "marginalText">,
): MatrixLayout {
  const measure = measurer(labelFont(inks, "bold"), LABEL_SIZE);
  return layoutMatrix({
    ...room,
    queryLabel: labels.query,
    keyLabel: labels.key,
    legendText: legend === undefined ? null : Math.max(leastLegend, Math.ceil(measure(legend))),
    marginalText: columnSums ? Math.ceil(measure(sumsTitle(rowSums))) + 8 : null,
    rowMarginals: Boolean(rowSums),
  });
}

/** Paints legend, sums and labels, which stay while the pointer moves. */
function paintWords(
  pen: Pen,
  layout: MatrixLayout,
  { scale, legend }: MatrixContent,
  scene: MatrixScene,
): void {
  const painter = new MatrixPainter(pen, layout, scene);
  if (legend !== undefined && layout.legend) paintLegend(pen, layout.legend, scale, legend);
  painter.columnSums(sumsTitle(scene.rowSums));
  painter.rowSums();
  painter.labels();
}

/**
 * A matrix of queries and keys with labels, crosshair and legend; `describe` of each kind says what to draw. Of a large
 * one it can show a region; properties and events count cells in the whole matrix.
 */
export abstract class MatrixFigure extends PairFigure implements MatrixPad {
  static override styles = matrixStyles;

  /** The region shown; null, or one outside the matrix, shows all of it. */
  @given(orNull(record({ query: COUNT, key: COUNT, rows: COUNT, columns: COUNT })))
  region: Region | null = null;

  /** Whether a tall matrix keeps to its height; otherwise its cells stay large and it grows downwards. */
  @property({ type: Boolean }) compact = false;

  /** How cells under a stroke look: blocked or free until the page answers, or only outlined until the stroke ends. */
  @property() strokes: "mask" | "mark" = "mask";

  /** The other corner of the rectangle that the keyboard selects. */
  @state() anchor: Cell | null = null;

  private readonly labelPicture = new Picture();
  private readonly gestures = new MatrixGestures(this);
  private layout: MatrixLayout | null = null;
  private content: MatrixContent | null = null;

  /** Describes the present matrix. Called once per update, so kinds memoise what is costly. */
  protected abstract describe(matrix: Tensor, inks: Inks): MatrixContent;

  /** A matrix of masked scores or weights that says which pairs are masked; null where only `blocked` does. */
  protected get closing(): Tensor | null {
    return this.matrix;
  }

  get held(): Region | null {
    return regionOf(this.region, this);
  }

  get cellSide(): number {
    return this.layout?.cell ?? 1;
  }

  cellUnder(event: ClientPoint): Cell | null {
    const at = this.pointOf(event);
    const cell = this.layout && at && cellAt(this.layout, at.x, at.y);
    const { query, key } = shownOf(this.held, this);
    return cell && { query: query + cell.query, key: key + cell.key };
  }

  /** A cell counted in the region shown; null outside it. */
  private local(cell: Cell | null): Cell | null {
    return cell && inRegion(shownOf(this.held, this), cell);
  }

  protected get corner(): { query: string; key: string } {
    return { query: message("figure.query"), key: message("figure.key") };
  }

  /** The text of NaN in the table. */
  protected get blank(): string {
    return formatValue(NaN);
  }

  isClosed(cell: Cell): boolean {
    const closing = this.closing?.data[cell.query * this.columns + cell.key] ?? 0;
    return this.isBlocked(cell) || isForbidden(closing);
  }

  /** Paints over the picture as it is: painting all cells again would delay the stroke. */
  paintStroke(cells: readonly Cell[], open: boolean): void {
    const { content, layout, matrix } = this;
    const brush = this.cells?.getContext("2d");
    if (!brush || !layout || !content || !matrix) return;
    const painter = new MatrixPainter(
      new Pen(brush, this.inks),
      layout,
      this.scene(matrix, content),
    );
    const look = this.strokes === "mark" ? "outlined" : open ? "open" : "blocked";
    painter.stroke(
      cells.flatMap((cell) => this.local(cell) ?? []),
      look,
    );
  }

  endStroke(reported: boolean): void {
    if (reported && this.strokes !== "mark") return;
    this.forget("cells");
    this.requestUpdate();
  }

  /** A step out of the region moves the region. */
  override step(key: string): Cell | null {
    const to = super.step(key);
    if (to) this.gestures.follow(to);
    return to;
  }

  /** Null without a 2D context. */
  override print(inks: Inks): Print | null {
    const { held } = this;
    if (!this.matrix || !this.labelled || this.matrix.data.length === 0) return null;
    const content = this.describe(this.matrix, inks);
    const locked = this.local(this.inside(this.locked));
    const scene = { ...this.scene(this.matrix, content), room: LABEL_ROOM };
    const { queries, keys, matrix } = scene;
    const [rows = 0, columns = 0] = matrix.shape;
    const { scale, signs = [] } = content;
    const image = cellImage(matrix.data, scale, rows, columns);
    if (!image) return null;
    const labels = labelWidths({ queries, keys }, LABEL_ROOM, inks);
    const layout = layOut(content, labels, LEGEND_TEXT.print, inks, {
      rows,
      columns,
      width: PRINT_WIDTH,
      ratio: 1,
      comfortableHeight: 0,
      settledCell: printedCell(Math.max(rows, columns)),
    });
    return {
      width: layout.width,
      height: layout.height + (signs.length > 0 ? SIGNS_HEIGHT : 0),
      ...(held && { part: this.regionWords(held) }),
      paint: (brush) => {
        const pen = new Pen(brush, inks);
        const painter = new MatrixPainter(pen, layout, scene);
        painter.plot(image);
        paintWords(pen, layout, content, scene);
        if (locked) painter.frame(locked, inks.ink);
        if (signs.length > 0) paintSigns(pen, layout.plot.x, layout.height + 8, signs);
      },
    };
  }

  /** The matrix, or the region of it, as it is painted; the same object as long as nothing of it has changed. */
  private scene(whole: Tensor, { columnSums = null, rowSums = null }: MatrixContent): MatrixScene {
    const { held, labels, blocked, emptyRows: fullyMasked, room, corner } = this;
    const shown = [held, whole, labels, blocked, fullyMasked, columnSums, rowSums];
    const words = [room.query, room.key, corner.query, corner.key];
    return this.memo("scene", [...shown, ...words], () => {
      const rest = { room, corner };
      if (!held)
        return { matrix: whole, ...labels, blocked, fullyMasked, columnSums, rowSums, ...rest };
      const { query, key, rows, columns } = held;
      return {
        matrix: this.memo("cut", [held, whole], () => cutOut(whole, held)),
        queries: labels.queries.slice(query, query + rows),
        keys: labels.keys.slice(key, key + columns),
        blocked: blocked.flatMap((cell) => inRegion(held, cell) ?? []),
        fullyMasked: fullyMasked.map((row) => row - query).filter((row) => row >= 0 && row < rows),
        columnSums: columnSums?.slice(key, key + columns) ?? null,
        rowSums: rowSums?.slice(query, query + rows) ?? null,
        ...rest,
      };
    });
  }

  /** The rows and columns of a region, counted from one. */
  private regionWords({ query, key, rows, columns }: Region): string {
    return message("region.shown", {
      firstQuery: formatNumber(query + 1),
      lastQuery: formatNumber(query + rows),
      queries: formatNumber(this.rows),
      firstKey: formatNumber(key + 1),
      lastKey: formatNumber(key + columns),
      keys: formatNumber(this.columns),
    });
  }

  protected override get name(): string {
    const name = this.content?.name ?? "";
    return this.held ? `${name}. ${this.regionWords(this.held)}` : name;
  }

  protected override get help(): string {
    const painting = message(this.strokes === "mark" ? "paint.helpMark" : "paint.help");
    return `${super.help} ${message("region.help")}${this.blocking ? ` ${painting}` : ""}`;
  }

  protected override spoken(): string {
    const { anchor, hovered } = this;
    if (!anchor || !hovered) return super.spoken();
    const rows = Math.abs(anchor.query - hovered.query) + 1;
    const columns = Math.abs(anchor.key - hovered.key) + 1;
    return `${super.spoken()}. ${message("paint.range", { rows, columns })}`;
  }

  protected labelWidths(inks: Inks, most: Lengths): Lengths {
    return labelWidths(this.labels, most, inks);
  }

  protected override willUpdate(): void {
    super.willUpdate();
    if (!this.blocking) this.anchor = null;
    const { matrix } = this;
    // The theme colours can be read only after the first rendering.
    if (!matrix || !this.hasUpdated || !this.labelled) {
      this.content = null;
      return;
    }
    const { inks, comfortableHeight, compact } = this;
    const content = this.describe(matrix, inks);
    this.content = content;
    const { width, ratio } = this.size;
    const { rows, columns } = shownOf(this.held, this);
    const room = { rows, columns, width, ratio, comfortableHeight, compact };
    const { legend, columnSums, rowSums } = content;
    const inputs = [this.labels, inks, legend, !columnSums, !rowSums, ...Object.values(room)];
    this.layout =
      width > 0
        ? this.memo("layout", inputs, () =>
            layOut(content, this.labelWidths(inks, this.room), LEGEND_TEXT.page, inks, room),
          )
        : null;
    // Before the page changes: a browser lays out all changes before it writes on a canvas.
    if (this.layout) this.paintOverlay(matrix, content, this.layout);
  }

  protected override renderPicture(): TemplateResult {
    const { layout, gestures, tipped } = this;
    const size = layout ? { width: `${layout.width}px`, height: `${layout.height}px` } : {};
    const place = this.local(tipped);
    const content = html`${this.canvases}
    ${tipped && place && layout ? tip(this.words(tipped), cellRect(layout, place), layout.width) : nothing}`;
    return html`<div
      class=${classMap({ frame: true, near: this.held !== null, painting: this.blocking })}
      @wheel=${gestures.wheeled}
      @pointerdown=${gestures.down}
      @pointermove=${{ handleEvent: gestures.move, capture: true }}
      @pointerup=${gestures.up}
      @pointercancel=${gestures.cancelled}
      @click=${{ handleEvent: gestures.clicked, capture: true }}
      @touchmove=${gestures.touched}
      @keydown=${{ handleEvent: gestures.pressed, capture: true }}
    >
      ${this.renderStage(this.name, this.listeners, size, content)}
    </div>`;
  }

  protected override renderFoot(): TemplateResult | typeof nothing {
    return this.content ? html`${this.content.foot ?? nothing}${this.renderZoom()}` : nothing;
  }

  /** The zoom buttons under a large matrix, and which region is shown. */
  private renderZoom(): TemplateResult | typeof nothing {
    const { held, gestures } = this;
    if (!held && Math.max(this.rows, this.columns) <= EASY) return nothing;
    // A button without effect is not disabled: it would lose the focus.
    return html`<button part="button" aria-disabled=${!canEnlarge(held, this)} @click=${() => gestures.zoom(STEP)}>${message("region.nearer")}</button>
      <button part="button" aria-disabled=${!held} @click=${() => gestures.zoom(1 / STEP)}>${message("region.further")}</button>
      <button part="button" aria-disabled=${!held} @click=${() => gestures.ask(null)}>${message("region.all")}</button>
      ${held ? html`<span>${this.regionWords(held)}</span>` : nothing}`;
  }

  protected override renderTable({ data }: Tensor): TemplateResult | typeof nothing {
    if (!this.content) return nothing;
    const { name, scale, rowSums = null } = this.content;
    return numbersTable({
      caption: name,
      data,
      blank: this.blank,
      ...this.labels,
      corner: this.corner,
      query: this.shown?.query ?? 0,
      words: scale.words,
      sums: rowSums,
    });
  }

  protected override updated(): void {
    const { matrix, content, layout } = this;
    if (!matrix || !content || !layout) return;
    this.paintCells(matrix, content, layout);
    this.paintOverlay(matrix, content, layout);
  }

  /** Paints the cells only after something in them has changed, not for the pointer. */
  private paintCells(whole: Tensor, content: MatrixContent, layout: MatrixLayout): void {
    const { cells, inks } = this;
    if (!cells) return;
    const { scale } = content;
    const scene = this.scene(whole, content);
    const image = this.memo("image", [scene.matrix, scale], () =>
      cellImage(scene.matrix.data, scale, layout.rows, layout.columns),
    );
    this.memo("cells", [cells, image, scene, inks, layout], () => {
      const pen = image && this.pen(cells, layout.width, layout.height);
      if (!image) return;
      if (pen) new MatrixPainter(pen, layout, scene).plot(image);
      const stroke = this.gestures.painting;
      if (stroke) this.paintStroke(stroke.cells, stroke.open);
    });
  }

  /** Paints labels, legend and marks; does nothing when the page repeats the hovered cell as `focused`. */
  private paintOverlay(matrix: Tensor, content: MatrixContent, layout: MatrixLayout): void {
    const { overlay, inks } = this;
    if (!overlay) return;
    const scene = this.scene(matrix, content);
    const focused = this.local(this.shown);
    const locked = this.local(this.inside(this.locked));
    const anchor = this.local(this.inside(this.anchor));
    const { width, height } = layout;
    const { ratio } = this.size;
    const labelInputs = [scene, layout, content.scale, content.legend, inks, ratio, language()];
    const drawLabels = this.memo("labels drawn", labelInputs, () =>
      this.labelPicture.paint(width, height, ratio, (brush) =>
        paintWords(new Pen(brush, inks), layout, content, scene),
      ),
    );
    const places = [focused, locked, anchor].flatMap((cell) => [cell?.query, cell?.key]);
    this.memo("overlay", [overlay, drawLabels, ...places], () => {
      const pen = this.pen(overlay, width, height);
      if (!pen) return;
      drawLabels?.(pen.brush);
      const painter = new MatrixPainter(pen, layout, scene);
      if (locked) painter.frame(locked, inks.ink);
      if (focused) painter.focus(focused);
      if (anchor && focused) painter.range(anchor, focused);
    });
  }
}
