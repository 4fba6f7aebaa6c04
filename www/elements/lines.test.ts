// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import type { Tensor, Token } from "../data/index.js";
import { setLanguage } from "../i18n/index.js";
import { HeadscopeLines } from "./lines.js";
import { heard, mount } from "./testing/mount.js";

const tokens = (...texts: string[]): Token[] =>
  texts.map((text, word) => ({ id: word, text, word, special: false, role: null }));
const matrix = (columns: number, ...values: number[]): Tensor => ({
  data: Float32Array.from(values),
  shape: [values.length / columns, columns],
  axes: ["query", "key"],
});

const FIRST = { head: 2, weights: matrix(3, 0.25, 0.75, 0, 0.1, 0.2, 0.7) };
const OTHER = { head: 0, weights: matrix(3, 1, 0, 0, 0, 1, 0) };

const lines = (properties: Partial<HeadscopeLines> = {}): Promise<HeadscopeLines> =>
  mount(new HeadscopeLines(), {
    patterns: [FIRST],
    heads: 4,
    queries: tokens("le", "chat"),
    keys: tokens("the", "cat", "."),
    ...properties,
  });

const spoken = (element: HeadscopeLines): string =>
  element.renderRoot.querySelector("[aria-live]")?.textContent.trim() ?? "";
const stage = (element: HeadscopeLines): HTMLElement | null =>
  element.renderRoot.querySelector(".stage");
const press = async (element: HeadscopeLines, ...keys: string[]): Promise<void> => {
  for (const key of keys)
    stage(element)?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  await element.updateComplete;
};

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-lines>", () => {
  it("is named after what it shows and says how many links hold the mass", async () => {
    const element = await lines();
    expect(stage(element)?.getAttribute("aria-label")).toBe("Lines: 2 queries by 3 keys, 4 links");
    expect(element.renderRoot.querySelector(".foot")?.textContent).toContain("4 of 5 lines");
    element.mass = 70;
    await element.updateComplete;
    expect(stage(element)?.getAttribute("aria-label")).toBe("Lines: 2 queries by 3 keys, 2 links");
  });

  it("asks for another mass by its slider, which shows what it was given", async () => {
    const element = await lines({ mass: 83 });
    const said = heard(element, "headscope-mass-change");
    const slider = element.renderRoot.querySelector("input");
    expect([slider?.value, slider?.getAttribute("aria-valuetext")]).toEqual(["83", "83%"]);
    if (slider) slider.value = "40";
    slider?.dispatchEvent(new Event("input"));
    expect(said).toEqual([40]);
  });

  it("walks by the keyboard: a query's strongest link first, then each of its keys", async () => {
    const element = await lines({ locked: { query: 0, key: 1 } });
    expect(spoken(element)).toBe("le looks at cat: 0.750");
    await press(element, "ArrowDown");
    expect(spoken(element)).toBe("chat looks at .: 0.700");
    await press(element, "ArrowRight", "ArrowUp");
    expect(spoken(element)).toBe("chat looks at cat: 0.200");
    await press(element, "Home");
    expect(spoken(element)).toBe("chat looks at the: 0.100");
    await press(element, "ArrowLeft", "PageUp");
    expect(spoken(element)).toBe("le looks at cat: 0.750");
  });

  it("locks, lets go and blocks as the heatmap does", async () => {
    const element = await lines({ focused: { query: 1, key: 0 } });
    const locks = heard(element, "headscope-cell-lock");
    const toggles = heard(element, "headscope-cell-toggle");
    await press(element, "Enter", "b", "Escape");
    expect(locks).toEqual([{ query: 1, key: 0 }, null]);
    expect(toggles).toEqual([{ query: 1, key: 0 }]);
  });

  it("draws several heads, each named where its number is said", async () => {
    const element = await lines({ patterns: [FIRST, OTHER], focused: { query: 0, key: 0 } });
    expect(spoken(element)).toBe("le looks at the: head 3 0.250 · head 1 1.000");
    const said = heard(element, "headscope-beside-toggle");
    const buttons = [...element.renderRoot.querySelectorAll<HTMLButtonElement>(".heads button")];
    expect(
      buttons.map((button) => [
        button.getAttribute("aria-label"),
        button.getAttribute("aria-pressed"),
      ]),
    ).toEqual([
      ["Head 1", "true"],
      ["Head 2", "false"],
      ["Head 4", "false"],
    ]);
    buttons[1]?.click();
    expect(said).toEqual([1]);
  });

  it("says why a pair weighs nothing", async () => {
    const element = await lines({
      patterns: [{ head: 0, weights: matrix(2, 0, 1, 0, 0) }],
      keys: tokens("a", "b"),
      blocked: [{ query: 0, key: 0 }],
      fullyMasked: [1],
    });
    element.focused = { query: 0, key: 0 };
    await element.updateComplete;
    expect(spoken(element)).toBe("le looks at a: 0 · blocked by you");
    element.focused = { query: 1, key: 0 };
    await element.updateComplete;
    expect(spoken(element)).toBe("chat looks at a: 0 · may look at nothing");
  });

  it("shows every head's numbers as a table on request", async () => {
    const element = await lines({ patterns: [FIRST, OTHER] });
    element.renderRoot.querySelector<HTMLButtonElement>("button[aria-expanded]")?.click();
    await element.updateComplete;
    expect(
      [...element.renderRoot.querySelectorAll("caption")].map((caption) => caption.textContent),
    ).toEqual(["Weights of head 3", "Weights of head 1"]);
    const cells = [...element.renderRoot.querySelectorAll("td")].map((cell) => cell.textContent);
    expect(cells.slice(0, 6)).toEqual(["0.250", "0.750", "0", "0.100", "0.200", "0.700"]);
  });

  it("says so when there is nothing to show, and has no heads to choose where there is one", async () => {
    const empty = await lines({ patterns: [], queries: [], keys: [] });
    expect(empty.renderRoot.textContent).toContain("Nothing to show yet.");
    const alone = await lines({ heads: 1 });
    expect(alone.renderRoot.querySelector(".heads")).toBeNull();
  });
});
