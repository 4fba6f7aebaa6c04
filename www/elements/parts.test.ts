// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Explanation, StepPlace, Token } from "../data/index.js";
import { HeadscopeBars } from "./index.js";
import { PARTS } from "./shared/controllers.js";
import { all, matrixOf, mountTag, numberedTokens, press } from "./testing/mount.js";
import { stubRoom, tabulate, tokensOf } from "./testing/mount.js";

const readme = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
const [before = "", section = ""] = readme.split("### Parts\n");
const named = (text: string): string[] =>
  [...text.matchAll(/`([a-z-]+)`/g)].map(([, name = ""]) => name);

/** The parts of every tag in the README's table. */
const documented = new Map<string, string[]>();
for (const [, tag = "", text = ""] of section.matchAll(/^\| `<([a-z-]+)>` +\| (.*?) +\|$/gm)) {
  const [own = "", but = ""] = text.split(" but ");
  const heatmap = own.startsWith("the heatmap's") ? documented.get("headscope-heatmap") : [];
  const parts = [...(heatmap ?? []), ...named(own)];
  documented.set(tag, parts.filter((part) => !named(but).includes(part)).toSorted());
}

const square = (side: number, value = 0.5): ReturnType<typeof matrixOf> =>
  matrixOf(side, Array<number>(side * side).fill(value));
const pairs = (side: number): { queries: Token[]; keys: Token[] } => {
  const tokens = numberedTokens("t", side);
  return { queries: tokens, keys: tokens };
};
const source = { stack: "encoder", layer: 0, head: 0, row: 0, column: 0 } as const;
const place: StepPlace = { ...source, step: "query" };
const row = { kind: "step", ...source, step: "input", along: "rows" } as const;
const weight = { kind: "weight", weight: "query", column: 0 } as const;
const explanation: Explanation = {
  operation: { kind: "product", factor: 1, bias: null },
  lines: [row, weight].map((one) => ({ source: one, values: new Float32Array(6).fill(1) })),
  value: 6,
};
const steps = [{ step: "input", tensor: square(2) }];
const block = { steps, head: place, heads: 1, ...pairs(2), held: place };
const axes = ["layer", "head", "query", "key"];
const thumbnails = { data: new Float32Array(4), shape: [1, 1, 2, 2], axes };
const grid = { channels: 3, size: [4, 4], patch: [2, 2], grid: [2, 2], specials: 1 };
const raw = square(2);
const masked = square(2, -Infinity);
const predicted = { data: new Float32Array([0.5, 1]), shape: [2, 1], axes: ["layer", "position"] };
const stages = { raw, scores: raw, masked, weights: raw };

/**
 * The properties of every element in states that together show all of its parts; a matrix of 30 can
 * be shown as a region.
 */
const ELEMENTS: Readonly<Record<string, object[]>> = {
  tokens: [{ tokens: tokensOf("a", "b") }],
  grid: [
    {},
    { thumbnails, roles: [[{ role: "none", score: null }]] },
    { thumbnails, order: [{ layer: 0, head: 0, note: "0.5" }] },
  ],
  heatmap: [{}, { tensor: square(30), dropped: square(30, 1), ...pairs(30) }],
  difference: [{}, { tensor: square(30), signed: true, ...pairs(30) }],
  image: [{}, { tensor: square(5), grid, ...pairs(5) }],
  lens: [{}, { tokens: tokensOf("a"), words: ["b", "c"], numbers: predicted }],
  lines: [{}, { patterns: [{ head: 0, weights: square(2) }], heads: 2, ...pairs(2) }],
  dimensions: [{}, { stages, vectors: { query: square(2), key: square(2) }, ...pairs(2) }],
  mask: [{}, { mask: square(30, 0), ...pairs(30) }],
  numbers: [{}, { tensor: square(2), rowNames: ["a", "b"], columnNames: ["c", "d"] }],
  steps: [{}, { ...block, place, explanation }],
  strip: [{}, block],
  sum: [{}, { place, explanation, trail: [{ place, words: "Q" }] }],
  positions: [{}, { tensor: square(4) }],
  attribution: [{ heading: "Logit", items: [{ label: "a", value: -1, text: "−1" }] }],
  effects: [{}, { tensor: square(2), rowNames: ["a", "b"], columnNames: ["c", "d"] }],
  bars: [{ heading: "Shares", items: [{ label: "a", value: 0.5, text: "50%" }] }],
  spectrum: [{ lists: [{ of: "weights", heading: "Weights", values: [2, 1], rank: 1 }] }],
  curves: [{ lines: [{ name: "loss", points: [{ x: 0, y: 1 }] }] }],
  chips: [{ chips: [{ id: "1", label: "blocked" }] }],
};

/** The parts of an element, and the parts that the elements in it export. */
function partsOf({ shadowRoot }: Element): string[] {
  const having = (one: string): Element[] => [...(shadowRoot?.querySelectorAll(`[${one}]`) ?? [])];
  const own = having("part").flatMap((one) => one.getAttribute("part")?.split(" ") ?? []);
  const passed = having("exportparts").flatMap((one) => {
    const names = one.getAttribute("exportparts")?.split(",") ?? [];
    return partsOf(one).filter((part) => names.includes(part));
  });
  return [...own, ...passed];
}

describe("the parts of the elements", () => {
  beforeAll(() => stubRoom());
  afterAll(() => vi.unstubAllGlobals());
  afterEach(() => document.body.replaceChildren());

  it("are documented of every element that has properties to set", () => {
    const tags = [...before.matchAll(/^\| `<([a-z-]+)>` +\|/gm)]
      .map(([, tag = ""]) => tag)
      .toSorted();
    expect([...documented.keys()].toSorted()).toEqual(tags);
    const tested = Object.keys(ELEMENTS).map((tag) => `headscope-${tag}`);
    expect(tested.toSorted()).toEqual(tags);
  });

  it.each(Object.entries(ELEMENTS))(
    "<headscope-%s> has those that are documented, and no others",
    async (tag, states) => {
      const found = new Set<string>();
      for (const properties of states) {
        const element = await mountTag(tag, properties);
        await tabulate(element);
        if (all(element, ".stage").length > 0) await press(element, "ArrowRight");
        for (const part of partsOf(element)) found.add(part);
      }
      expect([...found].toSorted()).toEqual(documented.get(`headscope-${tag}`));
    },
  );

  it("are one list of names, each with its meaning, which is all that the explorer passes on", () => {
    expect([...new Set([...documented.values()].flat())].toSorted()).toEqual([...PARTS]);
    const [meanings = ""] = section.split(/^\| tag +\| parts/m);
    const explained = [...meanings.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, names = ""]) =>
      named(names),
    );
    expect(explained.toSorted()).toEqual([...PARTS, "notice"].toSorted());
  });

  it.each([
    ["headscope-panel-of-ours", "bar, legend", "bar, legend"],
    ["headscope-panel-of-ours", null, null],
    ["somebody-s", "bar: my-bar", null],
  ])("are passed on in <%s exportparts=%s>", async (tag, attribute, passed) => {
    const host = document.createElement(tag);
    if (attribute !== null) host.setAttribute("exportparts", attribute);
    const bars = new HeadscopeBars();
    host.attachShadow({ mode: "open" }).append(bars);
    document.body.append(host);
    await bars.updateComplete;
    expect(bars.getAttribute("exportparts")).toBe(passed);
  });
});
