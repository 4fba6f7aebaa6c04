// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Cell, Region } from "../../data/index.js";
import { HeadscopeHeatmap } from "../matrices.js";
import { HeadscopeMask } from "../matrices.js";
import { eventsOf, matrixOf, mount, nameOf, press, put } from "../testing/mount.js";
import { stageOf, tokensOf } from "../testing/mount.js";

const cell = (query: number, key: number): Cell => ({ query, key });
const words = (cells: readonly (Cell | null)[]): string =>
  cells.map((one) => (one ? `${one.query}-${one.key}` : "none")).join(" ");
const named = (name: string, count: number): ReturnType<typeof tokensOf> =>
  tokensOf(...Array.from({ length: count }, (_, id) => `${name}${id}`));

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

interface Pad {
  element: HeadscopeMask;
  /** Every event of a cell, and the cells painted at once. */
  fired: string[];
  painted: string[];
  /** Sends a pointer event to a cell, and returns whether it reaches the stage. */
  point: (type: string, query: number, key: number, more?: PointerEventInit) => boolean;
}

/** A causal mask of 4 queries by 5 keys whose cells are ten pixels wide. */
async function pad(more: Partial<HeadscopeMask> = {}): Promise<Pad> {
  const closed = Array.from({ length: 20 }, (_, at) => (at % 5 > at / 5 ? -Infinity : 0));
  const element = await mount(new HeadscopeMask(), {
    mask: matrixOf(5, closed),
    queries: named("q", 4),
    keys: named("k", 5),
    ...more,
  });
  const fired: string[] = [];
  const painted: string[] = [];
  element.cellUnder = ({ clientX, clientY }) => {
    const under = cell(Math.floor(clientY / 10), Math.floor(clientX / 10));
    return under.query < 4 && under.key < 5 ? under : null;
  };
  element.paintStroke = (cells, open) => {
    painted.push(`${words(cells)} ${open ? "open" : "block"}`);
  };
  for (const what of ["hover", "lock", "toggle"])
    element.addEventListener(`headscope-cell-${what}`, (event) => {
      if (event instanceof CustomEvent) fired.push(`${what} ${words([event.detail as Cell])}`);
    });
  element.addEventListener("headscope-cells-paint", ({ detail: { cells, open } }) =>
    fired.push(`${open ? "open" : "block"} ${words(cells)}`),
  );
  const stage = stageOf(element);
  stage.setPointerCapture = () => undefined;
  const point: Pad["point"] = (type, query, key, given = {}) => {
    let reached = false;
    stage.addEventListener(type, () => (reached = true), { once: true });
    const place = { clientX: key * 10 + 5, clientY: query * 10 + 5 };
    const event = { ...place, bubbles: true, buttons: 1, button: 0, pointerId: 1, ...given };
    stage.dispatchEvent(new PointerEvent(type, event));
    return reached;
  };
  return { element, fired, painted, point };
}

describe("the pointer on a matrix", () => {
  it("fires once per cell, and when it leaves; a finger previews nothing", async () => {
    const { element, fired, point } = await pad();
    for (const [query, key] of [
      [2, 1],
      [2, 1],
      [9, 9],
    ] as const)
      point("pointermove", query, key);
    point("pointerleave", 0, 0);
    point("pointermove", 1, 1, { pointerType: "touch" });
    expect([fired, element.touched]).toEqual([["hover 2-1", "hover none"], true]);
  });

  it("locks by click and unlocks by a second one; blocks instead while the page is in that mode", async () => {
    const { element, fired, point } = await pad();
    point("click", 0, 3);
    element.locked = cell(0, 3);
    point("click", 0, 3);
    point("click", 9, 9);
    element.blocking = true;
    point("click", 1, 2);
    expect(fired).toEqual(["lock 0-3", "lock none", "toggle 1-2"]);
  });

  it("moves by keys, stays inside, locks, blocks and unlocks", async () => {
    const { element, fired } = await pad();
    const keys =
      "ArrowRight ArrowDown End ArrowRight PageDown ArrowDown Home PageUp Enter b x Escape";
    await press(element, ...keys.split(" "));
    expect(fired.join(", ")).toBe(
      "hover 0-1, hover 1-1, hover 1-4, hover 3-4, hover 3-0, hover 0-0, lock 0-0, toggle 0-0, toggle 0-0, lock none, hover none",
    );
  });
});

