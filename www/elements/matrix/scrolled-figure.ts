import { html, type TemplateResult } from "lit";
import { query, state } from "lit/decorators.js";
import type { Cell } from "../../data/index.js";
import { type Rect, scrollToRow, type ScrolledLayout } from "../../draw/layout.js";
import { Pen, type Inks, type Print } from "../../draw/theme.js";
import { language } from "../../i18n/index.js";
import { Memo } from "../shared/controllers.js";
import { canvases } from "../shared/figure-parts.js";
import { styled } from "../shared/templates.js";
import { PairFigure, type Lengths } from "./pair-figure.js";
import { tip } from "./table.js";

export interface Point {
  x: number;
  y: number;
}

export interface Room {
  width: number;
  ratio: number;
  comfortableHeight: number;
  /** The most that one label may take. */
  labels: Lengths;
}

export interface View {
  /** How far its rows are scrolled. */
  scroll: number;
  /** The pair that stands out. */
  focused: Cell | null;
  labels: Lengths;
}

/** What explains a picture that is apart from the page. */
export interface PrintedLegend {
  height: number;
  paint: (pen: Pen, x: number, y: number) => void;
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

  protected abstract paintStill(pen: Pen, layout: Layout, view: View): void;

  protected abstract paintMoving(pen: Pen, layout: Layout, view: View): void;

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
    const { width, ratio } = this.parts.size;
    if (!this.matrix || !this.hasUpdated || !this.labelled || width === 0) {
      this.layout = null;
      return;
    }
    const { labels, rows, columns, comfortableHeight, inks } = this;
    const texts = [labels, rows, columns];
    this.layout = this.placed.get(
      [...texts, width, ratio, comfortableHeight, inks, ...this.shape],
      () => this.place(inks, { width, ratio, comfortableHeight, labels: this.room }),
    );
    const { contentHeight, height } = this.layout;
    this.offset = Math.max(0, Math.min(this.offset, contentHeight - height));
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
    const { layout } = this;
    const height = (of: number | undefined): Record<string, string> =>
      layout ? { width: `${layout.width}px`, height: `${of}px` } : {};
    const cell = this.tipped;
    return html`<div class="frame scrolled" style=${styled(layout ? { height: `${layout.height}px` } : {})} @scroll=${this.scrolled}>
      ${this.renderStage(
        height(layout?.contentHeight),
        html`<div class="window" style=${styled(height(layout?.height))} @pointermove=${this.pointed} @pointerdown=${this.pointed} @pointerleave=${() => this.point(null)}>
            ${canvases("cells", "axes")}
          </div>
          ${cell && layout ? tip(this.words(cell), this.rectOf(cell, layout), layout.width) : null}`,
      )}
    </div>`;
  }

  protected override updated(): void {
    const { layout, cells, axes, offset, inks } = this;
    if (!layout || !cells || !axes) return;
    const view = { scroll: offset, focused: this.shown, labels: this.room };
    const { width, height } = layout;
    this.painted.get([cells, layout, offset, inks, language(), ...this.still(inks)], () => {
      const pen = this.parts.pen(cells, width, height);
      if (pen) this.paintStill(pen, layout, view);
    });
    const pen = this.parts.pen(axes, width, height);
    if (pen) this.paintMoving(pen, layout, view);
    const held = this.inside(this.locked);
    this.revealed.get([this.labels, held?.query, held?.key], () => {
      if (held) this.reveal(held);
    });
  }

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
