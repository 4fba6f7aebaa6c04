import { html, type TemplateResult } from "lit";
import { query, state } from "lit/decorators.js";
import type { Cell } from "../../data/index.js";
import type { Rect } from "../../draw/layout.js";
import {
  LABEL_SIZE,
  OWN_ROOM,
  Pen,
  type Inks,
  type Print,
  type PrintRoom,
} from "../../draw/theme.js";
import type { ClientPoint, Point } from "../shared/figure.js";
import { styled } from "../shared/templates.js";
import { PairFigure, PRINT_LABELS, type Lengths } from "./pair-figure.js";
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
const LEAST_WINDOW = 120;
/** The width of the mark between a label and its row. */
export const MARK = 6;

/**
 * The layout of a window over rows that is as high as is comfortable, within bounds, and scrolls if
 * the rows are higher than a large window or than the figure may be.
 */
export function layoutRows(
  count: number,
  { least, most }: { least: number; most: number },
  { comfortableHeight, highest = null }: Pick<Room, "comfortableHeight" | "highest">,
  /** The heights of the choices above the figure, of its head and of its foot. */
  { choices, top, foot }: { choices: number; top: number; foot: number },
): Omit<ScrolledLayout, "width"> {
  const room = highest === null ? Infinity : Math.max(LEAST_WINDOW, highest - choices - top - foot);
  const even = Math.floor(Math.min(comfortableHeight, room) / Math.max(1, count));
  const pitch = Math.min(most, Math.max(least, even));
  const largest = Math.min(room, Math.max(comfortableHeight, LARGEST_WINDOW));
  const height = top + Math.min(count * pitch, largest) + foot;
  return { height, contentHeight: top + count * pitch + foot, top, foot, pitch };
}

export interface Room {
  width: number;
  ratio: number;
  comfortableHeight: number;
  /** The most height of the figure; null or none where it grows. */
  highest?: number | null;
  labels: Lengths;
}

/** Rows in their window, scrolled down by `scroll` CSS pixels. */
export class View<Layout extends ScrolledLayout> {
  constructor(
    readonly layout: Layout,
    readonly scroll: number,
    /** The pair in focus, and the greatest widths of a label. */
    readonly focused: Cell | null = null,
    readonly room: Lengths = PRINT_LABELS,
  ) {}

  /** The indices of the rows, of `count`, that are at least partly in sight. */
  rows(count: number): number[] {
    const { height, top, foot, pitch } = this.layout;
    const first = Math.max(0, Math.floor(this.scroll / pitch));
    const end = Math.min(count, Math.ceil((this.scroll + height - top - foot) / pitch));
    return Array.from({ length: Math.max(0, end - first) }, (_, row) => first + row);
  }

  /**
   * The index of the row, of `count`, at a height of the window; null on the head, the foot or
   * below the last row.
   */
  rowAt(y: number, count: number): number | null {
    const { height, top, foot, pitch } = this.layout;
    const row = Math.floor((y - top + this.scroll) / pitch);
    return y < top || y >= height - foot || row >= count ? null : row;
  }

  middle(row: number): number {
    return this.layout.top + (row + 0.5) * this.layout.pitch - this.scroll;
  }

  /** Fills the mark of a row, with its left edge at `x`. */
  mark(pen: Pen, row: number, x: number, colour: string): void {
    const { pitch } = this.layout;
    pen.fill({ x, y: this.middle(row) - pitch / 2 + 2, width: 3, height: pitch - 4 }, colour);
  }

  /** Sets the font of a row's label; the label of the pair in focus is bold. */
  words(pen: Pen, isStrong: boolean, isInk: boolean, align: CanvasTextAlign): void {
    const ink = isInk ? pen.inks.ink : pen.inks.muted;
    const size = Math.min(LABEL_SIZE, this.layout.pitch - 4);
    pen.words(size, ink, align, "middle", isStrong ? "bold" : "normal");
  }

  clip({ brush }: Pen): void {
    const { width, top, height, foot } = this.layout;
    brush.beginPath();
    brush.rect(0, top, width, height - top - foot);
    brush.clip();
  }
}

export interface PrintedLegend {
  height: number;
  paint: (pen: Pen, x: number, y: number) => void;
}

/** The heights of rows in a file: rows shrink only in a long text. */
const PRINT = { pitch: 28, smallPitch: 18, easyRows: 60 };

/**
 * A figure with a row for each token, in which a long text scrolls. Its canvases are as large as
 * the window: one as large as the text would exceed what browsers allow.
 */
