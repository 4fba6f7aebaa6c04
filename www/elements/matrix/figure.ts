import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { isForbidden, type Cell, type Region, type Tensor } from "../../data/index.js";
import { cellAt, cellRect, type MatrixLayout } from "../../draw/layout.js";
import { paintSumsOf } from "../../draw/legend.js";
import { paintMarks, paintPlot, type AxesScene, type CanvasPen } from "../../draw/matrix.js";
import {
  inRegion,
  paintRange,
  paintStroke,
  paintTouched,
  regionOf,
  shownOf,
} from "../../draw/region.js";
import { formatValue } from "../../draw/text.js";
import { Pen, type Brush, type Inks, type Print } from "../../draw/theme.js";
import { language, message } from "../../i18n/index.js";
import { matrixStyles } from "../shared/base-styles.js";
import { COUNT, given, orNull, record } from "../shared/checked.js";
import type { ClientPoint } from "../shared/figure.js";
import { cellImage, paintCanvas, Picture } from "./canvas.js";
import {
  cutPainted,
  layOut,
  paintWords,
  printMatrix,
  regionControls,
  regionWords,
  type MatrixContent,
  type Painted,
} from "./content.js";
import { MatrixGestures, type GesturePad } from "./gestures.js";
import { labelWidths, PairFigure, type Lengths } from "./pair-figure.js";
import { numbersTable, tip } from "./table.js";

const LEGEND_TEXT = 48;

/**
 * A matrix of queries and keys with labels, crosshair and legend; `describe` of each kind says what to draw. Of a large
 * one it can show a region; properties and events count cells in the whole matrix.
 */
export abstract class MatrixFigure extends PairFigure implements GesturePad {
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

  letGo(): void {
    this.pointer.left();
  }

  isClosed(cell: Cell): boolean {
    const closing = this.closing?.data[cell.query * this.columns + cell.key] ?? 0;
    return this.isBlocked(cell) || isForbidden(closing);
  }

  go(cell: Cell): void {
    this.pointer.hover(cell);
  }

  /** Paints over the picture as it is: painting all cells again would delay the stroke. */
  dab(cells: readonly Cell[], open: boolean): void {
    const brush = this.cells?.getContext("2d");
    if (!brush || !this.layout) return;
    const pen = new Pen(brush, this.inks);
    const places = cells.flatMap((cell) => this.local(cell) ?? []);
    if (this.strokes === "mark") paintTouched(pen, this.layout, places);
    else paintStroke(pen, this.layout, places, open);
  }

  wipe(): void {
    this.forget("cells");
    this.requestUpdate();
  }

  over(): void {
    if (this.strokes === "mark") this.wipe();
  }

  /** A step out of the region moves the region. */
  override step(key: string): Cell | null {
    const to = super.step(key);
    if (to) this.gestures.follow(to);
    return to;
  }

  override print(inks: Inks): Print | null {
    const { matrix, held } = this;
    if (!matrix || !this.labelled || matrix.data.length === 0) return null;
    const content = this.describe(matrix, inks);
    const locked = this.local(this.inside(this.locked));
    const print = printMatrix(this.painted(matrix, content), content, locked, this.corner, inks);
    return print && held ? { ...print, part: regionWords(held, this) } : print;
  }

  /** The same object as long as nothing of it has changed. */
  private painted(matrix: Tensor, content: MatrixContent): Painted {
    const { held, labels, blocked, emptyRows: fullyMasked } = this;
    const { columnSums = null, rowSums = null } = content;
    const inputs = [held, matrix, labels, blocked, fullyMasked, columnSums, rowSums];
    return this.memo("painted", inputs, () =>
      cutPainted(held, { matrix, ...labels, blocked, fullyMasked, columnSums, rowSums }),
    );
  }

  protected override get name(): string {
    const name = this.content?.name ?? "";
    return this.held ? `${name}. ${regionWords(this.held, this)}` : name;
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
            layOut(content, this.labelWidths(inks, this.room), LEGEND_TEXT, inks, room),
          )
        : null;
    // Before the page changes: a browser lays out all changes before it writes on a canvas.
    if (this.layout) this.paintOverlay(content, this.layout);
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
      ${this.renderStage(this.name, this.pointer, size, content)}
    </div>`;
  }

  protected override renderFoot(): TemplateResult | typeof nothing {
    return this.content
      ? html`${this.content.foot ?? nothing}${regionControls(this.held, this, this.gestures)}`
      : nothing;
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
    if (!this.content || !this.layout) return;
    this.paintCells(this.content, this.layout);
    this.paintOverlay(this.content, this.layout);
  }

  /** Paints the cells only after something in them has changed, not for the pointer. */
  private paintCells(content: MatrixContent, layout: MatrixLayout): void {
    const { matrix, cells, inks } = this;
    if (!matrix || !cells) return;
    const { scale } = content;
    const painted = this.painted(matrix, content);
    const image = this.memo("image", [painted.matrix, scale], () =>
      cellImage(painted.matrix.data, scale, layout.rows, layout.columns),
    );
    this.memo("cells", [cells, image, painted, inks, layout], () => {
      const pen = image && this.pen(cells, layout.width, layout.height);
      if (!image) return;
      if (pen) paintPlot(pen, layout, { image, ...painted, data: painted.matrix.data });
      const stroke = this.gestures.painting;
      if (stroke) this.dab(stroke.cells, stroke.open);
    });
  }

  /** Paints labels, legend and marks; does nothing when the page repeats the hovered cell as `focused`. */
  private paintOverlay(content: MatrixContent, layout: MatrixLayout): void {
    const { overlay, matrix, room, corner, inks } = this;
    if (!overlay || !matrix) return;
    const painted = this.painted(matrix, content);
    const focused = this.local(this.shown);
    const locked = this.local(this.inside(this.locked));
    const anchor = this.local(this.inside(this.anchor));
    const scene: AxesScene = { ...painted, queryRoom: room.query, keyRoom: room.key, corner };
    const { width, height } = layout;
    const { scale, legend } = content;
    const words = [room.query, room.key, corner.query, corner.key, legend, language()];
    let relabelled = false;
    const letter = this.memo("letter", [painted, layout, scale, inks, ...words], () => {
      relabelled = true;
      return (brush: Brush) => paintWords(new Pen(brush, inks), layout, painted, content, scene);
    });
    const places = [focused, locked, anchor].flatMap((cell) => [cell?.query, cell?.key]);
    this.memo("overlay", [overlay, letter, ...places], () => {
      const mark = (pen: CanvasPen): void => {
        paintMarks(pen, layout, scene, { focused, locked });
        if (focused) paintSumsOf(focused, pen, layout, painted);
        if (anchor && focused) paintRange(pen, layout, anchor, focused);
      };
      if (relabelled) {
        paintCanvas(overlay, width, height, this.size.ratio, (brush) => {
          letter(brush);
          mark(new Pen(brush, inks));
        });
        return;
      }
      // Only the pointer has moved: the labels are copied from an image, made at the first move because most pictures
      // are replaced before one.
      const image = this.memo("lettered", [letter], () =>
        this.labelPicture.paint(width, height, this.size.ratio, letter),
      );
      const pen = image && this.pen(overlay, width, height);
      if (!pen) return;
      // Pixel by pixel, which keeps the image sharp where the size is no whole number of pixels.
      pen.brush.save();
      pen.brush.resetTransform();
      pen.brush.drawImage(image, 0, 0);
      pen.brush.restore();
      mark(pen);
    });
  }
}
