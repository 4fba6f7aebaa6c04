import type { Cell } from "../../data/index.js";
import { between, rectangle } from "../../draw/stroke.js";
import { emit, type CellsPaintDetail } from "../events.js";
import { isShortcut } from "../shared/grid-navigation.js";

/** What a stroke needs to know of a matrix figure. */
export interface StrokePad extends EventTarget {
  /** Whether cells are painted at all. */
  readonly blocking: boolean;
  /** Where the keyboard stands. */
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
interface Grip {
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
  private grip: Grip | null = null;
  private painted = false;

  constructor(private readonly pad: StrokePad) {}

  /** What is being painted, or null. */
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
