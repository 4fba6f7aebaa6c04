// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import type { Cell } from "../../data/index.js";
import { moveInGrid } from "../shared/grid-navigation.js";
import { MatrixStroke, type StrokePad } from "./stroke.js";

/** A figure of 4 queries by 5 keys whose cells are ten pixels wide; above its diagonal all is closed. */
class Pad extends EventTarget implements StrokePad {
  blocking = true;
  cursor: Cell = { query: 0, key: 0 };
  anchor: Cell | null = null;
  dabs: [string, boolean][] = [];
  wiped = 0;
  /** How much had been said when the last stroke was over. */
  ended = 0;
  said: string[] = [];
  stroke = new MatrixStroke(this);

  constructor() {
    super();
    for (const name of ["headscope-cells-paint", "headscope-cell-toggle"] as const) {
      this.addEventListener(name, (event) => {
        if (event instanceof CustomEvent)
          this.said.push(
            name === "headscope-cell-toggle"
              ? `toggle ${words([event.detail as Cell])}`
              : paintWords(event.detail as { cells: Cell[]; open: boolean }),
          );
      });
    }
  }

  cellUnder({ clientX, clientY }: { clientX: number; clientY: number }): Cell | null {
    const cell = { query: Math.floor(clientY / 10), key: Math.floor(clientX / 10) };
    return cell.query < 4 && cell.key < 5 ? cell : null;
  }

  step(key: string): Cell | null {
    const to = moveInGrid(key, { row: this.cursor.query, column: this.cursor.key }, 4, 5);
    return to && { query: to.row, key: to.column };
  }

  go(cell: Cell): void {
    this.cursor = cell;
  }

  isClosed({ query, key }: Cell): boolean {
    return key > query;
  }

  dab(cells: readonly Cell[], open: boolean): void {
    this.dabs.push([words(cells), open]);
  }

  wipe(): void {
    this.wiped += 1;
  }

  over(): void {
    this.ended = this.said.length;
  }

  point(
    type: "down" | "move" | "up",
    query: number,
    key: number,
    init: PointerEventInit = {},
  ): void {
    const event = new PointerEvent(`pointer${type}`, {
      clientX: key * 10 + 5,
      clientY: query * 10 + 5,
      buttons: 1,
      button: 0,
      pointerId: 1,
      ...init,
    });
    this.stroke[type](event);
  }

  /** Whether a click gets through. */
  click(): boolean {
    const click = new MouseEvent("click");
    let through = true;
    click.stopPropagation = () => (through = false);
    this.stroke.clicked(click);
    return through;
  }

  press(key: string, shiftKey = false): boolean {
    const event = new KeyboardEvent("keydown", { key, shiftKey, cancelable: true });
    this.stroke.pressed(event);
    return event.defaultPrevented;
  }
}

const words = (cells: readonly Cell[]): string =>
  cells.map(({ query, key }) => `${query}-${key}`).join(" ");
const paintWords = ({ cells, open }: { cells: readonly Cell[]; open: boolean }): string =>
  `${open ? "open" : "block"} ${words(cells)}`;

describe("a stroke of the pointer", () => {
  it("is said once, with every cell on its way, and is no click", () => {
    const pad = new Pad();
    pad.point("down", 3, 0);
    pad.point("move", 3, 3);
    pad.point("move", 3, 2);
    pad.point("move", 9, 9);
    pad.point("move", 2, 0);
    expect(pad.said).toEqual([]);
    expect(pad.dabs).toEqual([
      ["3-0 3-1 3-2 3-3", false],
      ["2-0", false],
    ]);
    pad.point("up", 2, 0);
    expect(pad.said).toEqual(["block 3-0 3-1 3-2 3-3 2-0"]);
    expect(pad.ended).toBe(1);
    expect(pad.click()).toBe(false);
    expect(pad.click()).toBe(true);
  });

  it("opens if its first cell is closed", () => {
    const pad = new Pad();
    pad.point("down", 0, 3);
    pad.point("move", 3, 3);
    pad.point("up", 3, 3);
    expect(pad.said).toEqual(["open 0-3 1-3 2-3 3-3"]);
  });

  it("leaves a single cell to the click", () => {
    const pad = new Pad();
    pad.point("down", 1, 1);
    pad.point("move", 1, 1);
    pad.point("up", 1, 1);
    expect([pad.said, pad.dabs, pad.click()]).toEqual([[], [], true]);
  });

  it("is not painted while that is off, by another button, by a second finger, or once it was let go elsewhere", () => {
    const pad = new Pad();
    pad.blocking = false;
    pad.point("down", 1, 1);
    pad.point("move", 1, 3);
    pad.blocking = true;
    pad.point("down", 1, 1, { button: 2 });
    pad.point("move", 1, 3);
    expect(pad.dabs).toEqual([]);
    pad.point("down", 1, 0);
    pad.point("down", 3, 0, { pointerId: 2 });
    pad.point("move", 3, 4, { pointerId: 2 });
    expect(pad.dabs).toEqual([]);
    pad.point("move", 1, 1);
    pad.point("move", 1, 4, { buttons: 0 });
    expect(pad.said).toEqual(["block 1-0 1-1"]);
  });

  it("is given up by Escape", () => {
    const pad = new Pad();
    pad.point("down", 1, 0);
    pad.point("move", 2, 0);
    expect(pad.press("Escape")).toBe(true);
    pad.point("up", 2, 0);
    expect([pad.said, pad.wiped]).toEqual([[], 1]);
  });
});

describe("the keyboard", () => {
  it("lays out a rectangle with Shift and paints it", () => {
    const pad = new Pad();
    pad.cursor = { query: 2, key: 0 };
    for (const key of ["ArrowRight", "ArrowDown"]) pad.press(key, true);
    expect(pad.anchor).toEqual({ query: 2, key: 0 });
    expect(pad.press(" ")).toBe(true);
    expect(pad.said).toEqual(["block 2-0 2-1 3-0 3-1"]);
    expect(pad.anchor).toBeNull();
  });

  it("opens a rectangle that was begun where nobody may look, in whatever direction it grew", () => {
    const pad = new Pad();
    pad.cursor = { query: 1, key: 3 };
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowUp"]) pad.press(key, true);
    pad.press("Enter");
    expect(pad.said).toEqual(["open 0-1 0-2 0-3 1-1 1-2 1-3"]);
  });

  it("toggles one cell, moves on without Shift, lets go by Escape, and leaves the rest to the figure", () => {
    const pad = new Pad();
    pad.press("Enter");
    pad.press("ArrowDown", true);
    pad.press("ArrowDown");
    expect(pad.anchor).toBeNull();
    pad.press("ArrowDown", true);
    expect(pad.press("Escape")).toBe(true);
    expect(pad.anchor).toBeNull();
    expect([pad.press("Escape"), pad.press("b"), pad.press("+")]).toEqual([false, false, false]);
    pad.blocking = false;
    expect(pad.press("ArrowDown")).toBe(false);
    expect(pad.said).toEqual(["toggle 0-0"]);
  });
});
