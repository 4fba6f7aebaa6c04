// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import type { Cell, Region } from "../../data/index.js";
import { message } from "../../i18n/index.js";
import { HeadscopeHeatmap } from "../heatmap.js";
import { HeadscopeMask } from "../mask.js";
import { all, eventsOf, matrixOf, mount, nameOf, numberedTokens } from "../testing/mount.js";
import { press, put, spoken, stageOf } from "../testing/mount.js";

const cell = (query: number, key: number): Cell => ({ query, key });
const words = (cells: readonly (Cell | null)[]): string =>
  cells.map((one) => (one ? `${one.query}-${one.key}` : "none")).join(" ");

afterEach(() => document.body.replaceChildren());

type Pad = Awaited<ReturnType<typeof pad>>;

/**
 * A causal mask of 4 queries by 5 keys with cells of ten pixels, its events, and the cells painted
 * at once. `point` sends a pointer event to a cell, and returns whether it reaches the stage.
 */
async function pad(more: Partial<HeadscopeMask> = {}) {
  const causal = Array.from({ length: 20 }, (_, at) => (at % 5 > at / 5 ? -Infinity : 0));
  const labels = { queries: numberedTokens("q", 4), keys: numberedTokens("k", 5) };
  const element = new HeadscopeMask();
  await mount(element, { mask: matrixOf(5, causal), ...labels, ...more });
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
  const point = (type: string, query: number, key: number, given: PointerEventInit = {}) => {
    let reached = false;
    stage.addEventListener(type, () => (reached = true), { once: true });
    const place = { clientX: key * 10 + 5, clientY: query * 10 + 5 };
    const event = { ...place, bubbles: true, buttons: 1, button: 0, pointerId: 1, ...given };
    stage.dispatchEvent(new PointerEvent(type, event));
    return reached;
  };
  return { element, fired, painted, point };
}

