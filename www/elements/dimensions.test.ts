// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import type { Tensor, Token } from "../data/index.js";
import { HeadscopeDimensions } from "./dimensions.js";
import { heard, mount } from "./testing/mount.js";

const tokens = (...texts: string[]): Token[] =>
  texts.map((text, word) => ({ id: word, text, word, special: false, role: null }));
const matrix = (axes: string[], columns: number, ...values: number[]): Tensor => ({
  data: Float32Array.from(values),
  shape: [values.length / columns, columns],
  axes,
});
const pairs = (...values: number[]): Tensor => matrix(["query", "key"], 2, ...values);
const rows = (...values: number[]): Tensor => matrix(["position", "head_dim"], 3, ...values);

const stages = {
  raw: pairs(2, -3.5, 1, 9),
  scores: pairs(1.155, -2.021, 0.577, 5.196),
  masked: pairs(1.155, -Infinity, 0.577, 5.196),
  weights: pairs(1, 0, 0.01, 0.99),
};
const vectors = { query: rows(1, 2, -1, 1, 1, 1), key: rows(2, 0.5, 1, -1, -1, 0.5) };

const dimensions = (properties: Partial<HeadscopeDimensions> = {}): Promise<HeadscopeDimensions> =>
  mount(new HeadscopeDimensions(), {
    stages,
    vectors,
    queries: tokens("le", "chat"),
    keys: tokens("the", "cat"),
    ...properties,
  });

const spoken = (element: HeadscopeDimensions): string =>
  element.renderRoot.querySelector("[aria-live]")?.textContent.trim() ?? "";
const stage = (element: HeadscopeDimensions): HTMLElement | null =>
  element.renderRoot.querySelector(".stage");
const press = async (element: HeadscopeDimensions, ...keys: string[]): Promise<void> => {
  for (const key of keys)
    stage(element)?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  await element.updateComplete;
};

afterEach(() => document.body.replaceChildren());

describe("<headscope-dimensions>", () => {
  it("is named after its query, and speaks the engine's numbers of a pair", async () => {
    const element = await dimensions({ focused: { query: 1, key: 0 } });
    expect(stage(element)?.getAttribute("aria-label")).toBe(
      "Dimensions of the query chat: 2 keys by 3 dimensions",
    );
    expect(spoken(element)).toBe("chat looks at the: q · k 1.000, scaled 0.577, weight 0.010");
  });

  it("calls stages that an edit makes otherwise by their own names, and no product their sum", async () => {
    const element = await dimensions({ focused: { query: 1, key: 0 } });
    const toggle = element.renderRoot.querySelector<HTMLButtonElement>("[part~=button]");
    toggle?.click();
    await element.updateComplete;
    const heads = (): string[] =>
      [...element.renderRoot.querySelectorAll("table:first-of-type thead th")].map((cell) =>
        cell.textContent.trim(),
      );
    const sums = (): number =>
      [...element.renderRoot.querySelectorAll("tbody th")].filter(
        (cell) => cell.textContent.trim() === "sum",
      ).length;
    expect([heads().slice(1, 5), sums()]).toEqual([["q · k", "÷ √3", "masked", "softmax"], 1]);
    element.unusual = ["raw", "scores", "weights"];
    await element.updateComplete;
    expect([heads().slice(1, 5), sums()]).toEqual([["raw", "scores", "masked", "weights"], 0]);
    expect(spoken(element)).toBe("chat looks at the: raw 1.000, score 0.577, weight 0.010");
  });

  it("walks keys up and down and queries left and right", async () => {
    const element = await dimensions({ focused: { query: 0, key: 0 } });
    await press(element, "ArrowDown");
    expect(spoken(element)).toBe(
      "le looks at cat: q · k −3.500, scaled −2.021, weight 0 · may not look",
    );
    await press(element, "ArrowRight");
    expect(spoken(element)).toContain("chat looks at cat");
    await press(element, "PageUp", "Home");
    expect(spoken(element)).toContain("le looks at the");
  });

  it("says what the reader blocked", async () => {
    const element = await dimensions({
      focused: { query: 0, key: 1 },
      blocked: [{ query: 0, key: 1 }],
    });
    expect(spoken(element)).toContain("blocked by you");
    expect(element.renderRoot.querySelector(".foot")?.textContent).toContain("may not look");
    element.focused = { query: 1, key: 1 };
    await element.updateComplete;
    expect(element.renderRoot.querySelector(".foot")?.textContent).not.toContain("may not look");
  });

  it("holds a query's strongest pair when that query is chosen", async () => {
    const element = await dimensions({ focused: { query: 0, key: 0 } });
    const said = heard(element, "headscope-cell-lock");
    const select = element.renderRoot.querySelector("select");
    expect([...(select?.options ?? [])].map((option) => option.textContent)).toEqual([
      "1 · le",
      "2 · chat",
    ]);
    if (select) select.value = "1";
    select?.dispatchEvent(new Event("change"));
    expect(said).toEqual([{ query: 1, key: 1 }]);
  });

  it("shows its numbers as tables on request: every key, and every dimension of the pair with the engine's sum", async () => {
    const element = await dimensions({ focused: { query: 0, key: 0 } });
    element.renderRoot.querySelector<HTMLButtonElement>("button[aria-expanded]")?.click();
    await element.updateComplete;
    const [keys, pair] = [...element.renderRoot.querySelectorAll("table")].map((table) =>
      [...table.querySelectorAll("tbody tr")].map((row) =>
        [...row.children].map((cell) => cell.textContent),
      ),
    );
    expect(keys).toEqual([
      ["the", "2.000", "1.155", "1.155", "1.000"],
      ["cat", "−3.500", "−2.021", "−∞", "0"],
    ]);
    expect(pair).toEqual([
      ["1", "1.000", "2.000", "2.000"],
      ["2", "2.000", "0.500", "1.000"],
      ["3", "−1.000", "1.000", "−1.000"],
      ["sum", "", "", "2.000"],
    ]);
  });

  it("has its numbers without vectors, and with vectors of another size", async () => {
    for (const given of [null, { query: rows(1, 2, 3), key: vectors.key }]) {
      const element = await dimensions({ vectors: given, focused: { query: 1, key: 1 } });
      expect(spoken(element)).toContain("q · k 9.000");
      element.renderRoot.querySelector<HTMLButtonElement>("button[aria-expanded]")?.click();
      await element.updateComplete;
      expect(element.renderRoot.querySelectorAll("table")).toHaveLength(1);
    }
  });

  it("says so when there is nothing to show", async () => {
    const element = await dimensions({ stages: null, vectors: null, queries: [], keys: [] });
    expect(element.renderRoot.textContent).toContain("Nothing to show yet.");
  });
});
