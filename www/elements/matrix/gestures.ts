import type { Cell, Region } from "../../data/index.js";
import {
  around,
  moved,
  regionOf,
  shownOf,
  zoomed,
  type Extent,
  between,
  rectangle,
} from "../../draw/region.js";
import { emit, type CellsPaintDetail } from "../events.js";
import { isShortcut } from "../shared/grid-navigation.js";

/** What the pointer and the keyboard need to know of a matrix figure. */
export interface MatrixPad extends EventTarget {
  readonly rows: number;
  readonly columns: number;
  readonly locked: Cell | null;
  /** Whether a click toggles a cell instead of locking it. */
  readonly blocking: boolean;
  hovered: Cell | null;
  /** Whether the finger, not a mouse, was used last. */
  touched: boolean;
  cellUnder(event: MouseEvent): Cell | null;
  /** Where the keyboard stands before its first step. */
  readonly cursor: Cell;
  /** Where a moving key leads from there; null for every other key. */
  step(key: string): Cell | null;
}

const sameCell = (one: Cell | null, other: Cell | null): boolean =>
  one?.query === other?.query && one?.key === other?.key;

/** Turns what a person does on the figure into its events. */
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
    const cell = this.pad.cellUnder(event);
    if (!cell) return;
    if (this.pad.blocking) this.toggle(cell);
    else emit(this.pad, "headscope-cell-lock", sameCell(cell, this.pad.locked) ? null : cell);
  };

  readonly pressed = (event: KeyboardEvent): void => {
    if (isShortcut(event) || this.pad.rows === 0 || this.pad.columns === 0) return;
    if (!this.act(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Does what a key asks; false for a key that means nothing here. */
  private act(key: string): boolean {
    const { cursor } = this.pad;
    const step = this.pad.step(key);
    if (step) this.hover(step);
    else if (key === "Enter" || key === " ") emit(this.pad, "headscope-cell-lock", cursor);
    else if (key === "Escape") this.release();
    else if (key === "b" || key === "x") this.toggle(cursor);
    else return false;
    return true;
  }

  hover(cell: Cell | null): void {
    if (sameCell(cell, this.pad.hovered)) return;
    this.pad.hovered = cell;
    emit(this.pad, "headscope-cell-hover", cell);
  }

  private toggle(cell: Cell): void {
    emit(this.pad, "headscope-cell-toggle", cell);
  }

  private release(): void {
    emit(this.pad, "headscope-cell-lock", null);
    this.hover(null);
  }
}

/** What the gestures need to know of a matrix figure. */
export interface RegionPad extends EventTarget, Extent {
  /** What is shown; null for all of it. */
  readonly held: Region | null;
  /** Side of a cell in CSS pixels. */
  readonly cellSide: number;
  readonly cursor: Cell;
  /** While set, a press is for a cell. */
  readonly blocking: boolean;
  cellUnder(event: { clientX: number; clientY: number }): Cell | null;
  /** The pointer is no longer at a cell. */
  letGo(): void;
}

interface Point {
  clientX: number;
  clientY: number;
}

/** A press that may become a drag, or two fingers. */
interface DragGrip {
  region: Region;
  from: Point;
  /** The distance between two fingers, and the cell between them. */
  fingers: { apart: number; at: Cell } | null;
}

/** How much nearer one step goes. */
export const STEP = 0.5;
/** One notch of a wheel, which sends many. */
const WHEEL_STEP = 0.8;
/** A hand is not still: this far, in CSS pixels, a press is a click. */
const SLACK = 4;

/** Turns what a person does to see more or less of a large matrix into `headscope-region-change`. */
export class RegionPointer {
  private readonly points = new Map<number, Point>();
  private grip: DragGrip | null = null;
  private dragging = false;

  constructor(private readonly pad: RegionPad) {}

  /** The browser's own gesture for it: a wheel with Ctrl, two fingers on a touchpad. */
  readonly wheeled = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoom(
      event.deltaY < 0 ? WHEEL_STEP : 1 / WHEEL_STEP,
      this.pad.cellUnder(event) ?? this.pad.cursor,
    );
  };

  readonly down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    this.points.set(event.pointerId, event);
    this.dragging = false;
    this.take();
  };

  readonly move = (event: PointerEvent): void => {
    if (!this.points.has(event.pointerId)) return;
    // Let go where nobody heard of it.
    if (event.buttons === 0) {
      this.up(event);
      return;
    }
    this.points.set(event.pointerId, event);
    const { grip } = this;
    if (!grip) return;
    if (!this.dragging && !this.start(event, grip)) return;
    event.stopPropagation();
    this.ask(grip.fingers ? this.pinched(grip, grip.fingers) : this.dragged(event, grip));
  };

  readonly up = (event: PointerEvent): void => {
    this.points.delete(event.pointerId);
    this.take();
  };

  /** The end of a drag is no click. */
  readonly clicked = (event: MouseEvent): void => {
    if (this.dragging) event.stopPropagation();
    this.dragging = false;
  };

  /** Two fingers are for the figure, one is for the page. */
  readonly touched = (event: TouchEvent): void => {
    if (event.touches.length > 1) event.preventDefault();
  };

  readonly pressed = (event: KeyboardEvent): void => {
    if (isShortcut(event)) return;
    if (event.key === "+" || event.key === "=") this.zoom(STEP);
    else if (event.key === "-") this.zoom(1 / STEP);
    else if (event.key === "0") this.ask(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  zoom(factor: number, at: Cell = this.pad.cursor): void {
    const held = shownOf(this.pad.held, this.pad);
    const inside =
      around(held, at) === held
        ? at
        : { query: held.query + (held.rows >> 1), key: held.key + (held.columns >> 1) };
    this.ask(zoomed(this.pad.held, inside, factor, this.pad));
  }

  /** Shows a cell that the keyboard has come to. */
  follow(cell: Cell): void {
    if (this.pad.held) this.ask(around(this.pad.held, cell));
  }

  /** Whole again, or what is asked for. */
  ask(region: Region | null): void {
    const next = regionOf(region, this.pad);
    if (!sameRegion(next, this.pad.held)) emit(this.pad, "headscope-region-change", next);
  }

  /** Where fingers are now is where a gesture starts from. */
  private take(): void {
    const [first, second] = this.points.values();
    if (!first || this.pad.blocking) {
      this.grip = null;
      return;
    }
    const middle = second ? midpoint(first, second) : first;
    const at = this.pad.cellUnder(middle);
    const fingers = second && at ? { apart: Math.max(1, apart(first, second)), at } : null;
    this.grip = { region: shownOf(this.pad.held, this.pad), from: middle, fingers };
  }

  /** A drag of the whole matrix would lead nowhere; two fingers always mean something. */
  private start(event: PointerEvent, { from, fingers }: DragGrip): boolean {
    if (!fingers && (!this.pad.held || apart(from, event) < SLACK)) return false;
    this.dragging = true;
    this.pad.letGo();
    if (event.currentTarget instanceof Element)
      event.currentTarget.setPointerCapture(event.pointerId);
    return true;
  }

  private dragged(to: Point, { region, from }: DragGrip): Region {
    const cells = (pixels: number): number => Math.round(pixels / this.pad.cellSide);
    return moved(
      region,
      cells(from.clientY - to.clientY),
      cells(from.clientX - to.clientX),
      this.pad,
    );
  }

  private pinched({ region }: DragGrip, fingers: { apart: number; at: Cell }): Region | null {
    const [first, second] = this.points.values();
    return first && second
      ? zoomed(region, fingers.at, fingers.apart / Math.max(1, apart(first, second)), this.pad)
      : region;
  }
}

function apart(one: Point, other: Point): number {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}

function midpoint(one: Point, other: Point): Point {
  return { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 };
}

function sameRegion(one: Region | null, other: Region | null): boolean {
  if (!one || !other) return one === other;
  return (
    one.query === other.query &&
    one.key === other.key &&
    one.rows === other.rows &&
    one.columns === other.columns
  );
}

/** What a stroke needs to know of a matrix figure. */
export interface StrokePad extends EventTarget {
  /** Whether cells are painted at all. */
  readonly blocking: boolean;
  readonly cursor: Cell;
  /** The other corner of the rectangle that the keyboard has laid out; null for none. */
  anchor: Cell | null;
  cellUnder(event: { clientX: number; clientY: number }): Cell | null;
  step(key: string): Cell | null;
  /** Takes the keyboard to a cell. */
  go(cell: Cell): void;
  /** Whether a query may not look at a key, as far as the figure knows. */
  isClosed(cell: Cell): boolean;
  /** Some more cells of a stroke, to be shown at once. */
  dab(cells: readonly Cell[], open: boolean): void;
  /** A stroke that was given up leaves no trace. */
  wipe(): void;
  /** A stroke is over and was said. */
  over(): void;
}

/** A press that becomes a stroke as soon as it reaches a second cell. */
interface StrokeGrip {
  pointer: number;
  /** Null where the pointer is out of the cells. */
  last: Cell | null;
  open: boolean;
  cells: Map<string, Cell>;
}

/**
 * Paints cells of a matrix while that is switched on: with the pointer, whose first cell decides whether the stroke blocks
 * or opens, or a rectangle by Shift and the arrows. A stroke is said once, when it is over; one cell alone is a click.
 */
export class MatrixStroke {
  private grip: StrokeGrip | null = null;
  private painted = false;

  constructor(private readonly pad: StrokePad) {}

  get stroke(): CellsPaintDetail | null {
    return this.grip && this.grip.cells.size > 1
      ? { cells: [...this.grip.cells.values()], open: this.grip.open }
      : null;
  }

  readonly down = (event: PointerEvent): void => {
    this.painted = false;
    const cell =
      this.pad.blocking && event.button === 0 && !this.grip ? this.pad.cellUnder(event) : null;
    if (!cell) return;
    this.pad.anchor = null;
    this.grip = {
      pointer: event.pointerId,
      last: cell,
      open: this.pad.isClosed(cell),
      cells: new Map([[nameOf(cell), cell]]),
    };
  };

  readonly move = (event: PointerEvent): void => {
    const { grip } = this;
    if (grip?.pointer !== event.pointerId) return;
    // Let go where nobody heard of it.
    if (event.buttons === 0) {
      this.up(event);
      return;
    }
    const cell = this.pad.cellUnder(event);
    const way = cell ? between(grip.last ?? cell, cell) : [];
    grip.last = cell;
    const fresh = way.filter((one) => !grip.cells.has(nameOf(one)));
    if (fresh.length === 0) return;
    const begins = grip.cells.size === 1;
    if (begins && event.target instanceof Element) event.target.setPointerCapture(event.pointerId);
    for (const one of fresh) grip.cells.set(nameOf(one), one);
    this.pad.dab(begins ? [...grip.cells.values()] : fresh, grip.open);
  };

  readonly up = ({ pointerId }: PointerEvent): void => {
    if (this.grip?.pointer !== pointerId) return;
    const { stroke } = this;
    this.grip = null;
    this.painted = stroke !== null;
    if (stroke) this.say(stroke);
  };

  readonly cancelled = ({ pointerId }: PointerEvent): void => {
    if (this.grip?.pointer === pointerId) this.giveUp();
  };

  /** The end of a stroke is no click. */
  readonly clicked = (event: MouseEvent): void => {
    if (this.painted) event.stopPropagation();
    this.painted = false;
  };

  readonly pressed = (event: KeyboardEvent): void => {
    if (!this.pad.blocking || isShortcut(event) || !this.act(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Does what a key asks; false for a key that means nothing here. */
  private act({ key, shiftKey }: KeyboardEvent): boolean {
    const { pad } = this;
    const from = pad.cursor;
    const to = pad.step(key);
    if (to) {
      pad.anchor = shiftKey ? (pad.anchor ?? from) : null;
      pad.go(to);
      return true;
    }
    if (key === "Enter" || key === " ") {
      this.paintRectangle(pad.anchor ?? from, from);
      return true;
    }
    if (key !== "Escape" || (!pad.anchor && !this.grip)) return false;
    this.giveUp();
    return true;
  }

  private paintRectangle(from: Cell, to: Cell): void {
    const cells = rectangle(from, to);
    this.pad.anchor = null;
    const [only] = cells;
    if (cells.length === 1 && only) {
      emit(this.pad, "headscope-cell-toggle", only);
      return;
    }
    const open = this.pad.isClosed(from);
    this.pad.dab(cells, open);
    this.say({ cells, open });
  }

  private say(stroke: CellsPaintDetail): void {
    emit(this.pad, "headscope-cells-paint", stroke);
    this.pad.over();
  }

  private giveUp(): void {
    this.pad.anchor = null;
    this.painted = this.grip !== null;
    this.grip = null;
    this.pad.wipe();
  }
}

function nameOf({ query, key }: Cell): string {
  return `${query} ${key}`;
}