export abstract class ScrolledFigure<Layout extends ScrolledLayout> extends PairFigure {
  @state() private offset = 0;
  @query(".frame") private frame!: HTMLElement | null;
  private layout: Layout | null = null;
  /** The inputs of the layout besides texts, room and theme colours. */
  protected abstract readonly shape: readonly unknown[];
  protected abstract place(inks: Inks, room: Room): Layout;
  /** The inputs of the lower canvas, which is painted again when any of them changes. */
  protected abstract still(inks: Inks): readonly unknown[];
  protected abstract paintStill(pen: Pen, view: View<Layout>): void;
  protected abstract paintMoving(pen: Pen, view: View<Layout>): void;
  /** The width in a file, and the legend there. */
  protected abstract readonly printWidth: number;
  protected abstract printLegend(inks: Inks): PrintedLegend | null;
  /** The place, before scrolling, of the row that must be in sight for a pair. */
  protected abstract rectOf(cell: Cell, layout: Layout): Rect;
  protected abstract cellAt(point: Point, view: View<Layout>): Cell | null;
  protected abstract point(at: Point | null, layout: Layout): void;

  private get view(): View<Layout> | null {
    return this.layout && new View(this.layout, this.offset, this.shown, this.room);
  }

  cellUnder(event: ClientPoint): Cell | null {
    const at = this.pointOf(event);
    const view = this.view;
    return at && view && this.cellAt(at, view);
  }

  protected override willUpdate(): void {
    super.willUpdate();
    const { width, ratio } = this.size;
    this.layout = null;
    if (!this.drawn || !this.hasUpdated || width === 0) return;
    const { labels, rows, columns, comfortableHeight, highest, inks, shape } = this;
    const room = [labels, rows, columns, width, ratio, comfortableHeight, highest, inks, ...shape];
    this.layout = this.memo("layout", room, () =>
      this.place(inks, { width, ratio, comfortableHeight, highest, labels: this.room }),
    );
    const { contentHeight, height } = this.layout;
    this.offset = Math.max(0, Math.min(this.offset, contentHeight - height));
  }

  override print(
    inks: Inks,
    { width, legend: hasLegend, held }: PrintRoom = OWN_ROOM,
  ): Print | null {
    if (!this.drawn || this.drawn.data.length === 0) return null;
    const count = Math.max(this.rows, this.columns);
    const comfortableHeight = count * (count > PRINT.easyRows ? PRINT.smallPitch : PRINT.pitch);
    const layout = this.place(inks, {
      width: width ?? this.printWidth,
      ratio: 1,
      comfortableHeight,
      labels: PRINT_LABELS,
    });
    const view = new View(layout, 0, held ? this.inside(this.locked) : null);
    const legend = hasLegend ? this.printLegend(inks) : null;
    return {
      width: layout.width,
      height: layout.height + (legend?.height ?? 0),
      paint: (brush) => {
        const pen = new Pen(brush, inks);
        this.paintStill(pen, view);
        this.paintMoving(pen, view);
        legend?.paint(pen, 0, layout.height + 8);
      },
    };
  }

  protected override renderPicture(): TemplateResult {
    const { layout, tipped } = this;
    const size = (height: number | undefined): Record<string, string> =>
      layout ? { width: `${layout.width}px`, height: `${height}px` } : {};
    const pointed = (at: Point | null): void => {
      if (layout) this.point(at, layout);
    };
    const follow = (event: PointerEvent): void => pointed(this.pointOf(event));
    const content = html`<div
        class="window"
        style=${styled(size(layout?.height))}
        @pointermove=${follow}
        @pointerdown=${follow}
        @pointerleave=${() => pointed(null)}
      >
        ${this.canvases}
      </div>
      ${
        tipped && layout ? tip(this.words(tipped), this.rectOf(tipped, layout), layout.width) : null
      }`;
    return html`<div
      class="frame scrolled"
      style=${styled(layout ? { height: `${layout.height}px` } : {})}
      @scroll=${() => (this.offset = this.frame?.scrollTop ?? 0)}
    >
      ${this.renderStage(this.name, this.listeners, size(layout?.contentHeight), content)}
    </div>`;
  }

  protected override updated(): void {
    const { layout, offset, view } = this;
    if (!layout || !view) return;
    this.paintLayers(
      layout,
      [layout, offset, ...this.still(this.inks)],
      (pen) => this.paintStill(pen, view),
      (pen) => this.paintMoving(pen, view),
    );
    const locked = this.inside(this.locked);
    this.memo("revealed", [this.labels, locked?.query, locked?.key], () => {
      if (locked) this.reveal(locked);
    });
  }

  protected reveal(cell: Cell): void {
    const { frame, layout } = this;
    if (!frame || !layout) return;
    const { y, height } = this.rectOf(cell, layout);
    const most = y - layout.top;
    const least = y + height - (layout.height - layout.foot);
    const to = Math.max(Math.min(frame.scrollTop, most), least);
    if (to !== frame.scrollTop) frame.scrollTop = to;
  }
}
