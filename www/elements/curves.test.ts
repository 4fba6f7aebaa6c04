// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { loadSentences } from "../i18n/index.js";
import { HeadscopeCurves } from "./curves.js";
import {
  mount,
  nameOf,
  press,
  put,
  rowsOf,
  spoken,
  stageOf,
  stubRoom,
  tabulate,
} from "./testing/mount.js";

const LINES = [
  {
    name: "Encoder",
    points: [
      { x: 0, y: 1 },
      { x: 0.5, y: 2 },
    ],
  },
  { name: "Decoder", points: [{ x: 0, y: 1 }] },
];
const GIVEN = {
  lines: LINES,
  titles: { x: "heads removed", y: "loss" },
  words: { x: (share: number): string => `${share * 100}%` },
};

beforeAll(() => loadSentences("bench"));
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

const keysOf = (element: HeadscopeCurves): string[] =>
  Array.from(element.renderRoot.querySelectorAll(".keys li"), (key) => key.textContent.trim());

describe("<headscope-curves>", () => {
  it("names its lines, and has all their numbers in a table; a missing one is a dash, or held where it is stepped", async () => {
    const element = await mount(new HeadscopeCurves(), { ...GIVEN, marked: 0.6 });
    expect(keysOf(element)).toEqual(["Encoder", "Decoder"]);
    await tabulate(element);
    expect(rowsOf(element)).toEqual([
      ["heads removed", "Encoder", "Decoder"],
      ["0%", "1.000", "1.000"],
      ["50%", "2.000", "–"],
    ]);
    await put(element, { stepped: true });
    expect(rowsOf(element).at(-1)).toEqual(["50%", "2.000", "1.000"]);
  });

  it("shows one place at a time where the table would have too many: the one that was looked at last", async () => {
    const points = Array.from({ length: 100_000 }, (_, x) => ({ x, y: x / 2 }));
    const element = await mount(new HeadscopeCurves(), {
      lines: [{ name: "one", points }],
      titles: { x: "tokens", y: "loss" },
    });
    await tabulate(element);
    expect(rowsOf(element, "tbody tr")).toEqual([["0", "0"]]);
    expect(element.renderRoot.querySelector(".numbers p")?.textContent).toBe(
      "The numbers of one row at a time: tokens 0",
    );
    await press(element, "End");
    await press(element, "Escape");
    expect(rowsOf(element, "tbody tr")).toEqual([["99,999", "49,999.5"]]);
  });

  it("reads the numbers of a place by the keyboard, lets go of it, and leaves the keys that scroll a page to it", async () => {
    const element = await mount(new HeadscopeCurves(), GIVEN);
    expect(nameOf(element)).toBe("loss by heads removed: Encoder, Decoder");
    await press(element, "End");
    expect(keysOf(element)).toEqual(["heads removed 50%", "Encoder 2.000", "Decoder –"]);
    expect(spoken(element)).toBe("heads removed 50%: Encoder 2.000, Decoder –");
    await press(element, "ArrowLeft");
    expect(keysOf(element)[0]).toBe("heads removed 0%");
    await press(element, "Escape");
    expect(keysOf(element)).toEqual(["Encoder", "Decoder"]);
    const free = (key: string): boolean =>
      stageOf(element).dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
    expect(["ArrowUp", "PageDown", "End"].map(free)).toEqual([true, true, false]);
  });

  it("is read by a finger, which may be lifted, and says nothing aloud of what a pointer passes over", async () => {
    stubRoom();
    const element = await mount(new HeadscopeCurves(), {
      lines: LINES,
      titles: { x: "x", y: "y" },
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const point = async (type: string, pointerType: string): Promise<void> => {
      stageOf(element).dispatchEvent(
        new PointerEvent(type, { pointerType, clientX: 399, bubbles: true }),
      );
      await element.updateComplete;
    };
    await point("pointerdown", "touch");
    await point("pointerleave", "touch");
    expect([keysOf(element)[0], spoken(element)]).toEqual(["x 0.500", ""]);
    await point("pointerleave", "mouse");
    expect(keysOf(element)).toEqual(["Encoder", "Decoder"]);
  });
});
