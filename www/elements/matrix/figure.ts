import { html, nothing, type TemplateResult } from "lit";
import { property, query, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { isForbidden, type Cell, type Region, type Tensor } from "../../data/index.js";
import { paintLabels, paintMarks, type AxesScene, paintPlot } from "../../draw/matrix.js";
import { formatValue } from "../../draw/text.js";
import { cellAt, cellRect, layoutMatrix, type MatrixLayout } from "../../draw/layout.js";
import { paintBarsOf, paintGiven, paintLegend, paintMass } from "../../draw/legend.js";
import { type Print, LABEL_SIZE, labelFont, type Brush, type Inks } from "../../draw/theme.js";
import { regionOf, shownOf, paintRange, paintStroke, paintTouched } from "../../draw/region.js";
import { language, message } from "../../i18n/index.js";
import { Memo } from "../shared/controllers.js";
import {
  cellImage,
  measurer,
  paintCanvas,
  Picture,
  sizedBrush,
  type CanvasBrush,
} from "./canvas.js";
import {
  type MatrixContent,
  drawn,
  drawnCell,
  wholeCell,
  type Painted,
  massWords,
  printMatrix,
  regionControls,
  regionWords,
} from "./content.js";
import { PairFigure } from "./pair-figure.js";
import { RegionPointer, type RegionPad, MatrixStroke, type StrokePad } from "./gestures.js";
import { numbersTable, tip } from "./table.js";
import { COUNT, given, orNull, record } from "../shared/checked.js";

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

  /** What its rows and its columns are. */
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
    return (
      this.isBlocked(cell) ||
      isForbidden(this.closing?.data[cell.query * this.columns + cell.key] ?? 0)
    );
  }

  go(cell: Cell): void {
    this.pointer.hover(cell);
  }

  /** Over the picture as it stands: a stroke must not wait for all other cells to be painted again. */
  dab(cells: readonly Cell[], open: boolean): void {
    const brush = this.cells?.getContext("2d");
    if (!brush || !this.layout) return;
    const places = cells.flatMap((cell) => drawnCell(this.held, cell) ?? []);
    if (this.strokes === "mark") paintTouched(brush, this.layout, places, this.look.inks);
    else paintStroke(brush, this.layout, places, open, this.look.inks);
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
    const { matrix } = this;
    if (!matrix || !this.labelled || matrix.data.length === 0) return null;
    const content = this.describe(matrix, inks);
    const scene = {
      ...this.drawnOf(matrix, content),
      locked: drawnCell(this.held, this.inside(this.locked)),
      corner: this.corner,
    };
    const print = printMatrix(scene, content, inks);
    return print && this.held ? { ...print, part: regionWords(this.held, this) } : print;
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
    return [
      super.help,
      message("region.help"),
      ...(this.blocking
        ? [message(this.strokes === "mark" ? "paint.helpMark" : "paint.help")]
        : []),
    ].join(" ");
  }

  protected override spoken(): string {
    const { anchor, hovered } = this;
    if (!anchor || !hovered) return super.spoken();
    const [rows, columns] = [
      Math.abs(anchor.query - hovered.query) + 1,
      Math.abs(anchor.key - hovered.key) + 1,
    ];
    return `${super.spoken()}. ${message("paint.range", { rows, columns })}`;
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
    const { inks } = this.look;
    this.content = this.describe(matrix, inks);
    const { content } = this;
    const { width, ratio } = this.size;
    const parts = [content.legend, content.mass === null, !content.given];
    const { rows, columns } = shownOf(this.held, this);
    const inputs = [
      this.labels,
      rows,
      columns,
      width,
      ratio,
      this.comfortableHeight,
      this.compact,
      inks,
      ...parts,
    ];
    this.layout = width > 0 ? this.placed.get(inputs, () => this.place(content, inks)) : null;
    // Before anything of the page changes: to write on a canvas, a browser first lays out what has.
    if (this.layout) this.paintOverlay(content, this.layout);
  }

  private place(content: MatrixContent, inks: Inks): MatrixLayout {
    const measure = measurer(labelFont(inks, "bold"), LABEL_SIZE);
    const labels = this.labelWidths(inks, this.room);
    const { rows, columns } = shownOf(this.held, this);
    return layoutMatrix({
      rows,
      columns,
      width: this.size.width,
      ratio: this.size.ratio,
      comfortableHeight: this.comfortableHeight,
      compact: this.compact,
      queryLabel: labels.query,
      keyLabel: labels.key,
      legendText:
        content.legend === null ? null : Math.max(LEGEND_TEXT, Math.ceil(measure(content.legend))),
      marginalText: content.mass ? Math.ceil(measure(massWords(content))) + 8 : null,
      rowMarginals: Boolean(content.given),
    });
  }

  protected override renderPicture(): TemplateResult {
    const { layout } = this;
    const size = layout ? { width: `${layout.width}px`, height: `${layout.height}px` } : {};
    const { gestures, brushwork } = this;
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
        html`<canvas class="cells" part="canvas" aria-hidden="true"></canvas>
          <canvas class="axes" part="canvas" aria-hidden="true"></canvas>
          ${this.tip()}`,
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

  private tip(): TemplateResult | typeof nothing {
    const cell = this.tipped;
    const place = drawnCell(this.held, cell);
    return cell && place && this.layout
      ? tip(this.words(cell), cellRect(this.layout, place), this.layout.width)
      : nothing;
  }

  protected override updated(): void {
    if (!this.content || !this.layout) return;
    this.paintCells(this.content, this.layout);
    this.paintOverlay(this.content, this.layout);
  }

  /** Repaints the cells only when something that they show has changed: hovering must not. */
  private paintCells(content: MatrixContent, layout: MatrixLayout): void {
    const { matrix, cells } = this;
    const { inks } = this.look;
    if (!matrix || !cells) return;
    const { scale } = content;
    const shown = this.drawnOf(matrix, content);
    const image = this.image.get([shown.matrix, scale], () =>
      cellImage(shown.matrix.data, scale, layout.rows, layout.columns),
    );
    this.drawing.get([cells, image, shown, inks, layout], () => {
      if (!image) return;
      const brush = sizedBrush(cells, layout.width, layout.height, this.size.ratio);
      if (brush) paintPlot(brush, layout, { image, ...shown, data: shown.matrix.data }, inks);
      const { stroke } = this.brushwork;
      if (stroke) this.dab(stroke.cells, stroke.open);
    });
  }

  /** All that stays while the pointer moves and has words: to choose a font for the cells' own canvas would be dear. */
  private letter(
    brush: Brush,
    { scale, legend, mass, given }: MatrixContent,
    layout: MatrixLayout,
    scene: AxesScene,
  ): void {
    const { inks } = this.look;
    paintLabels(brush, layout, scene, inks);
    if (legend !== null && layout.legend) paintLegend(brush, layout.legend, scale, legend, inks);
    if (mass) paintMass(brush, layout, mass, massWords({ given }), inks);
    if (given) paintGiven(brush, layout, given, inks);
  }

  /** A page answers the pointer by saying of the same cell that it looks at it: that is no other picture. */
  private paintOverlay(content: MatrixContent, layout: MatrixLayout): void {
    const { axes, matrix, room } = this;
    const { inks } = this.look;
    if (!axes || !matrix) return;
    const part = this.drawnOf(matrix, content);
    const [focused, locked] = [
      drawnCell(this.held, this.shown),
      drawnCell(this.held, this.inside(this.locked)),
    ];
    const { queries, keys, fullyMasked } = part;
    const { corner } = this;
    const scene = { queries, keys, fullyMasked, queryRoom: room.query, keyRoom: room.key, corner };
    const { width, height } = layout;
    const { ratio } = this.size;
    const { scale, legend } = content;
    const still = [
      part,
      layout,
      room.query,
      room.key,
      corner.query,
      corner.key,
      scale,
      legend,
      inks,
      language(),
    ];
    let relabelled = false;
    const letter = this.written.get(still, () => {
      relabelled = true;
      return (brush: Brush) =>
        this.letter(brush, { ...content, mass: part.mass, given: part.given }, layout, scene);
    });
    const anchor = drawnCell(this.held, this.inside(this.anchor));
    const cells = [
      focused?.query,
      focused?.key,
      locked?.query,
      locked?.key,
      anchor?.query,
      anchor?.key,
    ];
    this.overlaid.get([axes, letter, ...cells], () => {
      const mark = (brush: CanvasBrush): void => {
        paintMarks(brush, layout, scene, { focused, locked }, inks);
        if (focused) paintBarsOf(focused, brush, layout, part, inks);
        if (anchor && focused) paintRange(brush, layout, anchor, focused, inks);
      };
      if (relabelled) {
        paintCanvas(axes, width, height, ratio, (brush) => {
          letter(brush);
          mark(brush);
        });
        return;
      }
      // Where only the pointer has moved there is nothing to lay out, and the way round would be the longer one. What is
      // written is kept as an image from the first move on: most pictures are followed by the next one before.
      const image = this.lettered.get([letter], () =>
        this.lettering.paint(width, height, ratio, letter),
      );
      const brush = image && sizedBrush(axes, width, height, ratio);
      if (!brush) return;
      // Pixel by pixel, as sharp as they were: a size that is no whole number of pixels was rounded.
      brush.save();
      brush.resetTransform();
      brush.drawImage(image, 0, 0);
      brush.restore();
      mark(brush);
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
