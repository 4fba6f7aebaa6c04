// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Region, Tensor, Token } from "../../data/index.js";
import { testInks } from "../../draw/testing/inks.js";
import { recorder } from "../../draw/testing/recorder.js";
import { HeadscopeHeatmap } from "../heatmap/index.js";
import { heard, mount } from "../testing/mount.js";

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
