import type { Cell } from "../../data/index.js";
import { emit } from "../events.js";

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
}

const same = (one: Cell | null, other: Cell | null): boolean => one?.query === other?.query && one?.key === other?.key;

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
    if (event.ctrlKey || event.metaKey || event.altKey || this.pad.rows === 0 || this.pad.columns === 0) return;
    if (!this.act(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Does what a key asks; false for a key that means nothing here. */
  private act(key: string): boolean {
    const { cursor } = this.pad;
    const step = this.step(key);
    if (step) this.hover(step);
    else if (key === "Enter" || key === " ") emit(this.pad, "headscope-cell-lock", cursor);
    else if (key === "Escape") this.release();
    else if (key === "b" || key === "x") this.toggle(cursor);
    else return false;
    return true;
  }

  /** Where a moving key leads, kept inside the matrix. */
  private step(key: string): Cell | null {
    const { cursor, rows, columns } = this.pad;
    const steps: Record<string, Cell> = {
      ArrowUp: { query: cursor.query - 1, key: cursor.key },
      ArrowDown: { query: cursor.query + 1, key: cursor.key },
      ArrowLeft: { query: cursor.query, key: cursor.key - 1 },
      ArrowRight: { query: cursor.query, key: cursor.key + 1 },
      Home: { query: cursor.query, key: 0 },
      End: { query: cursor.query, key: columns - 1 },
      PageUp: { query: 0, key: cursor.key },
      PageDown: { query: rows - 1, key: cursor.key },
    };
    const to = steps[key];
    if (!to) return null;
    const within = (value: number, count: number): number => Math.min(count - 1, Math.max(0, value));
    return { query: within(to.query, rows), key: within(to.key, columns) };
  }

  private hover(cell: Cell | null): void {
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
