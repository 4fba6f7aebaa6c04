import { html, type TemplateResult } from "lit";
import { query, state } from "lit/decorators.js";
import type { Cell } from "../../data/index.js";
import { type Rect, scrollToRow, type ScrolledLayout } from "../../draw/layout.js";
import type { Print, Brush, Inks } from "../../draw/theme.js";
import { language } from "../../i18n/index.js";
import { Memo } from "../shared/controllers.js";
import { styled } from "../shared/templates.js";
import { sizedBrush } from "./canvas.js";
import { PairFigure } from "./pair-figure.js";
import { tip } from "./table.js";

/** A point of the window, in CSS pixels. */
export interface Point {
  x: number;
  y: number;
}

/** The room that a figure is laid out in. */
export interface Room {
  width: number;
  /** Device pixels per CSS pixel. */
  ratio: number;
  comfortableHeight: number;
  /** The most that one label may take. */
  labels: { query: number; key: number };
}

/** What is seen of a figure. */
export interface View {
  /** How far its rows are scrolled. */
  scroll: number;
  /** The pair that stands out. */
  focused: Cell | null;
  labels: Room["labels"];
}

/** What explains a picture that is apart from the page. */
export interface PrintedLegend {
  height: number;
  paint: (brush: Brush, x: number, y: number) => void;
}

/** On paper there is room for long words, and rows shrink only in a long text. */
const PRINT = { labels: { query: 200, key: 200 }, pitch: 28, smallPitch: 18, easyRows: 60 };

/**
 * A figure with a row for each token: a long text scrolls inside it. Its canvases are as large as the window, not as
 * the text, which no browser could hold.
 */
export abstract class ScrolledFigure<Layout extends ScrolledLayout> extends PairFigure {
  @state() protected offset = 0;
  @query(".frame") private frame!: HTMLElement | null;
  @query(".window") private window!: HTMLElement | null;
  @query(".cells") private cells!: HTMLCanvasElement | null;
  @query(".axes") private axes!: HTMLCanvasElement | null;

  protected layout: Layout | null = null;
  private readonly placed = new Memo<Layout>();
  private readonly painted = new Memo<void>();
  private readonly revealed = new Memo<void>();

  /** What the layout depends on besides the texts, the room and the inks. */
  protected abstract readonly shape: readonly unknown[];

  protected abstract place(inks: Inks, room: Room): Layout;

  /** What the lower canvas shows, which stays while the pointer moves: it is painted again when any of this changes. */
  protected abstract still(inks: Inks): readonly unknown[];

  protected abstract paintStill(brush: Brush, layout: Layout, inks: Inks, view: View): void;

  protected abstract paintMoving(brush: Brush, layout: Layout, inks: Inks, view: View): void;

  /** The width that it has apart from the page, and what stands under it there. */
  protected abstract readonly printWidth: number;

  protected abstract printLegend(inks: Inks): PrintedLegend | null;

  /** Where a pair is, if nothing were scrolled. */
  protected abstract rectOf(cell: Cell, layout: Layout): Rect;

  /** The row that has to be in sight for a pair. */
  protected abstract rowOf(cell: Cell): number;

  /** The pair under a point of the window. */
  protected abstract cellAt(point: Point, layout: Layout): Cell | null;

  /** The pointer is on a point of the window, or has left it. */
  protected abstract point(at: Point | null): void;

  cellUnder(event: MouseEvent): Cell | null {
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
    const { inks } = this.look;
    const { comfortableHeight } = this;
    const inputs = [
      this.labels,
      this.rows,
      this.columns,
      width,
      ratio,
      comfortableHeight,
      inks,
      ...this.shape,
    ];
    this.layout = this.placed.get(inputs, () =>
      this.place(inks, { width, ratio, comfortableHeight, labels: this.room }),
    );
    this.offset = Math.max(
      0,
      Math.min(this.offset, this.layout.contentHeight - this.layout.height),
    );
  }

  override print(inks: Inks): Print | null {
    if (!this.matrix || !this.labelled || this.matrix.data.length === 0) return null;
    const count = Math.max(this.rows, this.columns);
    const pitch = count > PRINT.easyRows ? PRINT.smallPitch : PRINT.pitch;
    // With so much height nothing scrolls.
    const layout = this.place(inks, {
      width: this.printWidth,
      ratio: 1,
      comfortableHeight: count * pitch,
      labels: PRINT.labels,
    });
    const view = { scroll: 0, focused: this.inside(this.locked), labels: PRINT.labels };
    const legend = this.printLegend(inks);
    const paint = (brush: Brush): void => {
      this.paintStill(brush, layout, inks, view);
      this.paintMoving(brush, layout, inks, view);
      legend?.paint(brush, 0, layout.height + 8);
    };
    return { width: layout.width, height: layout.height + (legend?.height ?? 0), paint };
  }

  /** What the page shows of it. */
  private get view(): View {
    return { scroll: this.offset, focused: this.shown, labels: this.room };
  }

  protected override renderPicture(): TemplateResult {
    const { layout } = this;
    const whole = layout ? { width: `${layout.width}px`, height: `${layout.contentHeight}px` } : {};
    const seen = layout ? { width: `${layout.width}px`, height: `${layout.height}px` } : {};
    const cell = this.tipped;
    return html`<div class="frame scrolled" style=${styled(layout ? { height: `${layout.height}px` } : {})} @scroll=${this.scrolled}>
      ${this.renderStage(
        whole,
        html`<div class="window" style=${styled(seen)} @pointermove=${this.pointed} @pointerdown=${this.pointed} @pointerleave=${() => this.point(null)}>
            <canvas class="cells" part="canvas" aria-hidden="true"></canvas>
            <canvas class="axes" part="canvas" aria-hidden="true"></canvas>
          </div>
          ${cell && layout ? tip(this.words(cell), this.rectOf(cell, layout), layout.width) : null}`,
      )}
    </div>`;
  }

  protected override updated(): void {
    const { layout, cells, axes } = this;
    if (!layout || !cells || !axes) return;
    const { inks } = this.look;
    this.painted.get([cells, layout, this.offset, inks, language(), ...this.still(inks)], () => {
      const brush = sizedBrush(cells, layout.width, layout.height, this.size.ratio);
      if (brush) this.paintStill(brush, layout, inks, this.view);
    });
    const brush = sizedBrush(axes, layout.width, layout.height, this.size.ratio);
    if (brush) this.paintMoving(brush, layout, inks, this.view);
    const held = this.inside(this.locked);
    this.revealed.get([this.labels, held?.query, held?.key], () => {
      if (held) this.reveal(held);
    });
  }

  /** Brings a pair into sight. */
  protected reveal(cell: Cell): void {
    const { frame, layout } = this;
    if (!frame || !layout) return;
    const to = scrollToRow(layout, frame.scrollTop, this.rowOf(cell));
    if (to !== frame.scrollTop) frame.scrollTop = to;
  }

  private pointOf(event: MouseEvent): Point | null {
    const box = this.window?.getBoundingClientRect();
    return box ? { x: event.clientX - box.x, y: event.clientY - box.y } : null;
  }

  private readonly pointed = (event: PointerEvent): void => {
    this.point(this.pointOf(event));
  };

  private readonly scrolled = (): void => {
    this.offset = this.frame?.scrollTop ?? 0;
  };
}
