import { html, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import type { Cell, Region } from "../../data/index.js";
import { around, between, moved, rectangle, regionOf, shownOf, zoomed } from "../../draw/region.js";
import { emit, type CellsPaintDetail } from "../events.js";
import { CELL, given, givenSmall, orNull } from "../shared/checked.js";
import type { ClientPoint as Point } from "../shared/figure.js";
import { keyListener } from "../shared/grid-navigation.js";
import { isSameCell, PairFigure } from "./pair-figure.js";

interface Drag {
  region: Region;
  from: Point;
  /** The distance between two fingers, and the cell between them. */
  fingers: { apart: number; at: Cell } | null;
}

/** A press that becomes a stroke when it reaches a second cell. */
interface Stroke {
  pointer: number;
  last: Cell | null;
  open: boolean;
  cells: Map<string, Cell>;
}

/** The factor of one zoom step, and of one wheel event; a turn of the wheel sends many. */
export const STEP = 0.5;
const WHEEL_STEP = 0.8;
/** The distance, in CSS pixels, below which a press that moves is still a click. */
const SLACK = 4;
const keyOf = ({ query, key }: Cell): string => `${query} ${key}`;
const distance = (one: Point, other: Point): number =>
  Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY));

/**
 * A matrix with zooming and panning (`headscope-region-change`), and while `blocking` is set
 * painting of cells: with the pointer, where the first cell decides whether a stroke blocks or
 * opens, or a rectangle with Shift and the arrows. A stroke is reported at its end
 * (`headscope-cells-paint`), and under `strokes="mask"` also with each cell that it reaches
 * (`headscope-cells-stroke`); a single cell is a click.
 *
 * @fires headscope-cells-paint - the pairs of one stroke, and whether they are to be allowed
 * @fires headscope-cells-stroke - the pairs of a stroke so far, or null when it is given up
 * @fires headscope-region-change - the part of the matrix to show, or null for all of it
 */
export abstract class PaintableFigure extends PairFigure {
  /** The region shown; null, or one outside the matrix, shows all of it. */
  @given(orNull({ query: "count", key: "count", rows: "count", columns: "count" }))
  region: Region | null = null;
  /**
   * The pair that a picture without a region is about: a matrix too large for its labels is shown
   * around it. With null, all of the matrix is shown.
   */
  @givenSmall(orNull(CELL)) near: Cell | null = null;
  /** The region around `near`; null where all has room. */
  protected nearby: Region | null = null;
  /**
   * The look of cells under a stroke: blocked or free until the page answers, or only outlined
   * until the stroke ends.
   */
  @property() strokes: "mask" | "mark" = "mask";
  /** The other corner of the rectangle that the keyboard selects. */
  @state() anchor: Cell | null = null;
  private readonly points = new Map<number, Point>();
  private drag: Drag | null = null;
  private stroke: Stroke | null = null;
  /** Whether the next click ends a drag or a stroke, and is swallowed. */
  private isDragged = false;
  protected abstract get cellSide(): number;
  /** Whether a pair is masked, as far as the figure knows. */
  protected abstract isMasked(cell: Cell): boolean;
  abstract paintStroke(cells: readonly Cell[], open: boolean): void;
  abstract endStroke(reported: boolean): void;

  get visible(): Region | null {
    return this.region ? regionOf(this.region, this) : this.nearby;
  }

  /** The stroke so far; null before its second cell. */
  protected get painting(): CellsPaintDetail | null {
    const { stroke } = this;
    return stroke && stroke.cells.size > 1
      ? { cells: [...stroke.cells.values()], open: stroke.open }
      : null;
  }

  /** Handles a moving key; a step out of the region moves the region. */
  override step(key: string): Cell | null {
    const to = super.step(key);
    if (to && this.visible) this.requestRegion(around(this.visible, to));
    return to;
  }

  protected renderGestures(content: TemplateResult): TemplateResult {
    return html`<div
      class=${classMap({ frame: true, near: this.visible !== null, painting: this.blocking })}
      @pointerdown=${this.down}
      @pointermove=${{ handleEvent: this.move, capture: true }}
      @pointerup=${this.up}
      @pointercancel=${this.cancelled}
      @click=${{ handleEvent: this.clicked, capture: true }}
      @keydown=${{ handleEvent: this.pressed, capture: true }}
      @wheel=${this.wheeled}
      @touchmove=${this.pinched}
    >
      ${content}
    </div>`;
  }

