// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import type { Tensor, Token } from "../data/index.js";
import { setLanguage } from "../i18n/index.js";
import { HeadscopeHeatmap } from "./heatmap.js";
import { formatSigned, HeadscopeDifference, HeadscopeMask, HeadscopeNumbers } from "./matrices.js";
import { heard, mount } from "./testing/mount.js";

const tokens = (...texts: string[]): Token[] =>
  texts.map((text, word) => ({ id: word, text, word, special: false, role: null }));
const matrix = (columns: number, ...values: number[]): Tensor => ({
  data: Float32Array.from(values),
  shape: [values.length / columns, columns],
  axes: ["query", "key"],
});

const heatmap = (properties: Partial<HeadscopeHeatmap> = {}): Promise<HeadscopeHeatmap> =>
  mount(new HeadscopeHeatmap(), {
    tensor: matrix(3, 0.25, 0.75, 0, 0.1, 0.2, 0.7),
    queries: tokens("le", "chat"),
    keys: tokens("the", "cat", "."),
    ...properties,
  });

const spoken = (element: HeadscopeHeatmap): string =>
  element.renderRoot.querySelector("[aria-live]")?.textContent.trim() ?? "";
const stage = (element: HeadscopeHeatmap): HTMLElement | null =>
  element.renderRoot.querySelector(".stage");

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-heatmap>", () => {
  it("is named after what it shows and can be reached by keyboard", async () => {
    const element = await heatmap({ stage: "scores" });
    expect(stage(element)?.getAttribute("aria-label")).toBe(
      "Attention, scores: 2 queries by 3 keys",
    );
    expect(stage(element)?.tabIndex).toBe(0);
  });

  it("never passes renormalised weights off as the model's own", async () => {
    const element = await heatmap({
      without: "start",
      emptied: [1],
      focused: { query: 1, key: 0 },
    });
    expect(stage(element)?.getAttribute("aria-label")).toBe(
      "Attention, weights renormalised without “start”: 2 queries by 3 keys",
    );
    expect(spoken(element)).toContain("nothing left without “start”");
  });

  it("speaks the tensor's own number for the pair in focus: hovered, else focused, else locked", async () => {
    const element = await heatmap({ locked: { query: 0, key: 1 } });
    expect(spoken(element)).toBe("le looks at cat: 0.750");
    element.focused = { query: 1, key: 2 };
    await element.updateComplete;
    expect(spoken(element)).toBe("chat looks at .: 0.700");
    stage(element)?.dispatchEvent(
      new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }),
    );
    await element.updateComplete;
    expect(spoken(element)).toBe("chat looks at cat: 0.200");
  });

  it("adds up rows in its table where they do not add up to 1, and only there", async () => {
    const sums = async (...values: number[]): Promise<(string | undefined)[]> => {
      const element = await heatmap({ tensor: matrix(3, ...values) });
      element.renderRoot.querySelector<HTMLElement>("button[aria-expanded]")?.click();
      await element.updateComplete;
      return Array.from(element.renderRoot.querySelectorAll("tr"), (row) =>
        row.children[4]?.textContent.trim(),
      );
    };
    expect(await sums(0.25, 0.75, 0, 0.1, 0.2, 0.7)).toEqual([undefined, undefined, undefined]);
    expect(await sums(0.25, 0.25, 0, 0.1, 0.2, 0.7)).toEqual(["sum", "0.500", "1.000"]);
  });

  it("hatches and names what was dropped, among weights only, and leaves their 0 to all others", async () => {
    const dropped = matrix(3, 1, 0, 0, 0, 0, 0);
    const element = await heatmap({
      tensor: matrix(3, 0, 1.5, 0, 0.1, 0.2, 0.7),
      dropped,
      focused: { query: 0, key: 0 },
    });
    expect(spoken(element)).toBe("le looks at the: 0 · dropped");
    expect(
      element.renderRoot.querySelector(".foot .sign .forbidden")?.parentElement?.textContent,
    ).toBe("dropped");
    element.renderRoot.querySelector<HTMLElement>(".foot button[aria-expanded]")?.click();
    element.focused = { query: 0, key: 2 };
    await element.updateComplete;
    expect(spoken(element)).toBe("le looks at .: 0");
    const row = (): string[] =>
      [
        ...(element.renderRoot.querySelector("tbody tr")?.querySelectorAll("td:not(.sum)") ?? []),
      ].map(({ textContent }) => textContent);
    expect(row()).toEqual(["dropped", "1.500", "0"]);
    element.stage = "scores";
    await element.updateComplete;
    expect([row()[0], element.renderRoot.querySelector(".sign")]).toEqual(["0", null]);
  });

  it("says why a cell has no number of its own", async () => {
    const element = await heatmap({ tensor: matrix(3, 1, -Infinity, 3, 4, 5, 6), stage: "masked" });
    const reading = async (query: number, key: number): Promise<string> => {
      element.focused = { query, key };
      await element.updateComplete;
      return spoken(element);
    };
    expect(await reading(0, 1)).toBe("le looks at cat: −∞ · masked");
    element.blocked = [{ query: 0, key: 1 }];
    expect(await reading(0, 1)).toBe("le looks at cat: −∞ · blocked by you");
    element.fullyMasked = [1];
    expect(await reading(1, 0)).toBe("chat looks at the: 4.000 · may look at nothing");
  });

  it("ignores a pair that is not in the text any more", async () => {
    const element = await heatmap({ locked: { query: 7, key: 7 } });
    expect(spoken(element)).toBe("");
  });

  it("starts the keyboard's walk inside a text that became shorter", async () => {
    const element = await heatmap({ locked: { query: 7, key: 7 } });
    const said = heard(element, "headscope-cell-toggle");
    stage(element)?.dispatchEvent(new KeyboardEvent("keydown", { key: "b", bubbles: true }));
    expect(said).toEqual([{ query: 1, key: 2 }]);
  });

  it("shows its numbers as a table on request", async () => {
    const element = await heatmap();
    expect(element.renderRoot.querySelector("table")).toBeNull();
    element.renderRoot.querySelector<HTMLButtonElement>("button[aria-expanded]")?.click();
    await element.updateComplete;
    const cells = [...element.renderRoot.querySelectorAll("td")].map((cell) => cell.textContent);
    expect(cells).toEqual(["0.250", "0.750", "0", "0.100", "0.200", "0.700"]);
    const headings = [...element.renderRoot.querySelectorAll("tbody th")].map(
      (cell) => cell.textContent,
    );
    expect(headings).toEqual(["le", "chat"]);
  });

  it("shows one query's numbers where a whole table would be too large", async () => {
    const many = Array.from({ length: 100 }, (_, index) => `w${index}`);
    const element = await heatmap({
      tensor: matrix(100, ...Array.from({ length: 10_000 }, (_, index) => index)),
      queries: tokens(...many),
      keys: tokens(...many),
      focused: { query: 42, key: 0 },
    });
    element.renderRoot.querySelector<HTMLButtonElement>("button[aria-expanded]")?.click();
    await element.updateComplete;
    const cells = [...element.renderRoot.querySelectorAll("td:not(.sum)")];
    expect(cells).toHaveLength(100);
    expect(cells[0]?.textContent).toBe("4,200.000");
  });

  it("follows the language", async () => {
    const element = await heatmap();
    setLanguage("zh-CN");
    await element.updateComplete;
    expect(stage(element)?.getAttribute("aria-label")).toContain("注意力");
  });

  it("does not draw a matrix whose labels do not match it", async () => {
    const element = await heatmap({ keys: tokens("the", "cat") });
    expect(element.renderRoot.querySelector("canvas")).toBeNull();
    expect(element.renderRoot.textContent).toContain(
      "This matrix is 2 × 3, but 2 and 2 tokens were given",
    );
  });

  it("says so when there is nothing to show", async () => {
    for (const tensor of [null, matrix(1)]) {
      const element = await heatmap({ tensor });
      expect(element.renderRoot.querySelector(".stage")).toBeNull();
      expect(element.renderRoot.querySelector("[aria-live]")).toBeNull();
      expect(element.renderRoot.textContent).toContain("Nothing to show yet.");
    }
  });
});

