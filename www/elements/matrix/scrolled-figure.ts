import { html, type TemplateResult } from "lit";
import { query, state } from "lit/decorators.js";
import type { Cell } from "../../data/index.js";
import type { Rect } from "../../draw/layout.js";
import { Pen, type Brush, type Inks, type Print } from "../../draw/theme.js";
import type { ClientPoint, Point } from "../shared/figure.js";
import { styled } from "../shared/templates.js";
import { PairFigure, type Lengths } from "./pair-figure.js";
import { tip } from "./table.js";

export interface ScrolledLayout {
  width: number;
  height: number;
  contentHeight: number;
  /** The heights of the head above and the foot under the rows, which do not scroll. */
  top: number;
  foot: number;
  pitch: number;
}

const LARGEST_WINDOW = 560;

/** A window over rows that scrolls when they are higher than the comfortable height and than a large window. */
export function layoutRows(
  count: number,
  pitch: number,
  comfortableHeight: number,
  top: number,
  foot: number,
): Omit<ScrolledLayout, "width"> {
  const height = top + Math.min(count * pitch, Math.max(comfortableHeight, LARGEST_WINDOW)) + foot;
  return { height, contentHeight: top + count * pitch + foot, top, foot, pitch };
}

/** The height of a row within bounds, so that all are as high as is comfortable. */
export function pitchFor(
  count: number,
  comfortableHeight: number,
  { least, most }: { least: number; most: number },
): number {
  return Math.min(most, Math.max(least, Math.floor(comfortableHeight / Math.max(1, count))));
}

/** The width of the mark between a label and its row. */
export const MARK = 6;

/** The rows in sight, at least in part: from `first` to before `end`. */
export function rowsInSight(
  { height, top, foot, pitch }: ScrolledLayout,
  scroll: number,
  count: number,
): { first: number; end: number } {
  return {
    first: Math.min(count, Math.max(0, Math.floor(scroll / pitch))),
    end: Math.min(count, Math.ceil((scroll + height - top - foot) / pitch)),
  };
}

/** The row at a height of the window; null on the head, the foot or below the last row. */
export function rowAt(
  { height, top, foot, pitch }: ScrolledLayout,
  scroll: number,
  y: number,
  count: number,
): number | null {
  const row = Math.floor((y - top + scroll) / pitch);
  return y < top || y >= height - foot || row >= count ? null : row;
}

/** The middle of a row, in the window. */
export function rowMiddle({ top, pitch }: ScrolledLayout, scroll: number, row: number): number {
  return top + (row + 0.5) * pitch - scroll;
}

/** Clips painting to the rows. */
export function clipRows(brush: Brush, { width, top, height, foot }: ScrolledLayout): void {
  brush.beginPath();
  brush.rect(0, top, width, height - top - foot);
  brush.clip();
}

export interface Room {
  width: number;
  ratio: number;
  comfortableHeight: number;
  /** The greatest widths of a label. */
  labels: Lengths;
}

export interface View {
  /** How far the rows are scrolled. */
  scroll: number;
  focused: Cell | null;
  labels: Lengths;
}

/** The legend under a picture in a file. */
export interface PrintedLegend {
  height: number;
  paint: (pen: Pen, x: number, y: number) => void;
}

/** In a file there is room for long labels, and rows shrink only in a long text. */
const PRINT = { labels: { query: 200, key: 200 }, pitch: 28, smallPitch: 18, easyRows: 60 };

/**
 * A figure with a row for each token, in which a long text scrolls. Its canvases are as large as the window: one as large
 * as the text would exceed what browsers allow.
 */
export abstract class ScrolledFigure<Layout extends ScrolledLayout> extends PairFigure {
  @state() protected offset = 0;
  @query(".frame") private frame!: HTMLElement | null;

  protected layout: Layout | null = null;

