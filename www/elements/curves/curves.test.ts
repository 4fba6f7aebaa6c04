// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { recorder } from "../../draw/testing/recorder.js";
import { testInks } from "../../draw/testing/inks.js";
import { loadSentences } from "../../i18n/index.js";
import { mount } from "../testing/mount.js";
import { HeadscopeCurves } from "./index.js";

const LINES = [
  { name: "Encoder", points: [{ x: 0, y: 1 }, { x: 0.5, y: 2 }] },
  { name: "Decoder", points: [{ x: 0, y: 1 }] },
];
const SHARES = { x: (share: number): string => `${share * 100}%` };

beforeAll(() => loadSentences("bench"));
afterEach(() => document.body.replaceChildren());

const keysOf = (element: HeadscopeCurves): string[] => [...element.renderRoot.querySelectorAll(".keys li")].map(({ textContent }) => textContent.trim());

async function press(element: HeadscopeCurves, key: string): Promise<void> {
  element.renderRoot.querySelector(".stage")?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  await element.updateComplete;
}

describe("<headscope-curves>", () => {
  it("names its lines, and has all their numbers in a table; a missing one is a dash", async () => {
    const element = await mount(new HeadscopeCurves(), { lines: LINES, titles: { x: "heads removed", y: "loss" }, marked: 0.6, words: SHARES });
    expect(keysOf(element)).toEqual(["Encoder", "Decoder"]);
    element.renderRoot.querySelector("button")?.click();
    await element.updateComplete;
    const rows = [...element.renderRoot.querySelectorAll("tr")].map((row) => [...row.children].map(({ textContent }) => textContent));
    expect(rows).toEqual([["heads removed", "Encoder", "Decoder"], ["0%", "1.000", "1.000"], ["50%", "2.000", "–"]]);
  });

  it("reads the numbers of a place by the keyboard, and lets go of it", async () => {
    const element = await mount(new HeadscopeCurves(), { lines: LINES, titles: { x: "heads removed", y: "loss" }, words: SHARES });
    expect(element.renderRoot.querySelector(".stage")?.getAttribute("aria-label")).toBe("loss by heads removed: Encoder, Decoder");
    await press(element, "End");
    expect(keysOf(element)).toEqual(["heads removed 50%", "Encoder 2.000", "Decoder –"]);
    expect(element.renderRoot.querySelector("[aria-live]")?.textContent).toBe("heads removed 50%: Encoder 2.000, Decoder –");
    await press(element, "ArrowLeft");
    expect(keysOf(element)[0]).toBe("heads removed 0%");
    await press(element, "Escape");
    expect(keysOf(element)).toEqual(["Encoder", "Decoder"]);
  });

  it("holds a number until the next where it is stepped", async () => {
    const element = await mount(new HeadscopeCurves(), { lines: LINES, titles: { x: "x", y: "y" }, stepped: true });
    await press(element, "End");
    expect(keysOf(element)).toEqual(["x 0.500", "Encoder 2.000", "Decoder 1.000"]);
  });

  it("is printed with its titles, names and axes", async () => {
    const element = await mount(new HeadscopeCurves(), { lines: LINES, titles: { x: "heads removed", y: "loss" }, words: SHARES, range: { x: [0, 1] } });
    const { brush, done } = recorder();
    element.print(testInks)?.paint(brush);
    const texts = done("fillText").map(({ args }) => args[0]);
    expect(texts).toEqual(expect.arrayContaining(["loss", "heads removed", "Encoder", "Decoder", "0%", "100%", "2"]));
  });

  it("shows nothing where there is nothing", async () => {
    const element = await mount(new HeadscopeCurves(), { lines: [] });
    expect([element.renderRoot.querySelector("figure"), element.print(testInks)]).toEqual([null, null]);
  });
});
