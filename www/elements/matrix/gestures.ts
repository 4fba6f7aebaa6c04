import type { Cell, Region } from "../../data/index.js";
import { around, between, moved, rectangle, regionOf, shownOf, zoomed } from "../../draw/region.js";
import { emit, type CellsPaintDetail } from "../events.js";
import type { ClientPoint as Point } from "../shared/figure.js";
import { isShortcut } from "../shared/grid-navigation.js";
import { isSameCell, type PairFigure } from "./pair-figure.js";

/** A matrix figure that shows a region and whose cells can be painted. */
export interface MatrixPad extends PairFigure {
  /** The region shown; null for the whole matrix. */
  readonly held: Region | null;
  /** Side of a cell in CSS pixels. */
  readonly cellSide: number;
  /** The other corner of the rectangle that the keyboard selects; null for none. */
  anchor: Cell | null;
  /** Whether a pair is masked, as far as the figure knows. */
  isClosed(cell: Cell): boolean;
  /** Paints further cells of a stroke at once. */
  paintStroke(cells: readonly Cell[], open: boolean): void;
  /** A stroke has ended; `reported` is whether the page knows of it. */
  endStroke(reported: boolean): void;
}

/** A press that may become a drag or a pinch. */
interface Drag {
  region: Region;
  from: Point;
  /** The distance between two fingers, and the cell between them. */
  fingers: { apart: number; at: Cell } | null;
}

/** A press that becomes a stroke when it reaches a second cell. */
interface Stroke {
  pointer: number;
  /** Null while the pointer is outside the cells. */
  last: Cell | null;
  open: boolean;
  cells: Map<string, Cell>;
}

/** The factor of one zoom step. */
export const STEP = 0.5;
/** The factor of one wheel event; a turn of the wheel sends many. */
const WHEEL_STEP = 0.8;
/** A press that moves less than this, in CSS pixels, is a click. */
const SLACK = 4;

const keyOf = ({ query, key }: Cell): string => `${query} ${key}`;

const distance = (one: Point, other: Point): number =>
  Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY));

/**
 * Zooming and panning in a large matrix (`headscope-region-change`), and while `blocking` is set painting of cells: with the
 * pointer, where the first cell decides whether a stroke blocks or opens, or a rectangle with Shift and the arrows. A stroke
 * is reported once, at its end (`headscope-cells-paint`); a single cell is a click.
 */
export class MatrixGestures {
  private readonly points = new Map<number, Point>();
  private drag: Drag | null = null;
  private stroke: Stroke | null = null;
  /** Whether the next click ends a drag or a stroke, and is swallowed. */
  private moved = false;

  constructor(private readonly pad: MatrixPad) {}

  /** The stroke so far; null before its second cell. */
  get painting(): CellsPaintDetail | null {
    return this.stroke && this.stroke.cells.size > 1
      ? { cells: [...this.stroke.cells.values()], open: this.stroke.open }
      : null;
  }