const differenceTokens: Token[] = ["a", "+ b"].map((text, word) => ({
  id: word,
  text,
  word,
  special: false,
  role: null,
}));
const tensor = { data: Float32Array.of(0.25, NaN, -0.5, 0), shape: [2, 2], axes: ["query", "key"] };

afterEach(() => document.body.replaceChildren());

describe("<headscope-difference>", () => {
  it("has a name with its size", async () => {
    const element = await mount(new HeadscopeDifference(), {
      tensor,
      queries: differenceTokens,
      keys: differenceTokens,
    });
    expect(element.renderRoot.querySelector(".stage")?.getAttribute("aria-label")).toBe(
      "Difference: 2 queries by 2 keys",
    );
  });

  it("reads each pair with its sign, and says where there is nothing to compare", async () => {
    const element = await mount(new HeadscopeDifference(), {
      tensor,
      queries: differenceTokens,
      keys: differenceTokens,
    });
    const reading = async (query: number, key: number): Promise<string | undefined> => {
      element.focused = { query, key };
      await element.updateComplete;
      return element.renderRoot.querySelector("[aria-live]")?.textContent;
    };
    expect(await reading(0, 0)).toBe("a looks at a: +0.250");
    expect(await reading(1, 0)).toBe("+ b looks at a: −0.500");
    expect(await reading(0, 1)).toBe("a looks at + b: no counterpart");
    expect(await reading(1, 1)).toBe("+ b looks at + b: 0");
  });

  it("has a table in which a missing number is a dash", async () => {
    const element = await mount(new HeadscopeDifference(), {
      tensor,
      queries: differenceTokens,
      keys: differenceTokens,
    });
    element.renderRoot.querySelector("button")?.click();
    await element.updateComplete;
    expect(
      [...element.renderRoot.querySelectorAll("td")].map(({ textContent }) => textContent),
    ).toEqual(["0.250", "–", "−0.500", "0"]);
  });

  it("says both signs", () => {
    expect([1, -1, 0].map(formatSigned)).toEqual(["+1.000", "−1.000", "0"]);
  });
});