describe("a stroke over cells", () => {
  const drag = ({ point }: Pad, ...way: (readonly [number, number])[]): void =>
    way.forEach((to, at) => point(at === 0 ? "pointerdown" : "pointermove", ...to));
  const strokes = ({ fired }: Pad): string[] => fired.filter((one) => /^(open|block)/.test(one));

  it("is reported once, with every cell on its way, and is no click", async () => {
    const painting = await pad({ blocking: true });
    drag(painting, [3, 0], [3, 3], [3, 2], [9, 9], [2, 0]);
    expect(painting.painted).toEqual(["3-0 3-1 3-2 3-3 block", "2-0 block"]);
    expect(strokes(painting)).toEqual([]);
    painting.point("pointerup", 2, 0);
    expect(strokes(painting)).toEqual(["block 3-0 3-1 3-2 3-3 2-0"]);
    expect([painting.point("click", 0, 0), painting.point("click", 0, 0)]).toEqual([false, true]);
  });

  it("opens if its first cell is closed, and leaves a single cell to the click", async () => {
    const painting = await pad({ blocking: true });
    drag(painting, [0, 3], [3, 3]);
    painting.point("pointerup", 3, 3);
    drag(painting, [1, 1], [1, 1]);
    painting.point("pointerup", 1, 1);
    expect(strokes(painting)).toEqual(["open 0-3 1-3 2-3 3-3"]);
    expect(painting.point("click", 1, 1)).toBe(true);
  });

  it("is not painted while that is off, by another button or a second finger, and ends where the button was released", async () => {
    const painting = await pad();
    const { point } = painting;
    drag(painting, [1, 1], [1, 3]);
    painting.element.blocking = true;
    point("pointerdown", 1, 1, { button: 2 });
    point("pointermove", 1, 3);
    point("pointerdown", 1, 0);
    point("pointerdown", 3, 0, { pointerId: 2 });
    point("pointermove", 3, 4, { pointerId: 2 });
    expect(painting.painted).toEqual([]);
    point("pointermove", 1, 1);
    point("pointermove", 1, 4, { buttons: 0 });
    expect(strokes(painting)).toEqual(["block 1-0 1-1"]);
  });

  it("is given up by Escape", async () => {
    const painting = await pad({ blocking: true });
    drag(painting, [1, 0], [2, 0]);
    await press(painting.element, "Escape");
    painting.point("pointerup", 2, 0);
    expect(strokes(painting)).toEqual([]);
  });

  it.each([
    ["2-0 ArrowRight ArrowDown", "block 2-0 2-1 3-0 3-1"],
    ["1-3 ArrowLeft ArrowLeft ArrowUp", "open 0-1 0-2 0-3 1-1 1-2 1-3"],
  ])("of the keyboard is a rectangle from %s with Shift", async (given, stroke) => {
    const [from = "", ...keys] = given.split(" ");
    const [query = 0, key = 0] = from.split("-").map(Number);
    const painting = await pad({ blocking: true, locked: cell(query, key) });
    for (const arrow of keys)
      stageOf(painting.element).dispatchEvent(
        new KeyboardEvent("keydown", { key: arrow, shiftKey: true, bubbles: true }),
      );
    expect(painting.element.anchor).toEqual(cell(query, key));
    await press(painting.element, " ");
    expect([strokes(painting), painting.element.anchor]).toEqual([[stroke], null]);
  });
});

describe("a part of a large matrix", () => {
  const [ROWS, COLUMNS] = [40, 60];
  const PART: Region = { query: 10, key: 20, rows: 20, columns: 30 };
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

  it("is asked for by buttons and keys around the pair in focus, and by zero no longer", async () => {
    const element = await heatmap({ locked: cell(39, 0) });
    const asked = eventsOf(element, "headscope-region-change");
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
    expect([element.visible, nameOf(element)]).toEqual([
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

  it("leaves the wheel to the page unless Ctrl is held", async () => {
    const element = await heatmap();
    const asked = eventsOf(element, "headscope-region-change");
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
