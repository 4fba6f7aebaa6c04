// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Cell, Region } from "../../data/index.js";
import { HeadscopeHeatmap } from "../heatmap.js";
import { moveInGrid } from "../shared/grid-navigation.js";
import {
  heard,
  matrixOf,
  mount,
  nameOf,
  press,
  put,
  spoken,
  stageOf,
  tokensOf,
} from "../testing/mount.js";
import { MatrixPointer, MatrixGestures, type GesturePad } from "./gestures.js";

const cell = (query: number, key: number): Cell => ({ query, key });
const words = (cells: readonly (Cell | null)[]): string =>
  cells.map((one) => (one ? `${one.query}-${one.key}` : "none")).join(" ");

/** A figure of 4 queries by 5 keys whose cells are ten pixels wide; above its diagonal no query may look. */
class Pad extends EventTarget implements GesturePad {
  readonly held = null;
  readonly cellSide = 10;
  rows = 4;
  columns = 5;
  locked: Cell | null = null;
  blocking = false;
  hovered: Cell | null = null;
  touched = false;
  anchor: Cell | null = null;
  at: Cell | null = null;
  said: string[] = [];
  dabs: string[] = [];
  wiped = 0;
  pointer = new MatrixPointer(this);
  stroke = new MatrixGestures(this);

  constructor() {
    super();
    for (const what of ["hover", "lock", "toggle"])
      this.addEventListener(`headscope-cell-${what}`, (event) => {
        if (event instanceof CustomEvent)
          this.said.push(`${what} ${words([event.detail as Cell])}`);
      });
    this.addEventListener("headscope-cells-paint", (event) => {
      if (!(event instanceof CustomEvent)) return;
      const { cells, open } = event.detail as { cells: Cell[]; open: boolean };
      this.said.push(`${open ? "open" : "block"} ${words(cells)}`);
    });
  }

  get cursor(): Cell {
    return this.at ?? this.hovered ?? cell(0, 0);
  }

  cellUnder({ clientX, clientY }: { clientX: number; clientY: number }): Cell | null {
    const under = cell(Math.floor(clientY / 10), Math.floor(clientX / 10));
    return under.query < this.rows && under.key < this.columns ? under : null;
  }

  step(key: string): Cell | null {
    const from = { row: this.cursor.query, column: this.cursor.key };
    const to = moveInGrid(key, from, this.rows, this.columns);
    return to && cell(to.row, to.column);
  }

  letGo(): void {
    this.hovered = null;
  }

  go(to: Cell): void {
    this.at = to;
  }

  isClosed({ query, key }: Cell): boolean {
    return key > query;
  }

  dab(cells: readonly Cell[], open: boolean): void {
    this.dabs.push(`${words(cells)} ${open ? "open" : "block"}`);
  }

  wipe(): void {
    this.wiped += 1;
  }

  over(): void {
    this.said.push("over");
  }

  point(
    hear: (event: PointerEvent) => void,
    query: number,
    key: number,
    more: PointerEventInit = {},
  ): void {
    const place = { clientX: key * 10 + 5, clientY: query * 10 + 5 };
    hear(new PointerEvent("pointer", { ...place, buttons: 1, button: 0, pointerId: 1, ...more }));
  }

  click(query: number, key: number): void {
    this.point(this.pointer.clicked, query, key);
  }

  /** Whether the press is taken. */
  key(hear: (event: KeyboardEvent) => void, key: string, more: KeyboardEventInit = {}): boolean {
    const event = new KeyboardEvent("keydown", { key, cancelable: true, ...more });
    hear(event);
    return event.defaultPrevented;
  }
}

