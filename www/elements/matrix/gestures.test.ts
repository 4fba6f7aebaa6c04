// @vitest-environment happy-dom
import { describe, expect, it, afterEach, vi } from "vitest";
import type { Cell, Region, Tensor, Token } from "../../data/index.js";
import { testInks, recorder } from "../../draw/testing/recorder.js";
import { HeadscopeHeatmap } from "../heatmap.js";
import { moveInGrid } from "../shared/grid-navigation.js";
import { heard, mount } from "../testing/mount.js";
import { MatrixPointer, type MatrixPad, MatrixStroke, type StrokePad } from "./gestures.js";

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

/** As much of it as a picture that is only handed on needs. */
class Canvas {
  getContext(): null {
    return null;
  }
}

const ROWS = 40;
const COLUMNS = 60;
const PART: Region = { query: 10, key: 20, rows: 20, columns: 30 };

const tokens = (name: string, count: number): Token[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    text: `${name}${id}`,
    word: id,
    special: false,
    role: null,
  }));
const tensor: Tensor = {
  data: Float32Array.from({ length: ROWS * COLUMNS }, (_, index) => index),
  shape: [ROWS, COLUMNS],
  axes: ["query", "key"],
};

const heatmap = (more: Partial<HeadscopeHeatmap> = {}): Promise<HeadscopeHeatmap> =>
  mount(new HeadscopeHeatmap(), {
    tensor,
    stage: "scores",
    queries: tokens("q", ROWS),
    keys: tokens("k", COLUMNS),
    ...more,
  });

const stage = (element: HeadscopeHeatmap): HTMLElement => {
  const found = element.renderRoot.querySelector<HTMLElement>(".stage");
  if (!found) throw new Error("no stage");
  return found;
};
const press = (element: HeadscopeHeatmap, key: string): boolean =>
  stage(element).dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
  );
const button = (element: HeadscopeHeatmap, name: string): HTMLButtonElement | undefined =>
  [...element.renderRoot.querySelectorAll<HTMLButtonElement>(".foot button")].find(
    ({ textContent }) => textContent.trim() === name,
  );
const spoken = (element: HeadscopeHeatmap): string =>
  element.renderRoot.querySelector("[aria-live]")?.textContent.trim() ?? "";

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

