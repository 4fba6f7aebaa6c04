import type { Cell } from "../../data/index.js";
import { emit } from "../events.js";
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

const same = (one: Cell | null, other: Cell | null): boolean =>
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
    else emit(this.pad, "headscope-cell-lock", same(cell, this.pad.locked) ? null : cell);
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

  /** Points at a cell, or at none. */
  hover(cell: Cell | null): void {
    if (same(cell, this.pad.hovered)) return;
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