  /** Zooms by a wheel with Ctrl; a browser reports a pinch on a touchpad this way too. */
  private readonly wheeled = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const factor = event.deltaY < 0 ? WHEEL_STEP : 1 / WHEEL_STEP;
    this.zoom(factor, this.cellUnder(event) ?? this.cursor);
  };

  /** Zooms by two fingers; one finger scrolls the page. */
  private readonly pinched = (event: TouchEvent): void => {
    if (event.touches.length > 1) event.preventDefault();
  };

  private readonly down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    this.points.set(event.pointerId, event);
    this.isDragged = false;
    this.beginDrag();
    const cell = this.blocking && !this.stroke ? this.cellUnder(event) : null;
    if (!cell) return;
    this.anchor = null;
    const cells = new Map([[keyOf(cell), cell]]);
    this.stroke = { pointer: event.pointerId, last: cell, open: this.isMasked(cell), cells };
  };

  private readonly move = (event: PointerEvent): void => {
    const { drag, stroke } = this;
    if (!this.points.has(event.pointerId)) return;
    // The button was released outside the page.
    if (event.buttons === 0) {
      this.up(event);
      return;
    }
    this.points.set(event.pointerId, event);
    if (stroke?.pointer === event.pointerId) this.extend(stroke, event);
    if (!drag) return;
    if (!this.isDragged) {
      // The whole matrix cannot be dragged, but always pinched.
      if (!drag.fingers && (!this.visible || distance(drag.from, event) < SLACK)) return;
      this.isDragged = true;
      this.hover(null);
      if (event.currentTarget instanceof Element)
        event.currentTarget.setPointerCapture(event.pointerId);
    }
    event.stopPropagation();
    this.requestRegion(this.dragged(event, drag));
  };

  private readonly up = ({ pointerId }: PointerEvent): void => {
    this.points.delete(pointerId);
    this.beginDrag();
    if (this.stroke?.pointer !== pointerId) return;
    const { painting } = this;
    this.stroke = null;
    this.isDragged = painting !== null;
    if (painting) this.report(painting);
  };

  private readonly cancelled = (event: PointerEvent): void => {
    if (this.stroke?.pointer === event.pointerId) this.cancelStroke();
    this.up(event);
  };

  private readonly clicked = (event: MouseEvent): void => {
    if (this.isDragged) event.stopPropagation();
    this.isDragged = false;
  };

  private readonly pressed = keyListener((key, event) => {
    if (key === "+" || key === "=") this.zoom(STEP);
    else if (key === "-") this.zoom(1 / STEP);
    else if (key === "0") this.requestRegion(null);
    else return this.blocking && this.paintByKey(key, event.shiftKey);
    return true;
  });

  protected zoom(factor: number, at: Cell = this.cursor): void {
    const now = shownOf(this.visible, this);
    const middle = { query: now.query + (now.rows >> 1), key: now.key + (now.columns >> 1) };
    const inside = around(now, at) === now ? at : middle;
    this.requestRegion(zoomed(this.visible, inside, factor, this));
  }

  protected requestRegion(region: Region | null): void {
    const next = shownOf(regionOf(region, this), this);
    const now = shownOf(this.visible, this);
    const isSame = isSameCell(next, now) && next.rows === now.rows && next.columns === now.columns;
    // All of a matrix that would be shown in part has to be asked for.
    if (!isSame) emit(this, "headscope-region-change", this.nearby ? next : regionOf(next, this));
  }

  private beginDrag(): void {
    const [first, second = first] = this.points.values();
    this.drag = null;
    if (!first || !second || this.blocking) return;
    const from = {
      clientX: (first.clientX + second.clientX) / 2,
      clientY: (first.clientY + second.clientY) / 2,
    };
    const at = first === second ? null : this.cellUnder(from);
    const fingers = at && { apart: distance(first, second), at };
    this.drag = { region: shownOf(this.visible, this), from, fingers };
  }

  private dragged(to: Point, { region, from, fingers }: Drag): Region | null {
    const [first, second] = this.points.values();
    if (!fingers) {
      const start = this.pointOf(from);
      const end = this.pointOf(to);
      if (!start || !end) return region;
      const cells = (length: number): number => Math.round(length / this.cellSide);
      return moved(region, cells(start.y - end.y), cells(start.x - end.x), this);
    }
    if (!first || !second) return region;
    return zoomed(region, fingers.at, fingers.apart / distance(first, second), this);
  }

  private extend(stroke: Stroke, event: PointerEvent): void {
    const cell = this.cellUnder(event);
    const way = cell ? between(stroke.last ?? cell, cell) : [];
    stroke.last = cell;
    const fresh = way.filter((one) => !stroke.cells.has(keyOf(one)));
    if (fresh.length === 0) return;
    const begins = stroke.cells.size === 1;
    if (begins && event.target instanceof Element) event.target.setPointerCapture(event.pointerId);
    for (const one of fresh) stroke.cells.set(keyOf(one), one);
    this.paintStroke(begins ? [...stroke.cells.values()] : fresh, stroke.open);
    this.reportSoFar();
  }

  /** Reports a stroke that goes on, or null for one that is given up. */
  private reportSoFar(): void {
    if (this.strokes === "mask") emit(this, "headscope-cells-stroke", this.painting);
  }

  private paintByKey(key: string, extending: boolean): boolean {
    const from = this.cursor;
    const to = this.step(key);
    if (to) {
      this.anchor = extending ? (this.anchor ?? from) : null;
      this.hover(to);
    } else if (key === "Enter" || key === " ") {
      const corner = this.anchor ?? from;
      this.anchor = null;
      if (isSameCell(corner, from)) emit(this, "headscope-cell-toggle", from);
      else {
        const stroke = { cells: rectangle(corner, from), open: this.isMasked(corner) };
        this.paintStroke(stroke.cells, stroke.open);
        this.report(stroke);
      }
    } else if (key === "Escape" && (this.anchor ?? this.stroke)) this.cancelStroke();
    else return false;
    return true;
  }

  private report(stroke: CellsPaintDetail): void {
    emit(this, "headscope-cells-paint", stroke);
    this.endStroke(true);
  }

  private cancelStroke(): void {
    this.anchor = null;
    this.isDragged = this.stroke !== null;
    const wasReported = this.painting !== null;
    this.stroke = null;
    if (wasReported) this.reportSoFar();
    this.endStroke(false);
  }
}
