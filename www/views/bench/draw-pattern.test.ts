// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Token } from "../../data/index.js";
import type { HeadscopeHeatmap } from "../../elements/heatmap.js";
import { mount } from "../../elements/testing/mount.js";
import { loadSentences } from "../../i18n/index.js";
import { HeadscopeDrawPattern } from "./draw-pattern.js";

const token = (text: string, word: number): Token => ({
  id: word,
  text,
  word,
  special: false,
  role: null,
});

/** A drawing of two rows, the map that it is drawn on, all that it told and all that the page heard of the map. */
async function pad(): Promise<{
  element: HeadscopeDrawPattern;
  map: HeadscopeHeatmap;
  told: number[][][];
  heard: string[];
}> {
  const element = await mount(new HeadscopeDrawPattern(), {
    drawing: [
      [1000, 0],
      [0, 1000],
    ],
    queries: ["a", "b"].map(token),
    keys: ["a", "b"].map(token),
  });
  const told: number[][][] = [];
  const heard: string[] = [];
  element.addEventListener("headscope-drawn", ({ detail }) => told.push(detail));
  for (const name of ["headscope-cell-hover", "headscope-cell-toggle", "headscope-cells-paint"])
    element.addEventListener(name, () => heard.push(name));
  const map = element.renderRoot.querySelector("headscope-heatmap");
  if (!map) throw new Error("no map");
  await map.updateComplete;
  return { element, map, told, heard };
}

function press(map: HeadscopeHeatmap, key: string, shiftKey = false): void {
  map.renderRoot.querySelector(".stage")?.dispatchEvent(
    new KeyboardEvent("keydown", {
      key,
      shiftKey,
      bubbles: true,
      composed: true,
      cancelable: true,
    }),
  );
}

beforeAll(() => loadSentences("bench"));
afterEach(() => document.body.replaceChildren());

describe("<headscope-draw-pattern>", () => {
  it("takes what the figure says of a stroke as one change, whichever cell it began at", async () => {
    const { element, map, told, heard } = await pad();
    const cells = [
      { query: 0, key: 0 },
      { query: 0, key: 1 },
    ];
    map.dispatchEvent(
      new CustomEvent("headscope-cells-paint", {
        detail: { cells, open: true },
        bubbles: true,
        composed: true,
      }),
    );
    expect(told).toEqual([
      [
        [1000, 1000],
        [0, 1000],
      ],
    ]);
    await element.updateComplete;
    // As the model takes it: each row divided by its sum.
    expect([...(map.tensor?.data ?? [])]).toEqual([0.5, 0.5, 0, 1]);
    expect(heard).toEqual([]);
  });

  it("leaves no mark of a stroke that changed nothing", async () => {
    const { map, told } = await pad();
    const ended = vi.spyOn(map, "endStroke");
    press(map, "ArrowDown", true);
    press(map, "Enter");
    press(map, "ArrowUp", true);
    press(map, "Enter");
    expect(told).toEqual([
      [
        [1000, 0],
        [1000, 1000],
      ],
    ]);
    expect(ended.mock.calls).toEqual([[true], [true]]);
    expect(map.strokes).toBe("mark");
  });
});