  /** A wheel with Ctrl; a browser reports a pinch on a touchpad this way too. */
  readonly wheeled = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const factor = event.deltaY < 0 ? WHEEL_STEP : 1 / WHEEL_STEP;
    this.zoom(factor, this.pad.cellUnder(event) ?? this.pad.cursor);
  };

  /** Two fingers zoom the figure, one scrolls the page. */
  readonly touched = (event: TouchEvent): void => {
    if (event.touches.length > 1) event.preventDefault();
  };

  readonly down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const { pad } = this;
    this.points.set(event.pointerId, event);
    this.moved = false;
    this.beginDrag();
    const cell = pad.blocking && !this.stroke ? pad.cellUnder(event) : null;
    if (!cell) return;
    pad.anchor = null;
    const cells = new Map([[keyOf(cell), cell]]);
    this.stroke = { pointer: event.pointerId, last: cell, open: pad.isClosed(cell), cells };
  };

  readonly move = (event: PointerEvent): void => {
    const { drag, stroke, pad } = this;
    if (!this.points.has(event.pointerId)) return;
    // The button was released outside the page.
    if (event.buttons === 0) {
      this.up(event);
      return;
    }
    this.points.set(event.pointerId, event);
    if (stroke?.pointer === event.pointerId) this.extend(stroke, event);
    if (!drag) return;
    if (!this.moved) {
      // The whole matrix cannot be dragged, but always pinched.
      if (!drag.fingers && (!pad.held || distance(drag.from, event) < SLACK)) return;
      this.moved = true;
      pad.hover(null);
      if (event.currentTarget instanceof Element)
        event.currentTarget.setPointerCapture(event.pointerId);
    }
    event.stopPropagation();
    this.ask(this.dragged(event, drag));
  };

  readonly up = ({ pointerId }: PointerEvent): void => {
    this.points.delete(pointerId);
    this.beginDrag();
    if (this.stroke?.pointer !== pointerId) return;
    const { painting } = this;
    this.stroke = null;
    this.moved = painting !== null;
    if (painting) this.report(painting);
  };

  readonly cancelled = (event: PointerEvent): void => {
    if (this.stroke?.pointer === event.pointerId) this.giveUp();
    this.up(event);
  };

  readonly clicked = (event: MouseEvent): void => {
    if (this.moved) event.stopPropagation();
    this.moved = false;
  };

  readonly pressed = (event: KeyboardEvent): void => {
    const { key } = event;
    if (isShortcut(event)) return;
    if (key === "+" || key === "=") this.zoom(STEP);
    else if (key === "-") this.zoom(1 / STEP);
    else if (key === "0") this.ask(null);
    else if (!this.pad.blocking || !this.paintByKey(key, event.shiftKey)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  zoom(factor: number, at: Cell = this.pad.cursor): void {
    const held = shownOf(this.pad.held, this.pad);
    const middle = { query: held.query + (held.rows >> 1), key: held.key + (held.columns >> 1) };
    const inside = around(held, at) === held ? at : middle;
    this.ask(zoomed(this.pad.held, inside, factor, this.pad));
  }

  /** Moves the region so that it contains a cell. */
  follow(cell: Cell): void {
    if (this.pad.held) this.ask(around(this.pad.held, cell));
  }

  ask(region: Region | null): void {
    const [next, now] = [regionOf(region, this.pad), this.pad.held];
    const isSame =
      isSameCell(next, now) && next?.rows === now?.rows && next?.columns === now?.columns;
    if (!isSame) emit(this.pad, "headscope-region-change", next);
  }

  /** Starts a drag from the present positions of the fingers. */
  private beginDrag(): void {
    const [first, second] = this.points.values();
    this.drag = null;
    if (!first || this.pad.blocking) return;
    const from = second
      ? {
          clientX: (first.clientX + second.clientX) / 2,
          clientY: (first.clientY + second.clientY) / 2,
        }
      : first;
    const at = this.pad.cellUnder(from);
    const fingers = second && at ? { apart: distance(first, second), at } : null;
    this.drag = { region: shownOf(this.pad.held, this.pad), from, fingers };
  }

  private dragged(to: Point, { region, from, fingers }: Drag): Region | null {
    const { pad } = this;
    const [first, second] = this.points.values();
    if (fingers)
      return first && second
        ? zoomed(region, fingers.at, fingers.apart / distance(first, second), pad)
        : region;
    const cells = (pixels: number): number => Math.round(pixels / pad.cellSide);
    return moved(region, cells(from.clientY - to.clientY), cells(from.clientX - to.clientX), pad);
  }

  private extend(stroke: Stroke, event: PointerEvent): void {
    const cell = this.pad.cellUnder(event);
    const way = cell ? between(stroke.last ?? cell, cell) : [];
    stroke.last = cell;
    const fresh = way.filter((one) => !stroke.cells.has(keyOf(one)));
    if (fresh.length === 0) return;
    const begins = stroke.cells.size === 1;
    if (begins && event.target instanceof Element) event.target.setPointerCapture(event.pointerId);
    for (const one of fresh) stroke.cells.set(keyOf(one), one);
    this.pad.paintStroke(begins ? [...stroke.cells.values()] : fresh, stroke.open);
  }

  /** Handles a key of painting; false for every other key. */
  private paintByKey(key: string, extending: boolean): boolean {
    const { pad } = this;
    const from = pad.cursor;
    const to = pad.step(key);
    if (to) {
      pad.anchor = extending ? (pad.anchor ?? from) : null;
      pad.hover(to);
    } else if (key === "Enter" || key === " ") {
      const corner = pad.anchor ?? from;
      pad.anchor = null;
      if (isSameCell(corner, from)) emit(pad, "headscope-cell-toggle", from);
      else {
        const stroke = { cells: rectangle(corner, from), open: pad.isClosed(corner) };
        pad.paintStroke(stroke.cells, stroke.open);
        this.report(stroke);
      }
    } else if (key === "Escape" && (pad.anchor ?? this.stroke)) this.giveUp();
    else return false;
    return true;
  }

  private report(stroke: CellsPaintDetail): void {
    emit(this.pad, "headscope-cells-paint", stroke);
    this.pad.endStroke(true);
  }

  private giveUp(): void {
    this.pad.anchor = null;
    this.moved = this.stroke !== null;
    this.stroke = null;
    this.pad.endStroke(false);
  }
}
