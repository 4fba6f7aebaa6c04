// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import type { Cell } from "../../data/index.js";
import { moveInGrid } from "../shared/grid-navigation.js";
import { MatrixPointer, type MatrixPad } from "./pointer.js";

/** A figure of 3 queries by 4 keys whose cells are ten pixels wide. */
class Pad extends EventTarget implements MatrixPad {
  rows = 3;
  columns = 4;
  locked: Cell | null = null;
  blocking = false;
  hovered: Cell | null = null;
  touched = false;
  said: [string, Cell | null][] = [];
  pointer = new MatrixPointer(this);

  constructor() {
    super();
    for (const what of ["hover", "lock", "toggle"] as const) {
      this.addEventListener(`headscope-cell-${what}`, (event) => {
        if (event instanceof CustomEvent) this.said.push([what, event.detail as Cell | null]);
      });
    }
  }

  get cursor(): Cell {
    return this.hovered ?? { query: 0, key: 0 };
  }

  cellUnder(event: MouseEvent): Cell | null {
    const cell = { query: Math.floor(event.clientY / 10), key: Math.floor(event.clientX / 10) };
    return cell.query < this.rows && cell.key < this.columns ? cell : null;
  }

  step(key: string): Cell | null {
    const to = moveInGrid(
      key,
      { row: this.cursor.query, column: this.cursor.key },
      this.rows,
      this.columns,
    );
    return to && { query: to.row, key: to.column };
  }

  move(key: number, query: number, pointerType = "mouse"): void {
    this.pointer.moved(
      new PointerEvent("pointermove", {
        clientX: key * 10 + 5,
        clientY: query * 10 + 5,
        pointerType,
      }),
    );
  }

  click(key: number, query: number): void {
    this.pointer.clicked(
      new MouseEvent("click", { clientX: key * 10 + 5, clientY: query * 10 + 5 }),
    );
  }

  press(...keys: string[]): void {
    for (const key of keys) this.pointer.pressed(new KeyboardEvent("keydown", { key }));
  }
}

const cell = (query: number, key: number): Cell => ({ query, key });

describe("the pointer", () => {
  it("speaks once per cell, and when it leaves", () => {
    const pad = new Pad();
    pad.move(1, 2);
    pad.move(1, 2);
    pad.move(9, 9);
    pad.pointer.left();
    expect(pad.said).toEqual([
      ["hover", cell(2, 1)],
      ["hover", null],
    ]);
  });

  it("does not preview under a finger", () => {
    const pad = new Pad();
    pad.move(1, 2, "touch");
    expect(pad.said).toEqual([]);
    expect(pad.touched).toBe(true);
  });

  it("locks by click and lets go by a second one", () => {
    const pad = new Pad();
    pad.click(3, 0);
    pad.locked = cell(0, 3);
    pad.click(3, 0);
    pad.click(9, 9);
    expect(pad.said).toEqual([
      ["lock", cell(0, 3)],
      ["lock", null],
    ]);
  });

  it("blocks instead of locking while the page is in that mode", () => {
    const pad = new Pad();
    pad.blocking = true;
    pad.click(2, 1);
    expect(pad.said).toEqual([["toggle", cell(1, 2)]]);
  });
});

describe("the keyboard", () => {
  it("walks, stays inside and reaches the edges at once", () => {
    const pad = new Pad();
    pad.press(
      "ArrowRight",
      "ArrowDown",
      "End",
      "ArrowRight",
      "PageDown",
      "ArrowDown",
      "Home",
      "PageUp",
    );
    expect(pad.said.map(([, at]) => at)).toEqual([
      cell(0, 1),
      cell(1, 1),
      cell(1, 3),
      cell(2, 3),
      cell(2, 0),
      cell(0, 0),
    ]);
  });

  it("locks, blocks and lets go", () => {
    const pad = new Pad();
    pad.press("ArrowRight", "Enter", "b", "x", "Escape");
    expect(pad.said).toEqual([
      ["hover", cell(0, 1)],
      ["lock", cell(0, 1)],
      ["toggle", cell(0, 1)],
      ["toggle", cell(0, 1)],
      ["lock", null],
      ["hover", null],
    ]);
  });

  it("takes only the keys that mean something here", () => {
    const pad = new Pad();
    const [arrow, letter, shortcut] = [
      new KeyboardEvent("keydown", { key: "ArrowDown", cancelable: true }),
      new KeyboardEvent("keydown", { key: "q", cancelable: true }),
      new KeyboardEvent("keydown", { key: "b", ctrlKey: true, cancelable: true }),
    ];
    for (const event of [arrow, letter, shortcut]) pad.pointer.pressed(event);
    expect([arrow, letter, shortcut].map((event) => event.defaultPrevented)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("does nothing on an empty matrix", () => {
    const pad = new Pad();
    pad.rows = 0;
    pad.press("Enter", "b", "ArrowDown");
    expect(pad.said).toEqual([]);
  });
});