describe("a part of a large matrix", () => {
  it("is asked for by buttons and keys around the pair in focus, and by zero no longer", async () => {
    const element = await heatmap({ locked: { query: 39, key: 0 } });
    const asked = heard(element, "headscope-region-change");
    button(element, "Zoom in")?.click();
    expect(asked).toEqual([{ query: 20, key: 0, rows: 20, columns: 30 }]);
    element.region = asked[0] ?? null;
    await element.updateComplete;
    press(element, "+");
    press(element, "-");
    press(element, "0");
    expect(asked.slice(1)).toEqual([{ query: 30, key: 0, rows: 10, columns: 15 }, null, null]);
    expect(button(element, "Zoom in")?.getAttribute("aria-disabled")).toBe("false");
    button(element, "Show all")?.click();
    expect(asked.at(-1)).toBeNull();
  });

  it("is offered only where there is more than the eye takes in, and says which part it is", async () => {
    const small = await heatmap({
      tensor: { ...tensor, data: tensor.data.slice(0, 4), shape: [2, 2] },
      queries: tokens("q", 2),
      keys: tokens("k", 2),
    });
    expect(button(small, "Zoom in")).toBeUndefined();
    const element = await heatmap({ region: PART });
    expect(element.renderRoot.querySelector(".foot")?.textContent).toContain(
      "Queries 11–30 of 40, keys 21–50 of 60",
    );
    expect(stage(element).getAttribute("aria-label")).toBe(
      "Attention, scores: 40 queries by 60 keys. Queries 11–30 of 40, keys 21–50 of 60",
    );
  });

  it("goes along with the keyboard, whose cells are those of the whole", async () => {
    const element = await heatmap({ region: PART, locked: { query: 29, key: 49 } });
    const [asked, hovered] = [
      heard(element, "headscope-region-change"),
      heard(element, "headscope-cell-hover"),
    ];
    press(element, "ArrowLeft");
    press(element, "ArrowDown");
    await element.updateComplete;
    expect(hovered).toEqual([
      { query: 29, key: 48 },
      { query: 30, key: 48 },
    ]);
    expect(asked).toEqual([{ ...PART, query: 11 }]);
    expect(spoken(element)).toContain("q30 looks at k48");
  });

  it("leaves the wheel to the page unless Ctrl is held", async () => {
    const element = await heatmap();
    const asked = heard(element, "headscope-region-change");
    // Here a wheel's event knows no keys.
    const wheel = (ctrlKey: boolean): Event =>
      Object.defineProperty(
        new WheelEvent("wheel", { deltaY: -1, bubbles: true, cancelable: true }),
        "ctrlKey",
        { value: ctrlKey },
      );
    expect(stage(element).dispatchEvent(wheel(false))).toBe(true);
    expect(asked).toEqual([]);
    expect(stage(element).dispatchEvent(wheel(true))).toBe(false);
    expect(asked).toEqual([{ query: 0, key: 0, rows: 32, columns: 48 }]);
  });

  it("is not dragged by a pointer that was let go elsewhere", async () => {
    const element = await heatmap();
    const asked = heard(element, "headscope-region-change");
    const pointer = (type: string, buttons: number, clientX: number): Event =>
      Object.defineProperties(new Event(type, { bubbles: true }), {
        buttons: { value: buttons },
        button: { value: 0 },
        pointerId: { value: 1 },
        clientX: { value: clientX },
        clientY: { value: 0 },
      });
    stage(element).dispatchEvent(pointer("pointerdown", 1, 0));
    element.region = PART;
    await element.updateComplete;
    stage(element).dispatchEvent(pointer("pointermove", 0, 90));
    stage(element).dispatchEvent(pointer("pointermove", 0, 200));
    expect(asked).toEqual([]);
  });

  it("of a matrix that has become smaller is the whole again", async () => {
    const element = await heatmap({ region: { ...PART, query: 30 } });
    expect(element.held).toBeNull();
    expect(stage(element).getAttribute("aria-label")).toBe(
      "Attention, scores: 40 queries by 60 keys",
    );
  });

  it("is what leaves the page, with its own labels and frame", async () => {
    vi.stubGlobal("OffscreenCanvas", Canvas);
    vi.stubGlobal("ImageData", Canvas);
    const element = await heatmap({
      region: { query: 10, key: 20, rows: 8, columns: 9 },
      locked: { query: 11, key: 20 },
    });
    const { brush, done } = recorder();
    element.print(testInks)?.paint(brush);
    const texts = done("fillText").map(({ args }) => String(args[0]));
    expect(texts.filter((text) => /^q\d/.test(text))).toEqual(
      Array.from({ length: 8 }, (_, row) => `q${row + 10}`),
    );
    expect(texts.filter((text) => /^k\d/.test(text))).toEqual(
      Array.from({ length: 9 }, (_, column) => `k${column + 20}`),
    );
  });
});

/** A figure of 4 queries by 5 keys whose cells are ten pixels wide; above its diagonal all is closed. */
class PaintingPad extends EventTarget implements StrokePad {
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
    const pad = new PaintingPad();
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
    const pad = new PaintingPad();
    pad.point("down", 0, 3);
    pad.point("move", 3, 3);
    pad.point("up", 3, 3);
    expect(pad.said).toEqual(["open 0-3 1-3 2-3 3-3"]);
  });

  it("leaves a single cell to the click", () => {
    const pad = new PaintingPad();
    pad.point("down", 1, 1);
    pad.point("move", 1, 1);
    pad.point("up", 1, 1);
    expect([pad.said, pad.dabs, pad.click()]).toEqual([[], [], true]);
  });

  it("is not painted while that is off, by another button, by a second finger, or once it was let go elsewhere", () => {
    const pad = new PaintingPad();
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
    const pad = new PaintingPad();
    pad.point("down", 1, 0);
    pad.point("move", 2, 0);
    expect(pad.press("Escape")).toBe(true);
    pad.point("up", 2, 0);
    expect([pad.said, pad.wiped]).toEqual([[], 1]);
  });
});

describe("the keyboard", () => {
  it("lays out a rectangle with Shift and paints it", () => {
    const pad = new PaintingPad();
    pad.cursor = { query: 2, key: 0 };
    for (const key of ["ArrowRight", "ArrowDown"]) pad.press(key, true);
    expect(pad.anchor).toEqual({ query: 2, key: 0 });
    expect(pad.press(" ")).toBe(true);
    expect(pad.said).toEqual(["block 2-0 2-1 3-0 3-1"]);
    expect(pad.anchor).toBeNull();
  });

  it("opens a rectangle that was begun where nobody may look, in whatever direction it grew", () => {
    const pad = new PaintingPad();
    pad.cursor = { query: 1, key: 3 };
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowUp"]) pad.press(key, true);
    pad.press("Enter");
    expect(pad.said).toEqual(["open 0-1 0-2 0-3 1-1 1-2 1-3"]);
  });

  it("toggles one cell, moves on without Shift, lets go by Escape, and leaves the rest to the figure", () => {
    const pad = new PaintingPad();
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