describe("the pointer and the keyboard on a matrix", () => {
  it("hover fires once per cell, and when the pointer leaves; a finger previews nothing", async () => {
    const { element, fired, point } = await pad();
    for (const at of [2, 2]) point("pointermove", at, 1);
    point("pointermove", 9, 9);
    point("pointerleave", 0, 0);
    point("pointermove", 1, 1, { pointerType: "touch" });
    expect([fired, element.touched]).toEqual([["hover 2-1", "hover none"], true]);
  });

  it("a click locks, a second one unlocks, and toggles instead while blocking", async () => {
    const { element, fired, point } = await pad();
    point("click", 0, 3);
    element.locked = cell(0, 3);
    point("click", 0, 3);
    point("click", 9, 9);
    element.blocking = true;
    point("click", 1, 2);
    expect(fired).toEqual(["lock 0-3", "lock none", "toggle 1-2"]);
  });

  it("keys move inside the matrix, lock, block and unlock", async () => {
    const { element, fired } = await pad({ blocked: [] });
    const moves = ["ArrowRight", "ArrowDown", "End", "ArrowRight", "PageDown", "Home", "PageUp"];
    await press(element, ...moves, "Enter", "b", "x", "Escape");
    expect(fired).toEqual([
      ...["0-1", "1-1", "1-4", "3-4", "3-0", "0-0"].map((at) => `hover ${at}`),
      ...["lock 0-0", "toggle 0-0", "toggle 0-0", "lock none", "hover none"],
    ]);
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

  it("is reported as far as it has come, and as null when it is given up, but not where it only marks", async () => {
    const drawn = async (more: Partial<HeadscopeMask>): Promise<(string | null)[]> => {
      const { element, point } = await pad({ blocking: true, ...more });
      const soFar: (string | null)[] = [];
      element.addEventListener("headscope-cells-stroke", ({ detail }) =>
        soFar.push(detail && words([...detail.cells])),
      );
      point("pointerdown", 3, 0);
      for (const key of [0, 1, 2]) point("pointermove", 3, key);
      await press(element, "Escape");
      return soFar;
    };
    expect(await drawn({})).toEqual(["3-0 3-1", "3-0 3-1 3-2", null]);
    expect(await drawn({ strokes: "mark" })).toEqual([]);
  });

  it("opens if its first cell is masked; a single cell is a click", async () => {
    const painting = await pad({ blocking: true });
    drag(painting, [0, 3], [3, 3]);
    painting.point("pointerup", 3, 3);
    drag(painting, [1, 1], [1, 1]);
    painting.point("pointerup", 1, 1);
    expect(strokes(painting)).toEqual(["open 0-3 1-3 2-3 3-3"]);
    expect(painting.point("click", 1, 1)).toBe(true);
  });

  it("needs blocking, the first button and the first finger, and ends where the button was released", async () => {
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

  it("that the system cancels changes nothing, and the next one begins anew", async () => {
    const painting = await pad({ blocking: true });
    drag(painting, [1, 0], [1, 2]);
    painting.point("pointercancel", 1, 2, { pointerId: 2 });
    drag(painting, [1, 0], [1, 1]);
    painting.point("pointercancel", 1, 2);
    painting.point("pointermove", 1, 3);
    painting.point("pointerup", 1, 3);
    expect(strokes(painting)).toEqual([]);
    drag(painting, [2, 0], [2, 1]);
    painting.point("pointerup", 2, 1);
    expect(strokes(painting)).toEqual(["block 2-0 2-1"]);
  });

  it("of the keyboard says how large it is, and ends with Escape", async () => {
    const { element, fired } = await pad({ blocking: true, locked: cell(1, 0) });
    const shifted = { shiftKey: true, bubbles: true };
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"])
      stageOf(element).dispatchEvent(new KeyboardEvent("keydown", { key, ...shifted }));
    await element.updateComplete;
    expect(spoken(element)).toContain(message("paint.range", { rows: 3, columns: 2 }));
    await press(element, "Escape");
    expect(element.anchor).toBeNull();
    await press(element, " ");
    expect(fired.filter((one) => /^(open|block)/.test(one))).toEqual([]);
  });

  it.each([
    [cell(2, 0), ["ArrowRight", "ArrowDown"], "block 2-0 2-1 3-0 3-1"],
    [cell(1, 3), ["ArrowLeft", "ArrowLeft", "ArrowUp"], "open 0-1 0-2 0-3 1-1 1-2 1-3"],
  ])("of the keyboard is a rectangle from %j by Shift and %j", async (locked, keys, stroke) => {
    const painting = await pad({ blocking: true, locked });
    const shifted = { shiftKey: true, bubbles: true };
    for (const key of keys)
      stageOf(painting.element).dispatchEvent(new KeyboardEvent("keydown", { key, ...shifted }));
    expect(painting.element.anchor).toEqual(locked);
    await press(painting.element, " ");
    expect([strokes(painting), painting.element.anchor]).toEqual([[stroke], null]);
  });
});

describe("a region of a large matrix", () => {
  const ROWS = 40;
  const COLUMNS = 60;
  const heatmap = (more: Partial<HeadscopeHeatmap>): Promise<HeadscopeHeatmap> =>
    mount(new HeadscopeHeatmap(), {
      tensor: matrixOf(COLUMNS, [...Array(ROWS * COLUMNS).keys()]),
      stage: "scores",
      queries: numberedTokens("q", ROWS),
      keys: numberedTokens("k", COLUMNS),
      ...more,
    });
  const button = (element: HeadscopeHeatmap, name: string): HTMLElement | undefined =>
    all(element, ".foot button").find(({ textContent }) => textContent.trim() === name);

  it("is requested by buttons and keys around the pair in focus, and ended by zero", async () => {
    const element = await heatmap({ locked: cell(39, 0) });
    const regions = eventsOf(element, "headscope-region-change");
    button(element, "Zoom in")?.click();
    expect(regions).toEqual([{ query: 20, key: 0, rows: 20, columns: 30 }]);
    await put(element, { region: regions[0] ?? null });
    await press(element, "+", "-", "0");
    expect(regions.slice(1)).toEqual([{ query: 30, key: 0, rows: 10, columns: 15 }, null, null]);
    expect(button(element, "Zoom in")?.getAttribute("aria-disabled")).toBe("false");
    button(element, "Show all")?.click();
    expect(regions.at(-1)).toBeNull();
  });

  it("follows a key out of it, and stays for one within it", async () => {
    const region = { query: 10, key: 20, rows: 20, columns: 30 };
    const element = await heatmap({ region, locked: cell(29, 20) });
    const regions = eventsOf(element, "headscope-region-change");
    await press(element, "ArrowUp", "ArrowRight", "ArrowLeft");
    expect(regions).toEqual([]);
    await press(element, "ArrowLeft");
    expect(regions).toEqual([{ ...region, key: 19 }]);
  });

  it("is named, and is not offered of a small one", async () => {
    const element = await heatmap({ region: { query: 10, key: 20, rows: 20, columns: 30 } });
    const shown = "Queries 11–30 of 40, keys 21–50 of 60";
    expect(all(element, ".foot")[0]?.textContent).toContain(shown);
    expect(nameOf(element)).toBe(`Attention, scores: 40 queries by 60 keys. ${shown}`);
    const small = numberedTokens("t", 2);
    await put(element, { tensor: matrixOf(2, [1, 2, 3, 4]), queries: small, keys: small });
    expect(button(element, "Zoom in")).toBeUndefined();
  });
});

describe("zooming and dragging", () => {
  /** A mask of 20 by 20 pairs, the regions that it asks for, and its frame. */
  async function large() {
    const element = new HeadscopeMask();
    const tokens = numberedTokens("t", 20);
    const mask = matrixOf(20, Array<number>(400).fill(0));
    await mount(element, { mask, queries: tokens, keys: tokens });
    element.cellUnder = () => cell(10, 10);
    const asked: (Region | null)[] = [];
    element.addEventListener("headscope-region-change", ({ detail }) => asked.push(detail));
    const frame = all(element, ".frame")[0] ?? element;
    frame.setPointerCapture = () => undefined;
    const point = (type: string, x: number): boolean => {
      const event = { clientX: x, clientY: 50, bubbles: true, buttons: 1, pointerId: 1 };
      let reached = false;
      stageOf(element).addEventListener(type, () => (reached = true), { once: true });
      stageOf(element).dispatchEvent(new PointerEvent(type, event));
      return reached;
    };
    return { element, asked, frame, point };
  }

  it("a turn of the wheel with Ctrl zooms in or out, and without it scrolls the page", async () => {
    const { element, asked, frame } = await large();
    const turn = (deltaY: number, ctrlKey: boolean): void => {
      const event = new WheelEvent("wheel", { deltaY, cancelable: true });
      // Not every DOM takes it from the constructor.
      Object.defineProperty(event, "ctrlKey", { value: ctrlKey });
      frame.dispatchEvent(event);
    };
    turn(-1, true);
    expect(asked).toMatchObject([{ rows: 16, columns: 16 }]);
    element.region = asked[0] ?? null;
    turn(1, true);
    expect(asked[1]).toBeNull();
    turn(-1, false);
    expect(asked).toHaveLength(2);
  });

  it("a drag moves the region by whole cells against it, and stops at the edges", async () => {
    const { element, asked, point } = await large();
    // The whole matrix stays where it is.
    point("pointerdown", 50);
    point("pointermove", 150);
    point("pointerup", 150);
    expect(asked).toEqual([]);
    const region = { query: 4, key: 5, rows: 10, columns: 10 };
    await put(element, { region });
    Object.defineProperty(element, "cellSide", { value: 10 });
    const hovered = eventsOf(element, "headscope-cell-hover");
    point("pointerdown", 50);
    point("pointermove", 64);
    point("pointermove", 86);
    point("pointermove", 150);
    point("pointermove", -50);
    expect(asked).toEqual([4, 1, 0, 10].map((key) => ({ ...region, key })));
    expect(hovered.filter((at) => at !== null)).toEqual([]);
  });

  it("two fingers zoom by their distance around what is between them, and one scrolls", async () => {
    const { element, asked, frame } = await large();
    const finger = (type: string, pointerId: number, clientX: number): void => {
      const event = { clientX, clientY: 50, bubbles: true, buttons: 1, pointerId };
      stageOf(element).dispatchEvent(new PointerEvent(type, event));
    };
    finger("pointerdown", 1, 50);
    finger("pointerdown", 2, 90);
    finger("pointermove", 2, 130);
    expect(asked).toEqual([{ query: 5, key: 5, rows: 10, columns: 10 }]);
    await put(element, { region: asked[0] ?? null });
    finger("pointermove", 2, 100);
    expect(asked[1]).toMatchObject({ rows: 16, columns: 16 });
    // The finger that stays drags.
    Object.defineProperty(element, "cellSide", { value: 10 });
    finger("pointerup", 2, 100);
    finger("pointermove", 1, 51);
    expect(asked).toHaveLength(2);
    finger("pointermove", 1, 70);
    expect(asked[2]).toEqual({ query: 5, key: 3, rows: 10, columns: 10 });
    const touch = (count: number): boolean => {
      const event = new Event("touchmove", { cancelable: true });
      frame.dispatchEvent(Object.assign(event, { touches: Array(count).fill({}) }));
      return event.defaultPrevented;
    };
    expect([touch(1), touch(2)]).toEqual([false, true]);
  });

  it("a press that moves less than four pixels is a click", async () => {
    const { element, point } = await large();
    await put(element, { region: { query: 2, key: 2, rows: 10, columns: 10 } });
    point("pointerdown", 50);
    point("pointermove", 53);
    point("pointerup", 53);
    expect(point("click", 53)).toBe(true);
    point("pointerdown", 50);
    point("pointermove", 55);
    point("pointerup", 55);
    expect(point("click", 55)).toBe(false);
  });
});
