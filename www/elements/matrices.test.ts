// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import { PAGE_LOCALE } from "../i18n/index.js";
import { HeadscopeDifference } from "./difference.js";
import { HeadscopeHeatmap } from "./heatmap.js";
import { HeadscopeMask } from "./mask.js";
import { HeadscopeNumbers } from "./numbers.js";
import type { PairFigure } from "./matrix/pair-figure.js";
import { all, eventsOf, matrixOf, mount, nameOf, numberedTokens, press } from "./testing/mount.js";
import { put, rowsOf, spoken, stageOf, stubRoom } from "./testing/mount.js";
import { tabulate, textsOf, tokensOf } from "./testing/mount.js";

const heatmap = (properties: Partial<HeadscopeHeatmap> = {}): Promise<HeadscopeHeatmap> =>
  mount(new HeadscopeHeatmap(), {
    tensor: matrixOf(3, [0.25, 0.75, 0, 0.1, 0.2, 0.7]),
    queries: tokensOf("le", "chat"),
    keys: tokensOf("the", "cat", "."),
    ...properties,
  });
/** What is spoken of a cell. */
const reading = async (element: PairFigure, query: number, key: number): Promise<string> =>
  spoken(await put(element, { focused: { query, key } }));

afterEach(() => {
  document.body.replaceChildren();
  PAGE_LOCALE.speak("en");
});

describe("<headscope-heatmap>", () => {
  it("is named after what it shows, follows the language, and can be reached by keyboard", async () => {
    const element = await heatmap({ stage: "scores" });
    expect(nameOf(element)).toBe("Attention, scores: 2 queries by 3 keys");
    expect(stageOf(element).tabIndex).toBe(0);
    PAGE_LOCALE.speak("zh-CN");
    await element.updateComplete;
    expect(nameOf(element)).toContain("注意力");
  });

  it("shows as many rows around a pair as have room for their labels in the least of two heights", async () => {
    stubRoom(800);
    const words = numberedTokens("w", 200);
    const tensor = matrixOf(200, new Array<number>(200 * 200).fill(1 / 200));
    const near = { query: 100, key: 100 };
    const element = await heatmap({ tensor, queries: words, keys: words, near });
    const rows = async (comfortableHeight: number, highest: number | null): Promise<number> =>
      (await put(element, { comfortableHeight, highest })).visible?.rows ?? 0;
    const comfortable = await rows(400, null);
    expect(await rows(400, 2000)).toBe(comfortable);
    expect(await rows(2000, 400)).toBeLessThan(comfortable);
    vi.unstubAllGlobals();
  });

  it("names renormalised weights, and rows that have none left", async () => {
    const element = await heatmap({ without: "start", emptied: [1] });
    const name = "Attention, weights renormalised without “start”: 2 queries by 3 keys";
    expect(nameOf(element)).toBe(name);
    expect(await reading(element, 1, 0)).toContain("nothing left without “start”");
  });

  it("speaks the number of the pair in focus: hovered, else focused, else locked", async () => {
    const element = await heatmap({ locked: { query: 0, key: 1 } });
    expect(spoken(element)).toBe("le attends to cat: 0.750");
    expect(await reading(element, 1, 2)).toBe("chat attends to .: 0.700");
    await press(element, "ArrowLeft");
    expect(spoken(element)).toBe("chat attends to cat: 0.200");
  });

  it("has its numbers in a table, of a large one in one row, with row sums where they are not 1", async () => {
    const element = await heatmap();
    await tabulate(element);
    expect(rowsOf(element, "tbody tr")).toEqual([
      ["le", "0.250", "0.750", "0"],
      ["chat", "0.100", "0.200", "0.700"],
    ]);
    await put(element, { tensor: matrixOf(3, [0.25, 0.25, 0, 0.1, 0.2, 0.7]) });
    expect(rowsOf(element).map((row) => row[4])).toEqual(["sum", "0.500", "1.000"]);
    const many = numberedTokens("w", 100);
    const values = Array.from({ length: 10_000 }, (_, index) => index);
    await put(element, { tensor: matrixOf(100, values), queries: many, keys: many });
    await reading(element, 42, 0);
    const rows = rowsOf(element, "tbody tr").map((row) => row.slice(0, 2));
    expect(rows).toEqual([["w42", "4,200.000"]]);
  });

  it("hatches and names dropped weights, not scores, and leaves other zeros", async () => {
    const element = await heatmap({
      tensor: matrixOf(3, [0, 1.5, 0, 0.1, 0.2, 0.7]),
      dropped: matrixOf(3, [1, 0, 0, 0, 0, 0]),
    });
    expect(await reading(element, 0, 0)).toBe("le attends to the: 0 · dropped");
    expect(await reading(element, 0, 2)).toBe("le attends to .: 0");
    expect(textsOf(element, ".foot .sign")).toEqual(["dropped"]);
    await tabulate(element);
    expect(rowsOf(element, "tbody tr")[0]?.slice(1, 4)).toEqual(["dropped", "1.500", "0"]);
    await put(element, { stage: "scores" });
    expect(rowsOf(element, "tbody tr")[0]?.[1]).toBe("0");
    expect(all(element, ".sign")).toEqual([]);
  });

  it.each([
    ["norms", "norms", true],
    ["effects", "effects", false],
    ["rollout", "rollout", true],
  ] as const)("shows %s under their name, from zero or about it", async (stage, name, fromZero) => {
    const element = await heatmap({ tensor: matrixOf(3, [1, 2, 3, 4, 5, 6]), stage });
    expect(nameOf(element)).toBe(`Attention, ${name}: 2 queries by 3 keys`);
    const { content } = element as unknown as { content: { scale: { low: number; high: number } } };
    expect([content.scale.low, content.scale.high]).toEqual([fromZero ? 0 : -6, 6]);
  });

  it("gives the reason why a cell has no number of its own", async () => {
    const tensor = matrixOf(3, [1, -Infinity, 3, 4, 5, 6]);
    const element = await heatmap({ tensor, stage: "masked" });
    expect(await reading(element, 0, 1)).toBe("le may not attend to cat: −∞ · masked");
    await put(element, { blocked: [{ query: 0, key: 1 }], fullyMasked: [1] });
    expect(await reading(element, 0, 1)).toBe("le may not attend to cat: −∞ · blocked by you");
    expect(await reading(element, 1, 0)).toBe("chat may not attend to the: 4.000 · fully masked");
  });

  it("does not say of a weight of 0 that its masked pair attends", async () => {
    const tensor = matrixOf(3, [1, 0, 0, 0.5, 0.5, 0]);
    const mask = matrixOf(3, [0, -Infinity, -1e9, 0, 0, 0]);
    const element = await heatmap({ tensor, mask });
    expect(await reading(element, 0, 1)).toBe("le may not attend to cat: 0");
    expect(await reading(element, 0, 2)).toBe("le may not attend to .: 0");
    expect(await reading(element, 1, 2)).toBe("chat attends to .: 0");
  });

  it("ignores a pair outside the text, and starts the keyboard inside it", async () => {
    const element = await heatmap({ locked: { query: 7, key: 7 }, blocked: [] });
    const toggled = eventsOf(element, "headscope-cell-toggle");
    expect(spoken(element)).toBe("");
    await press(element, "b");
    expect(toggled).toEqual([{ query: 1, key: 2 }]);
  });

  it.each<[string, Partial<HeadscopeHeatmap>, boolean]>([
    ["pairs that can be blocked", { blocked: [] }, true],
    ["numbers alone", {}, false],
    ["saved numbers with blocked pairs", { blocked: [{ query: 0, key: 0 }], plain: true }, false],
    ["pairs that are being blocked", { blocking: true }, true],
  ])("the key B blocks in a heatmap of %s, and is named there alone: %#", async (_, given, is) => {
    const element = await heatmap(given);
    const toggled = eventsOf(element, "headscope-cell-toggle");
    await press(element, "b");
    expect(toggled).toHaveLength(is ? 1 : 0);
    const [help = ""] = textsOf(element, "#help");
    expect(help.includes("B blocks")).toBe(is);
    expect(help).toMatch(/^Arrow keys move, Enter pins, Escape unpins\./);
  });

  it("does not draw a matrix whose labels do not match it, nor an empty one", async () => {
    const element = await heatmap({ keys: tokensOf("the", "cat") });
    expect(all(element, "canvas")).toEqual([]);
    const misfit = "The matrix is 2 × 3, but its axes have 2 and 2 tokens";
    expect(element.renderRoot.textContent).toContain(misfit);
    for (const tensor of [null, matrixOf(1, [])]) {
      await put(element, { tensor });
      expect(all(element, ".stage, [aria-live]")).toEqual([]);
      expect(element.renderRoot.textContent).toContain("Nothing to show yet.");
    }
  });
});