describe("the pointer on a matrix", () => {
  it("speaks once per cell, and when it leaves; a finger previews nothing", () => {
    const pad = new Pad();
    for (const [query, key] of [
      [2, 1],
      [2, 1],
      [9, 9],
    ] as const)
      pad.point(pad.pointer.moved, query, key);
    pad.pointer.left();
    pad.point(pad.pointer.moved, 1, 1, { pointerType: "touch" });
    expect([pad.said, pad.touched]).toEqual([["hover 2-1", "hover none"], true]);
  });

  it("locks by click and lets go by a second one; blocks instead while the page is in that mode", () => {
    const pad = new Pad();
    pad.click(0, 3);
    pad.locked = cell(0, 3);
    pad.click(0, 3);
    pad.click(9, 9);
    pad.blocking = true;
    pad.click(1, 2);
    expect(pad.said).toEqual(["lock 0-3", "lock none", "toggle 1-2"]);
  });

  it("walks by keys, stays inside, locks, blocks and lets go", () => {
    const pad = new Pad();
    const keys =
      "ArrowRight ArrowDown End ArrowRight PageDown ArrowDown Home PageUp Enter b x Escape";
    for (const key of keys.split(" ")) pad.key(pad.pointer.pressed, key);
    expect(pad.said.join(", ")).toBe(
      "hover 0-1, hover 1-1, hover 1-4, hover 3-4, hover 3-0, hover 0-0, lock 0-0, toggle 0-0, toggle 0-0, lock none, hover none",
    );
  });
});

describe("a stroke over cells", () => {
  const painting = (): Pad => Object.assign(new Pad(), { blocking: true });
  const drag = (pad: Pad, ...way: (readonly [number, number])[]): void => {
    const [first = [0, 0] as const, ...others] = way;
    pad.point(pad.stroke.down, ...first);
    for (const to of others) pad.point(pad.stroke.move, ...to);
  };
  /** Whether a click gets through. */
  const clicks = (pad: Pad): boolean => {
    const event = new MouseEvent("click");
    const stop = vi.spyOn(event, "stopPropagation");
    pad.stroke.clicked(event);
    return stop.mock.calls.length === 0;
  };

  it("is said once, with every cell on its way, and is no click", () => {
    const pad = painting();
    drag(pad, [3, 0], [3, 3], [3, 2], [9, 9], [2, 0]);
    expect([pad.said, pad.dabs]).toEqual([[], ["3-0 3-1 3-2 3-3 block", "2-0 block"]]);
    pad.point(pad.stroke.up, 2, 0);
    expect(pad.said).toEqual(["block 3-0 3-1 3-2 3-3 2-0", "over"]);
    expect([clicks(pad), clicks(pad)]).toEqual([false, true]);
  });

  it("opens if its first cell is closed, and leaves a single cell to the click", () => {
    const pad = painting();
    drag(pad, [0, 3], [3, 3]);
    pad.point(pad.stroke.up, 3, 3);
    drag(pad, [1, 1], [1, 1]);
    pad.point(pad.stroke.up, 1, 1);
    expect([pad.said, clicks(pad)]).toEqual([["open 0-3 1-3 2-3 3-3", "over"], true]);
  });

  it("is not painted while that is off, by another button, by a second finger, or once it was let go elsewhere", () => {
    const pad = new Pad();
    drag(pad, [1, 1], [1, 3]);
    pad.blocking = true;
    pad.point(pad.stroke.down, 1, 1, { button: 2 });
    pad.point(pad.stroke.move, 1, 3);
    pad.point(pad.stroke.down, 1, 0);
    pad.point(pad.stroke.down, 3, 0, { pointerId: 2 });
    pad.point(pad.stroke.move, 3, 4, { pointerId: 2 });
    expect(pad.dabs).toEqual([]);
    pad.point(pad.stroke.move, 1, 1);
    pad.point(pad.stroke.move, 1, 4, { buttons: 0 });
    expect(pad.said).toEqual(["block 1-0 1-1", "over"]);
  });

  it("is given up by Escape", () => {
    const pad = painting();
    drag(pad, [1, 0], [2, 0]);
    expect(pad.key(pad.stroke.pressed, "Escape")).toBe(true);
    pad.point(pad.stroke.up, 2, 0);
    expect([pad.said, pad.wiped]).toEqual([[], 1]);
  });

  it.each([
    ["2-0 ArrowRight ArrowDown", "block 2-0 2-1 3-0 3-1"],
    ["1-3 ArrowLeft ArrowLeft ArrowUp", "open 0-1 0-2 0-3 1-1 1-2 1-3"],
  ])("of the keyboard is a rectangle from %s with Shift", (given, said) => {
    const [from = "", ...keys] = given.split(" ");
    const [query = 0, key = 0] = from.split("-").map(Number);
    const pad = Object.assign(painting(), { at: cell(query, key) });
    for (const arrow of keys) pad.key(pad.stroke.pressed, arrow, { shiftKey: true });
    expect(pad.anchor).toEqual(cell(query, key));
    expect(pad.key(pad.stroke.pressed, " ")).toBe(true);
    expect([pad.said, pad.anchor]).toEqual([[said, "over"], null]);
  });
});

