import { html, nothing, type TemplateResult } from "lit";
import { property, query, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { isForbidden, type Cell, type Region, type Tensor } from "../../data/index.js";
import { cellAt, cellRect, type MatrixLayout } from "../../draw/layout.js";
import { paintBarsOf } from "../../draw/legend.js";
import { paintMarks, paintPlot, type AxesScene, type CanvasPen } from "../../draw/matrix.js";
import { paintRange, paintStroke, paintTouched, regionOf, shownOf } from "../../draw/region.js";
import { formatValue } from "../../draw/text.js";
import { Pen, type Brush, type Inks, type Print } from "../../draw/theme.js";
import { language, message } from "../../i18n/index.js";
import { COUNT, given, orNull, record } from "../shared/checked.js";
import { Memo } from "../shared/controllers.js";
import { canvases } from "../shared/figure-parts.js";
import { cellImage, paintCanvas, Picture } from "./canvas.js";
import {
  drawn,
  drawnCell,
  layOut,
  paintWords,
  printMatrix,
  regionControls,
  regionWords,
  wholeCell,
  type MatrixContent,
  type Painted,
} from "./content.js";
import { MatrixStroke, RegionPointer, type RegionPad, type StrokePad } from "./gestures.js";
import { labelWidths, PairFigure, type Lengths } from "./pair-figure.js";
import { numbersTable, tip } from "./table.js";

const LEGEND_TEXT = 48;

/**
 * A matrix of queries and keys with labels, crosshair and legend; its kinds say what to draw. Of a large one it can show
 * a region, whose cells are still those of the whole in every property and event.
 */
export abstract class MatrixFigure extends PairFigure implements RegionPad, StrokePad {
  /** The part that is shown; null for all of it, as is one that the matrix does not have. */
  @given(orNull(record({ query: COUNT, key: COUNT, rows: COUNT, columns: COUNT })))
  region: Region | null = null;

  /** Whether a tall matrix keeps to its height; else its cells stay large and it grows downwards. */
  @property({ type: Boolean }) compact = false;

  /** How cells look under a stroke: as blocked or free until the answer comes, or only as touched and until it is over. */
  @property() strokes: "mask" | "mark" = "mask";

  /** The other corner of the rectangle that the keyboard has laid out to be painted. */
  @state() anchor: Cell | null = null;

  @query(".cells") private cells!: HTMLCanvasElement | null;
  @query(".axes") private axes!: HTMLCanvasElement | null;

  private readonly placed = new Memo<MatrixLayout>();
  private readonly image = new Memo<OffscreenCanvas | null>();
  private drawing = new Memo<void>();
  private readonly overlaid = new Memo<void>();
  private readonly lettering = new Picture();
  private readonly written = new Memo<(brush: Brush) => void>();
  private readonly lettered = new Memo<OffscreenCanvas | null>();
  private readonly cut = new Memo<Painted>();
  private readonly gestures = new RegionPointer(this);
  private readonly brushwork = new MatrixStroke(this);
  private layout: MatrixLayout | null = null;
  private content: MatrixContent | null = null;

  /** The picture of the present matrix. Called once per update, so expensive parts are the kind's to keep. */
  protected abstract describe(matrix: Tensor, inks: Inks): MatrixContent;

  get held(): Region | null {
    return regionOf(this.region, this);
  }

  get cellSide(): number {
    return this.layout?.cell ?? 1;
  }

  cellUnder(event: { clientX: number; clientY: number }): Cell | null {
    const box = this.axes?.getBoundingClientRect();
    return this.layout && box
      ? wholeCell(this.held, cellAt(this.layout, event.clientX - box.x, event.clientY - box.y))
      : null;
  }

  protected get corner(): { query: string; key: string } {
    return { query: message("figure.query"), key: message("figure.key") };
  }

  /** What the table says where there is no number. */
  protected get blank(): string {
    return formatValue(NaN);
  }

  letGo(): void {
    this.pointer.left();
  }

  /** What says which cells may not be looked at; null where only those are known that the reader blocked. */
  protected abstract get closing(): Tensor | null;

  isClosed(cell: Cell): boolean {
    const closing = this.closing?.data[cell.query * this.columns + cell.key] ?? 0;
    return this.isBlocked(cell) || isForbidden(closing);
  }

  go(cell: Cell): void {
    this.pointer.hover(cell);
  }

  /** Over the picture as it stands: a stroke must not wait for all other cells to be painted again. */
  dab(cells: readonly Cell[], open: boolean): void {
    const brush = this.cells?.getContext("2d");
    if (!brush || !this.layout) return;
    const pen = new Pen(brush, this.inks);
    const places = cells.flatMap((cell) => drawnCell(this.held, cell) ?? []);
    if (this.strokes === "mark") paintTouched(pen, this.layout, places);
    else paintStroke(pen, this.layout, places, open);
  }

  wipe(): void {
    this.drawing = new Memo<void>();
    this.requestUpdate();
  }

  /** A mark means nothing any more, even where nothing comes of the stroke. */
  over(): void {
    if (this.strokes === "mark") this.wipe();
  }

  /** A step that leads out of the region takes it along. */
  override step(key: string): Cell | null {
    const to = super.step(key);
    if (to) this.gestures.follow(to);
    return to;
  }

  override print(inks: Inks): Print | null {
    const { matrix, held } = this;
    if (!matrix || !this.labelled || matrix.data.length === 0) return null;
    const content = this.describe(matrix, inks);
    const locked = drawnCell(held, this.inside(this.locked));
    const print = printMatrix(this.drawnOf(matrix, content), content, locked, this.corner, inks);
    return print && held ? { ...print, part: regionWords(held, this) } : print;
  }

  /** What is painted of the matrix: the same object as long as nothing of it has changed. */
  private drawnOf(matrix: Tensor, { mass, given = null }: MatrixContent): Painted {
    const { held, labels, blocked, emptyRows: fullyMasked } = this;
    return this.cut.get([held, matrix, labels, blocked, fullyMasked, mass, given], () =>
      drawn(held, { matrix, ...labels, blocked, fullyMasked, mass, given }),
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

  /** What the labels need, but no more than `most`. */
  protected labelWidths(inks: Inks, most: Lengths): Lengths {
    return labelWidths(this.labels, most, inks);
  }

  protected override willUpdate(): void {
    super.willUpdate();
    if (!this.blocking) this.anchor = null;
    const { matrix } = this;
    // Colours can be read only once there is something to read them from.
    if (!matrix || !this.hasUpdated || !this.labelled) {
      this.content = null;
      return;
    }
    const { inks, comfortableHeight, compact } = this;
    const content = this.describe(matrix, inks);
    this.content = content;
    const { width, ratio } = this.parts.size;
    const { rows, columns } = shownOf(this.held, this);
    const room = { rows, columns, width, ratio, comfortableHeight, compact };
    const bars = [content.legend, content.mass === null, !content.given];
    this.layout =
      width > 0
        ? this.placed.get([this.labels, inks, ...bars, ...Object.values(room)], () =>
            layOut(content, this.labelWidths(inks, this.room), LEGEND_TEXT, inks, room),
          )
        : null;
    // Before anything of the page changes: to write on a canvas, a browser first lays out what has.
    if (this.layout) this.paintOverlay(content, this.layout);
  }

  protected override renderPicture(): TemplateResult {
    const { layout, gestures, brushwork, tipped } = this;
    const size = layout ? { width: `${layout.width}px`, height: `${layout.height}px` } : {};
    const place = drawnCell(this.held, tipped);
    return html`<div
      class=${classMap({ frame: true, near: this.held !== null, painting: this.blocking })}
      @wheel=${gestures.wheeled}
      @pointerdown=${each(gestures.down, brushwork.down)}
      @pointermove=${{ handleEvent: each(gestures.move, brushwork.move), capture: true }}
      @pointerup=${each(gestures.up, brushwork.up)}
      @pointercancel=${each(gestures.up, brushwork.cancelled)}
      @click=${{ handleEvent: each(gestures.clicked, brushwork.clicked), capture: true }}
      @touchmove=${gestures.touched}
      @keydown=${{ handleEvent: each(brushwork.pressed, gestures.pressed), capture: true }}
    >
      ${this.renderStage(
        size,
        html`${canvases("cells", "axes")}
        ${tipped && place && layout ? tip(this.words(tipped), cellRect(layout, place), layout.width) : nothing}`,
      )}
    </div>`;
  }

  protected override renderFoot(): TemplateResult | typeof nothing {
    return this.content
      ? html`${this.content.foot}${regionControls(this.held, this, this.gestures)}`
      : nothing;
  }

  protected override renderTable({ data }: Tensor): TemplateResult | typeof nothing {
    if (!this.content) return nothing;
    return numbersTable({
      caption: this.content.name,
      data,
      blank: this.blank,
      ...this.labels,
      corner: this.corner,
      query: this.shown?.query ?? 0,
      words: this.content.scale.words,
      sums: this.content.given ?? null,
    });
  }

  protected override updated(): void {
    if (!this.content || !this.layout) return;
    this.paintCells(this.content, this.layout);
    this.paintOverlay(this.content, this.layout);
  }

  /** Repaints the cells only when something that they show has changed: hovering must not. */
  private paintCells(content: MatrixContent, layout: MatrixLayout): void {
    const { matrix, cells, inks } = this;
    if (!matrix || !cells) return;
    const { scale } = content;
    const shown = this.drawnOf(matrix, content);
    const image = this.image.get([shown.matrix, scale], () =>
      cellImage(shown.matrix.data, scale, layout.rows, layout.columns),
    );
    this.drawing.get([cells, image, shown, inks, layout], () => {
      const pen = image && this.parts.pen(cells, layout.width, layout.height);
      if (!image) return;
      if (pen) paintPlot(pen, layout, { image, ...shown, data: shown.matrix.data });
      const { stroke } = this.brushwork;
      if (stroke) this.dab(stroke.cells, stroke.open);
    });
  }

  /** A page answers the pointer by saying of the same cell that it looks at it: that is no other picture. */
  private paintOverlay(content: MatrixContent, layout: MatrixLayout): void {
    const { axes, matrix, room, corner, inks, held } = this;
    if (!axes || !matrix) return;
    const part = this.drawnOf(matrix, content);
    const [focused, locked, anchor] = [
      this.shown,
      this.inside(this.locked),
      this.inside(this.anchor),
    ].map((cell) => drawnCell(held, cell)) as [Cell | null, Cell | null, Cell | null];
    const scene: AxesScene = { ...part, queryRoom: room.query, keyRoom: room.key, corner };
    const { width, height } = layout;
    const { ratio } = this.parts.size;
    const { scale, legend } = content;
    const words = [room.query, room.key, corner.query, corner.key, legend, language()];
    let relabelled = false;
    // To choose a font for the cells' own canvas would be dear.
    const letter = this.written.get([part, layout, scale, inks, ...words], () => {
      relabelled = true;
      return (brush: Brush) => paintWords(new Pen(brush, inks), layout, part, content, scene);
    });
    const places = [focused, locked, anchor].flatMap((cell) => [cell?.query, cell?.key]);
    this.overlaid.get([axes, letter, ...places], () => {
      const mark = (pen: CanvasPen): void => {
        paintMarks(pen, layout, scene, { focused, locked });
        if (focused) paintBarsOf(focused, pen, layout, part);
        if (anchor && focused) paintRange(pen, layout, anchor, focused);
      };
      if (relabelled) {
        paintCanvas(axes, width, height, ratio, (brush) => {
          letter(brush);
          mark(new Pen(brush, inks));
        });
        return;
      }
      // Where only the pointer has moved there is nothing to lay out, and the way round would be the longer one. What is
      // written is kept as an image from the first move on: most pictures are followed by the next one before.
      const image = this.lettered.get([letter], () =>
        this.lettering.paint(width, height, ratio, letter),
      );
      const pen = image && this.parts.pen(axes, width, height);
      if (!pen) return;
      // Pixel by pixel, as sharp as they were: a size that is no whole number of pixels was rounded.
      pen.brush.save();
      pen.brush.resetTransform();
      pen.brush.drawImage(image, 0, 0);
      pen.brush.restore();
      mark(pen);
    });
  }
}

/** Several who hear of the same event. */
function each<Happened extends Event>(
  ...hear: ((event: Happened) => void)[]
): (event: Happened) => void {
  return (event) => {
    for (const one of hear) one(event);
  };
}
