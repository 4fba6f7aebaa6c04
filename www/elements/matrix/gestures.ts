import type { Cell, Region } from "../../data/index.js";
import {
  around,
  between,
  moved,
  rectangle,
  regionOf,
  shownOf,
  zoomed,
  type Extent,
} from "../../draw/region.js";
import { emit, type CellsPaintDetail } from "../events.js";
import type { ClientPoint as Point } from "../shared/figure.js";
import { isShortcut } from "../shared/grid-navigation.js";

/** The figure that a gesture reads and changes. */
export interface MatrixPad extends EventTarget, Extent {
  readonly locked: Cell | null;
  /** Whether a press toggles and paints cells instead of locking them. */
  readonly blocking: boolean;
  hovered: Cell | null;
  touched: boolean;
  readonly cursor: Cell;
  cellUnder(event: MouseEvent): Cell | null;
  step(key: string): Cell | null;
}

const sameCell = (one: Cell | null, other: Cell | null): boolean =>
  one?.query === other?.query && one?.key === other?.key;

function consume(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Hovering, locking and toggling of cells by pointer and keyboard. */
export class MatrixPointer {
  constructor(private readonly pad: MatrixPad) {}

  readonly moved = (event: PointerEvent): void => {
    this.pad.touched = event.pointerType === "touch";
    if (!this.pad.touched) this.hover(this.pad.cellUnder(event));
  };

  readonly left = (): void => {
    this.hover(null);
  };

  readonly clicked = (event: MouseEvent): void => {
    const { pad } = this;
    const cell = pad.cellUnder(event);
    if (!cell) return;
    if (pad.blocking) emit(pad, "headscope-cell-toggle", cell);
    else emit(pad, "headscope-cell-lock", sameCell(cell, pad.locked) ? null : cell);
  };

  readonly pressed = (event: KeyboardEvent): void => {
    const { pad } = this;
    const { key } = event;
    if (isShortcut(event) || pad.rows === 0 || pad.columns === 0) return;
    const { cursor } = pad;
    const step = pad.step(key);
    if (step) this.hover(step);
    else if (key === "Enter" || key === " ") emit(pad, "headscope-cell-lock", cursor);
    else if (key === "b" || key === "x") emit(pad, "headscope-cell-toggle", cursor);
    else if (key === "Escape") {
      emit(pad, "headscope-cell-lock", null);
      this.hover(null);
    } else return;
    consume(event);
  };

  hover(cell: Cell | null): void {
    if (sameCell(cell, this.pad.hovered)) return;
    this.pad.hovered = cell;
    emit(this.pad, "headscope-cell-hover", cell);
  }
}

/** A matrix figure that shows a region and whose cells can be painted. */
export interface GesturePad extends MatrixPad {
  /** The region shown; null for the whole matrix. */
  readonly held: Region | null;
  /** Side of a cell in CSS pixels. */
  readonly cellSide: number;
  /** The other corner of the rectangle that the keyboard selects; null for none. */
  anchor: Cell | null;
  cellUnder(event: Point): Cell | null;
  /** A drag begins: the pointer hovers over no cell. */
  letGo(): void;
  /** Moves the keyboard to a cell. */
  go(cell: Cell): void;
  /** Whether a pair is masked, as far as the figure knows. */
  isClosed(cell: Cell): boolean;
  /** Paints further cells of a stroke at once. */
  dab(cells: readonly Cell[], open: boolean): void;
  /** Removes a stroke that was given up. */
  wipe(): void;
  /** A stroke has ended and was reported. */
  over(): void;
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

  constructor(private readonly pad: GesturePad) {}

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
    this.grasp();
    const cell = pad.blocking && !this.stroke ? pad.cellUnder(event) : null;
    if (!cell) return;
    pad.anchor = null;
    const cells = new Map([[nameOf(cell), cell]]);
    this.stroke = { pointer: event.pointerId, last: cell, open: pad.isClosed(cell), cells };
  };

  readonly move = (event: PointerEvent): void => {
    const { drag, stroke } = this;
    if (!this.points.has(event.pointerId)) return;
    // The button was released outside the page.
    if (event.buttons === 0) {
      this.up(event);
      return;
    }
    this.points.set(event.pointerId, event);
    if (stroke?.pointer === event.pointerId) this.extend(stroke, event);
    if (!drag || (!this.moved && !this.start(event, drag))) return;
    event.stopPropagation();
    this.ask(this.dragged(event, drag));
  };

  readonly up = ({ pointerId }: PointerEvent): void => {
    this.points.delete(pointerId);
    this.grasp();
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
    if (isShortcut(event)) return;
    const { key } = event;
    const painted = this.pad.blocking && this.paintByKey(key, event.shiftKey);
    if (key === "+" || key === "=") this.zoom(STEP);
    else if (key === "-") this.zoom(1 / STEP);
    else if (key === "0") this.ask(null);
    else if (!painted) return;
    consume(event);
  };

  zoom(factor: number, at: Cell = this.pad.cursor): void {
    const held = shownOf(this.pad.held, this.pad);
    const inside =
      around(held, at) === held
        ? at
        : { query: held.query + (held.rows >> 1), key: held.key + (held.columns >> 1) };
    this.ask(zoomed(this.pad.held, inside, factor, this.pad));
  }

  /** Moves the region so that it contains a cell. */
  follow(cell: Cell): void {
    if (this.pad.held) this.ask(around(this.pad.held, cell));
  }

  ask(region: Region | null): void {
    const { pad } = this;
    const [next, now] = [regionOf(region, pad), pad.held];
    const same =
      next && now
        ? sameCell(next, now) && next.rows === now.rows && next.columns === now.columns
        : next === now;
    if (!same) emit(pad, "headscope-region-change", next);
  }

  /** Starts a drag from the present positions of the fingers. */
  private grasp(): void {
    const [first, second] = this.points.values();
    this.drag = null;
    if (!first || this.pad.blocking) return;
    const from = second ? midpoint(first, second) : first;
    const at = this.pad.cellUnder(from);
    const fingers = second && at ? { apart: Math.max(1, apart(first, second)), at } : null;
    this.drag = { region: shownOf(this.pad.held, this.pad), from, fingers };
  }

  /** Whether a drag begins: the whole matrix cannot be dragged, but always pinched. */
  private start(event: PointerEvent, { from, fingers }: Drag): boolean {
    if (!fingers && (!this.pad.held || apart(from, event) < SLACK)) return false;
    this.moved = true;
    this.pad.letGo();
    if (event.currentTarget instanceof Element)
      event.currentTarget.setPointerCapture(event.pointerId);
    return true;
  }

  private dragged(to: Point, { region, from, fingers }: Drag): Region | null {
    const { pad } = this;
    if (!fingers) {
      const cells = (pixels: number): number => Math.round(pixels / pad.cellSide);
      return moved(region, cells(from.clientY - to.clientY), cells(from.clientX - to.clientX), pad);
    }
    const [first, second] = this.points.values();
    return first && second
      ? zoomed(region, fingers.at, fingers.apart / Math.max(1, apart(first, second)), pad)
      : region;
  }

  private extend(stroke: Stroke, event: PointerEvent): void {
    const cell = this.pad.cellUnder(event);
    const way = cell ? between(stroke.last ?? cell, cell) : [];
    stroke.last = cell;
    const fresh = way.filter((one) => !stroke.cells.has(nameOf(one)));
    if (fresh.length === 0) return;
    const begins = stroke.cells.size === 1;
    if (begins && event.target instanceof Element) event.target.setPointerCapture(event.pointerId);
    for (const one of fresh) stroke.cells.set(nameOf(one), one);
    this.pad.dab(begins ? [...stroke.cells.values()] : fresh, stroke.open);
  }

  /** Handles a key of painting; false for every other key. */
  private paintByKey(key: string, extending: boolean): boolean {
    const { pad } = this;
    const from = pad.cursor;
    const to = pad.step(key);
    if (to) {
      pad.anchor = extending ? (pad.anchor ?? from) : null;
      pad.go(to);
    } else if (key === "Enter" || key === " ") this.paintRectangle(pad.anchor ?? from, from);
    else if (key === "Escape" && (pad.anchor ?? this.stroke)) this.giveUp();
    else return false;
    return true;
  }

  private paintRectangle(from: Cell, to: Cell): void {
    const { pad } = this;
    const cells = rectangle(from, to);
    pad.anchor = null;
    const [only] = cells;
    if (cells.length === 1 && only) {
      emit(pad, "headscope-cell-toggle", only);
      return;
    }
    const open = pad.isClosed(from);
    pad.dab(cells, open);
    this.report({ cells, open });
  }

  private report(stroke: CellsPaintDetail): void {
    emit(this.pad, "headscope-cells-paint", stroke);
    this.pad.over();
  }

  private giveUp(): void {
    this.pad.anchor = null;
    this.moved = this.stroke !== null;
    this.stroke = null;
    this.pad.wipe();
  }
}

function apart(one: Point, other: Point): number {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}

function midpoint(one: Point, other: Point): Point {
  return { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 };
}

function nameOf({ query, key }: Cell): string {
  return `${query} ${key}`;
}