it("<headscope-difference> reads each pair with its sign, or that it has no counterpart", async () => {
  const tokens = tokensOf("a", "+ b");
  const tensor = matrixOf(2, [0.25, NaN, -0.5, 0]);
  const element = await mount(new HeadscopeDifference(), { tensor, queries: tokens, keys: tokens });
  expect(nameOf(element)).toBe("Difference: 2 queries by 2 keys");
  expect(await reading(element, 0, 0)).toBe("a attends to a: +0.250");
  expect(await reading(element, 1, 0)).toBe("+ b attends to a: −0.500");
  expect(await reading(element, 0, 1)).toBe("a attends to + b: no counterpart");
  await tabulate(element);
  expect(rowsOf(element, "tbody tr")[0]).toEqual(["a", "0.250", "–"]);
});

it("<headscope-mask> counts and reads allowed pairs, and explains its signs", async () => {
  const tokens = tokensOf("a", "b");
  const mask = matrixOf(2, [0, -Infinity, 0, 0]);
  const element = await mount(new HeadscopeMask(), { mask, queries: tokens, keys: tokens });
  expect(nameOf(element)).toBe("Mask: 2 queries by 2 keys, 3 unmasked");
  expect(await reading(element, 0, 0)).toBe("a attends to a: unmasked");
  expect(await reading(element, 0, 1)).toBe("a may not attend to b: masked");
  expect(textsOf(element, ".sign")).toEqual(["unmasked", "masked"]);
  await put(element, { blocked: [{ query: 0, key: 1 }] });
  expect(spoken(element)).toBe("a may not attend to b: blocked by you");
  expect(textsOf(element, ".sign")).toEqual(["unmasked", "masked", "blocked by you"]);
});

it("<headscope-numbers> reads numbers by the names of row and column, signed or not", async () => {
  const element = await mount(new HeadscopeNumbers(), {
    tensor: matrixOf(2, [0.5, -2, NaN, 0], ["layer", "head"]),
    rowNames: ["layer 1", "layer 2"],
    columnNames: ["1", "2"],
    titles: { rows: "layer", columns: "head", values: "effect" },
    signed: true,
  });
  expect(nameOf(element)).toBe("effect: 2 by 2");
  expect(await reading(element, 0, 0)).toBe("layer 1, 1: +0.500");
  expect(await reading(element, 0, 1)).toBe("layer 1, 2: −2.000");
  expect(await reading(element, 1, 0)).toBe("layer 2, 1: –");
  await put(element, { signed: false });
  expect(await reading(element, 0, 0)).toBe("layer 1, 1: 0.500");
  await tabulate(element);
  expect(rowsOf(element)[0]?.[0]).toBe("layer ↓ head →");
});