describe("a part of a large matrix", () => {
  const [ROWS, COLUMNS] = [40, 60];
  const PART: Region = { query: 10, key: 20, rows: 20, columns: 30 };
  const named = (name: string, count: number): ReturnType<typeof tokensOf> =>
    tokensOf(...Array.from({ length: count }, (_, id) => `${name}${id}`));
  const heatmap = (more: Partial<HeadscopeHeatmap> = {}): Promise<HeadscopeHeatmap> =>
    mount(new HeadscopeHeatmap(), {
      tensor: matrixOf(
        COLUMNS,
        Array.from({ length: ROWS * COLUMNS }, (_, index) => index),
      ),
      stage: "scores",
      queries: named("q", ROWS),
      keys: named("k", COLUMNS),
      ...more,
    });
  const button = (element: HeadscopeHeatmap, name: string): HTMLElement | undefined =>
    [...element.renderRoot.querySelectorAll<HTMLElement>(".foot button")].find(
      ({ textContent }) => textContent.trim() === name,
    );

  afterEach(() => {
    document.body.replaceChildren();
    vi.unstubAllGlobals();
  });

  it("is asked for by buttons and keys around the pair in focus, and by zero no longer", async () => {
    const element = await heatmap({ locked: cell(39, 0) });
    const asked = heard(element, "headscope-region-change");
    button(element, "Zoom in")?.click();
    expect(asked).toEqual([{ query: 20, key: 0, rows: 20, columns: 30 }]);
    await put(element, { region: asked[0] ?? null });
    await press(element, "+", "-", "0");
    expect(asked.slice(1)).toEqual([{ query: 30, key: 0, rows: 10, columns: 15 }, null, null]);
    expect(button(element, "Zoom in")?.getAttribute("aria-disabled")).toBe("false");
    button(element, "Show all")?.click();
    expect(asked.at(-1)).toBeNull();
  });

  it("is offered only where there is more than the eye takes in, says which part it is, and ends with its matrix", async () => {
    const element = await heatmap({ region: PART });
    const shown = "Queries 11–30 of 40, keys 21–50 of 60";
    expect(element.renderRoot.querySelector(".foot")?.textContent).toContain(shown);
    expect(nameOf(element)).toBe(`Attention, scores: 40 queries by 60 keys. ${shown}`);
    await put(element, { region: { ...PART, query: 30 } });
    expect([element.held, nameOf(element)]).toEqual([
      null,
      "Attention, scores: 40 queries by 60 keys",
    ]);
    await put(element, {
      tensor: matrixOf(2, [1, 2, 3, 4]),
      queries: named("q", 2),
      keys: named("k", 2),
    });
    expect(button(element, "Zoom in")).toBeUndefined();
  });

  it("goes along with the keyboard, whose cells are those of the whole", async () => {
    const element = await heatmap({ region: PART, locked: cell(29, 49) });
    const [asked, hovered] = [
      heard(element, "headscope-region-change"),
      heard(element, "headscope-cell-hover"),
    ];
    await press(element, "ArrowLeft", "ArrowDown");
    expect([hovered, asked]).toEqual([[cell(29, 48), cell(30, 48)], [{ ...PART, query: 11 }]]);
    expect(spoken(element)).toContain("q30 looks at k48");
  });

  it("leaves the wheel to the page unless Ctrl is held", async () => {
    const element = await heatmap();
    const asked = heard(element, "headscope-region-change");
    // Here a wheel's event knows no keys.
    const wheel = (ctrlKey: boolean): boolean =>
      stageOf(element).dispatchEvent(
        Object.defineProperty(
          new WheelEvent("wheel", { deltaY: -1, bubbles: true, cancelable: true }),
          "ctrlKey",
          { value: ctrlKey },
        ),
      );
    expect([wheel(false), asked.length, wheel(true)]).toEqual([true, 0, false]);
    expect(asked).toEqual([{ query: 0, key: 0, rows: 32, columns: 48 }]);
  });
});