  /** What the layout depends on besides texts, room and theme colours. */
  protected abstract readonly shape: readonly unknown[];
  protected abstract place(inks: Inks, room: Room): Layout;
  /** The inputs of the lower canvas, which is painted again when any of them changes. */
  protected abstract still(inks: Inks): readonly unknown[];
  protected abstract paintStill(pen: Pen, layout: Layout, view: View): void;
  protected abstract paintMoving(pen: Pen, layout: Layout, view: View): void;
  /** The width in a file, and the legend there. */
  protected abstract readonly printWidth: number;
  protected abstract printLegend(inks: Inks): PrintedLegend | null;
  /** The place of a pair before scrolling, and the row that has to be in sight for it. */
  protected abstract rectOf(cell: Cell, layout: Layout): Rect;
  protected abstract rowOf(cell: Cell): number;
  /** The pair under a point of the window. */
  protected abstract cellAt(point: Point, layout: Layout): Cell | null;
  /** The pointer is on a point of the window, or has left it. */
  protected abstract point(at: Point | null): void;

  cellUnder(event: ClientPoint): Cell | null {
    const at = this.pointOf(event);
    return at && this.layout ? this.cellAt(at, this.layout) : null;
  }

  protected override willUpdate(): void {
    super.willUpdate();
    const { width, ratio } = this.size;
    if (!this.matrix || !this.hasUpdated || !this.labelled || width === 0) {
      this.layout = null;
      return;
    }
    const { labels, rows, columns, comfortableHeight, inks, shape } = this;
    const room = [labels, rows, columns, width, ratio, comfortableHeight, inks, ...shape];
    this.layout = this.memo("layout", room, () =>
      this.place(inks, { width, ratio, comfortableHeight, labels: this.room }),
    );
    const { contentHeight, height } = this.layout;
    this.offset = Math.max(0, Math.min(this.offset, contentHeight - height));
  }

  override print(inks: Inks): Print | null {
    if (!this.matrix || !this.labelled || this.matrix.data.length === 0) return null;
    const count = Math.max(this.rows, this.columns);
    const pitch = count > PRINT.easyRows ? PRINT.smallPitch : PRINT.pitch;
    // High enough for all rows.
    const layout = this.place(inks, {
      width: this.printWidth,
      ratio: 1,
      comfortableHeight: count * pitch,
      labels: PRINT.labels,
    });
    const view = { scroll: 0, focused: this.inside(this.locked), labels: PRINT.labels };
    const legend = this.printLegend(inks);
    return {
      width: layout.width,
      height: layout.height + (legend?.height ?? 0),
      paint: (brush) => {
        const pen = new Pen(brush, inks);
        this.paintStill(pen, layout, view);
        this.paintMoving(pen, layout, view);
        legend?.paint(pen, 0, layout.height + 8);
      },
    };
  }

  protected override renderPicture(): TemplateResult {
    const { layout, tipped } = this;
    const size = (height: number | undefined): Record<string, string> =>
      layout ? { width: `${layout.width}px`, height: `${height}px` } : {};
    const content = html`<div class="window" style=${styled(size(layout?.height))} @pointermove=${this.pointed} @pointerdown=${this.pointed} @pointerleave=${() => this.point(null)}>
        ${this.canvases}
      </div>
      ${tipped && layout ? tip(this.words(tipped), this.rectOf(tipped, layout), layout.width) : null}`;
    return html`<div class="frame scrolled" style=${styled(layout ? { height: `${layout.height}px` } : {})} @scroll=${this.scrolled}>
      ${this.renderStage(this.name, this.listeners, size(layout?.contentHeight), content)}
    </div>`;
  }

  protected override updated(): void {
    const { layout, offset } = this;
    if (!layout) return;
    const view = { scroll: offset, focused: this.shown, labels: this.room };
    this.paintLayers(
      layout,
      [layout, offset, ...this.still(this.inks)],
      (pen) => this.paintStill(pen, layout, view),
      (pen) => this.paintMoving(pen, layout, view),
    );
    const held = this.inside(this.locked);
    this.memo("revealed", [this.labels, held?.query, held?.key], () => {
      if (held) this.reveal(held);
    });
  }

  protected reveal(cell: Cell): void {
    const { frame, layout } = this;
    if (!frame || !layout) return;
    const { height, top, foot, pitch } = layout;
    const row = this.rowOf(cell);
    const least = (row + 1) * pitch - (height - top - foot);
    const to = Math.max(Math.min(frame.scrollTop, row * pitch), least);
    if (to !== frame.scrollTop) frame.scrollTop = to;
  }

  private readonly pointed = (event: PointerEvent): void => {
    this.point(this.pointOf(event));
  };

  private readonly scrolled = (): void => {
    this.offset = this.frame?.scrollTop ?? 0;
  };
}