const no = -Infinity;
const maskTokens: Token[] = ["a", "b"].map((text, word) => ({
  id: word,
  text,
  word,
  special: false,
  role: null,
}));
const mask = { data: Float32Array.of(0, no, 0, 0), shape: [2, 2], axes: ["query", "key"] };

afterEach(() => document.body.replaceChildren());

describe("<headscope-mask>", () => {
  it("counts who may look at whom", async () => {
    const element = await mount(new HeadscopeMask(), {
      mask,
      queries: maskTokens,
      keys: maskTokens,
    });
    expect(element.renderRoot.querySelector(".stage")?.getAttribute("aria-label")).toBe(
      "Mask: 2 queries by 2 keys, 3 pairs allowed",
    );
  });

  it("reads each pair as a word", async () => {
    const element = await mount(new HeadscopeMask(), {
      mask,
      queries: maskTokens,
      keys: maskTokens,
    });
    const reading = async (query: number, key: number): Promise<string | undefined> => {
      element.focused = { query, key };
      await element.updateComplete;
      return element.renderRoot.querySelector("[aria-live]")?.textContent;
    };
    expect(await reading(0, 0)).toBe("a looks at a: may look");
    expect(await reading(0, 1)).toBe("a looks at b: may not look");
    element.blocked = [{ query: 0, key: 1 }];
    expect(await reading(0, 1)).toBe("a looks at b: blocked by you");
  });

  it("explains the reader's own hatching once there is some", async () => {
    const element = await mount(new HeadscopeMask(), {
      mask,
      queries: maskTokens,
      keys: maskTokens,
    });
    const signs = (): string[] =>
      [...element.renderRoot.querySelectorAll(".sign")].map((sign) => sign.textContent.trim());
    expect(signs()).toEqual(["may look", "may not look"]);
    element.blocked = [{ query: 0, key: 1 }];
    await element.updateComplete;
    expect(signs()).toEqual(["may look", "may not look", "blocked by you"]);
  });
});

const PROPERTIES = {
  tensor: { data: Float32Array.of(0.5, -2, NaN, 0), shape: [2, 2], axes: ["layer", "head"] },
  rowNames: ["layer 1", "layer 2"],
  columnNames: ["1", "2"],
  titles: { rows: "layer", columns: "head", values: "effect" },
};

afterEach(() => document.body.replaceChildren());

describe("<headscope-numbers>", () => {
  it("says what its numbers are and how many", async () => {
    const element = await mount(new HeadscopeNumbers(), PROPERTIES);
    expect(element.renderRoot.querySelector(".stage")?.getAttribute("aria-label")).toBe(
      "effect: 2 by 2",
    );
  });

  it("has them in a table that says what its rows and columns are", async () => {
    const element = await mount(new HeadscopeNumbers(), PROPERTIES);
    [...element.renderRoot.querySelectorAll("button")]
      .find(({ textContent }) => textContent.includes("numbers"))
      ?.click();
    await element.updateComplete;
    expect(element.renderRoot.querySelector("thead th")?.textContent).toBe("layer ↓ head →");
  });

  it("reads each in the words of its row and column, with its sign where that counts", async () => {
    const element = await mount(new HeadscopeNumbers(), { ...PROPERTIES, signed: true });
    const reading = async (query: number, key: number): Promise<string | undefined> => {
      element.focused = { query, key };
      await element.updateComplete;
      return element.renderRoot.querySelector("[aria-live]")?.textContent;
    };
    expect(await reading(0, 0)).toBe("layer 1, 1: +0.500");
    expect(await reading(0, 1)).toBe("layer 1, 2: −2.000");
    expect(await reading(1, 0)).toBe("layer 2, 1: –");
    element.signed = false;
    expect(await reading(0, 0)).toBe("layer 1, 1: 0.500");
  });
});
