// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { recorder, testInks } from "../draw/testing/recorder.js";
import { loadSentences } from "../i18n/index.js";
import { HeadscopeCurves } from "./curves.js";
import { mount } from "./testing/mount.js";

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
const SHARES = { x: (share: number): string => `${share * 100}%` };

beforeAll(() => loadSentences("bench"));
afterEach(() => document.body.replaceChildren());

const keysOf = (element: HeadscopeCurves): string[] =>
  [...element.renderRoot.querySelectorAll(".keys li")].map(({ textContent }) => textContent.trim());

async function press(element: HeadscopeCurves, key: string): Promise<void> {
  element.renderRoot
    .querySelector(".stage")
    ?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  await element.updateComplete;
}

describe("<headscope-curves>", () => {
  it("names its lines, and has all their numbers in a table; a missing one is a dash", async () => {
    const element = await mount(new HeadscopeCurves(), {
      lines: LINES,
      titles: { x: "heads removed", y: "loss" },
      marked: 0.6,
      words: SHARES,
    });
    expect(keysOf(element)).toEqual(["Encoder", "Decoder"]);
    element.renderRoot.querySelector("button")?.click();
    await element.updateComplete;
    const rows = [...element.renderRoot.querySelectorAll("tr")].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    );
    expect(rows).toEqual([
      ["heads removed", "Encoder", "Decoder"],
      ["0%", "1.000", "1.000"],
      ["50%", "2.000", "–"],
    ]);
  });

  it("shows one place at a time where the table would have too many: the one that was looked at last", async () => {
    const points = Array.from({ length: 100_000 }, (_, x) => ({ x, y: x / 2 }));
    const element = await mount(new HeadscopeCurves(), {
      lines: [{ name: "one", points }],
      titles: { x: "tokens", y: "loss" },
    });
    element.renderRoot.querySelector("button")?.click();
    await element.updateComplete;
    const rows = (): string[][] =>
      [...element.renderRoot.querySelectorAll("tbody tr")].map((row) =>
        [...row.children].map(({ textContent }) => textContent),
      );
    expect(rows()).toEqual([["0", "0"]]);
    expect(element.renderRoot.querySelector(".numbers p")?.textContent).toBe(
      "The numbers of one row at a time: tokens 0",
    );
    await press(element, "End");
    await press(element, "Escape");
    expect(rows()).toEqual([["99,999", "49,999.5"]]);
  });

  it("reads the numbers of a place by the keyboard, and lets go of it", async () => {
    const element = await mount(new HeadscopeCurves(), {
      lines: LINES,
      titles: { x: "heads removed", y: "loss" },
      words: SHARES,
    });
    expect(element.renderRoot.querySelector(".stage")?.getAttribute("aria-label")).toBe(
      "loss by heads removed: Encoder, Decoder",
    );
    await press(element, "End");
    expect(keysOf(element)).toEqual(["heads removed 50%", "Encoder 2.000", "Decoder –"]);
    expect(element.renderRoot.querySelector("[aria-live]")?.textContent).toBe(
      "heads removed 50%: Encoder 2.000, Decoder –",
    );
    await press(element, "ArrowLeft");
    expect(keysOf(element)[0]).toBe("heads removed 0%");
    await press(element, "Escape");
    expect(keysOf(element)).toEqual(["Encoder", "Decoder"]);
  });

  it("holds a number until the next where it is stepped", async () => {
    const element = await mount(new HeadscopeCurves(), {
      lines: LINES,
      titles: { x: "x", y: "y" },
      stepped: true,
    });
    await press(element, "End");
    expect(keysOf(element)).toEqual(["x 0.500", "Encoder 2.000", "Decoder 1.000"]);
    element.renderRoot.querySelector("button")?.click();
    await element.updateComplete;
    expect(
      [...element.renderRoot.querySelectorAll("tbody tr:last-child td")].map(
        ({ textContent }) => textContent,
      ),
    ).toEqual(["2.000", "1.000"]);
  });

  it("leaves the keys that scroll a page to it", async () => {
    const element = await mount(new HeadscopeCurves(), { lines: LINES });
    const free = (key: string): boolean =>
      element.renderRoot
        .querySelector(".stage")
        ?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })) ??
      false;
    expect(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "End"].map(free)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it("is read by a finger, which may be lifted, and says nothing aloud of what a pointer passes over", async () => {
    const observed = vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(400);
    vi.stubGlobal(
      "ResizeObserver",
      class {
        constructor(
          private readonly hear: (entries: { contentRect: { width: number } }[]) => void,
        ) {}
        observe(): void {
          this.hear([{ contentRect: { width: 400 } }]);
        }
        disconnect(): void {
          // There is nothing to stop.
        }
      },
    );
    const element = await mount(new HeadscopeCurves(), {
      lines: LINES,
      titles: { x: "x", y: "y" },
    });
    await element.updateComplete;
    await new Promise((resolve) => setTimeout(resolve, 20));
    const point = async (type: string, pointerType: string): Promise<void> => {
      element.renderRoot
        .querySelector(".stage")
        ?.dispatchEvent(new PointerEvent(type, { pointerType, clientX: 399, bubbles: true }));
      await element.updateComplete;
    };
    await point("pointerdown", "touch");
    await point("pointerleave", "touch");
    expect(keysOf(element)[0]).toBe("x 0.500");
    expect(element.renderRoot.querySelector("[aria-live]")?.textContent).toBe("");
    await point("pointerleave", "mouse");
    expect(keysOf(element)).toEqual(["Encoder", "Decoder"]);
    observed.mockRestore();
    vi.unstubAllGlobals();
  });

  it("is printed with its titles, names and axes", async () => {
    const element = await mount(new HeadscopeCurves(), {
      lines: LINES,
      titles: { x: "heads removed", y: "loss" },
      words: SHARES,
      range: { x: [0, 1] },
    });
    const { brush, done } = recorder();
    element.print(testInks)?.paint(brush);
    const texts = done("fillText").map(({ args }) => args[0]);
    expect(texts).toEqual(
      expect.arrayContaining(["loss", "heads removed", "Encoder", "Decoder", "0%", "100%", "2"]),
    );
  });

  it("shows nothing where there is nothing", async () => {
    const element = await mount(new HeadscopeCurves(), { lines: [] });
    expect([element.renderRoot.querySelector("figure"), element.print(testInks)]).toEqual([
      null,
      null,
    ]);
  });
});
