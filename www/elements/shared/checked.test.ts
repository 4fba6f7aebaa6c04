// @vitest-environment happy-dom
import type { LitElement } from "lit";
import { afterEach, expect, it } from "vitest";
import type { Tensor, Token } from "../../data/index.js";
import * as elements from "../index.js";
import { mount } from "../testing/mount.js";

const tensor: Tensor = {
  data: Float32Array.of(1, 0, 0.5, 0.5),
  shape: [2, 2],
  axes: ["query", "key"],
};
const tokens = ["a", "b"];

/** As a page without types sets them. */
const put = (element: LitElement, properties: object): Promise<LitElement> =>
  mount(element, properties as Partial<LitElement>);
const said = ({ shadowRoot }: LitElement): string =>
  shadowRoot?.querySelector("[role=alert]")?.textContent.trim().replace(/\s+/g, " ") ?? "";

afterEach(() => document.body.replaceChildren());

it.each<[tag: string, make: () => LitElement, properties: object, place: string, expected: string]>(
  [
    [
      "lines",
      () => new elements.HeadscopeLines(),
      { patterns: [{ head: 0, tensor }] },
      "patterns[0].weights",
      "{ data: Float32Array, shape: [query, key], axes }, and was given undefined",
    ],
    [
      "heatmap",
      () => new elements.HeadscopeHeatmap(),
      { tensor: { ...tensor, shape: [2, 3] } },
      "tensor",
      "and was given data: 4, shape: [2, 3]",
    ],
    [
      "heatmap",
      () => new elements.HeadscopeHeatmap(),
      { tensor: "weights" },
      "tensor",
      'and was given "weights"',
    ],
    [
      "heatmap",
      () => new elements.HeadscopeHeatmap(),
      { tensor, queries: [1, 2] },
      "queries[0]",
      "{ text, word }, and was given 1",
    ],
    [
      "heatmap",
      () => new elements.HeadscopeHeatmap(),
      { stage: "soft" },
      "stage",
      '"raw" | "scores" | "masked" | "weights", and was given "soft"',
    ],
    [
      "heatmap",
      () => new elements.HeadscopeHeatmap(),
      { locked: [0, 1] },
      "locked",
      "{ query, key }, and was given array(2)",
    ],
    [
      "difference",
      () => new elements.HeadscopeDifference(),
      { region: { query: 0, key: -1 } },
      "region.key",
      "0, 1, 2 …, and was given -1",
    ],
    [
      "dimensions",
      () => new elements.HeadscopeDimensions(),
      { stages: { raw: tensor } },
      "stages.scores",
      "and was given undefined",
    ],
    ["mask", () => new elements.HeadscopeMask(), { mask: {} }, "mask", "axes }, and was given { }"],
    [
      "numbers",
      () => new elements.HeadscopeNumbers(),
      { rowNames: "ab" },
      "rowNames",
      'array, and was given "ab"',
    ],
    [
      "positions",
      () => new elements.HeadscopePositions(),
      { tensor: { data: "x", shape: [1, 1] } },
      "tensor.data",
      'Float32Array, and was given "x"',
    ],
    [
      "grid",
      () => new elements.HeadscopeGrid(),
      { thumbnails: tensor },
      "thumbnails",
      "[layer, head, query, key]",
    ],
    [
      "tokens",
      () => new elements.HeadscopeTokens(),
      { tokens: "a b" },
      "tokens",
      'array, and was given "a b"',
    ],
    [
      "spectrum",
      () => new elements.HeadscopeSpectrum(),
      { lists: [[1, 2]] },
      "lists[0]",
      "{ of, heading, values, rank }",
    ],
    [
      "steps",
      () => new elements.HeadscopeSteps(),
      { head: 3 },
      "head",
      "{ stack, layer, head }, and was given 3",
    ],
    [
      "strip",
      () => new elements.HeadscopeStrip(),
      { steps: [tensor] },
      "steps[0].step",
      "string, and was given undefined",
    ],
    [
      "sum",
      () => new elements.HeadscopeSum(),
      { place: { stack: "encodr" } },
      "place.stack",
      'and was given "encodr"',
    ],
    [
      "bars",
      () => new elements.HeadscopeBars(),
      { items: ["a"] },
      "items[0]",
      '{ label, value, text }, and was given "a"',
    ],
    [
      "curves",
      () => new elements.HeadscopeCurves(),
      { lines: [{ name: "a", points: [1] }] },
      "lines[0].points[0]",
      "{ x, y }, and was given 1",
    ],
    [
      "chips",
      () => new elements.HeadscopeChips(),
      { chips: [{ id: 1 }] },
      "chips[0].id",
      "string, and was given 1",
    ],
  ],
)(
  "<headscope-%s> says which property it cannot draw, and what it takes",
  async (_, make, properties, place, expected) => {
    const element = await put(make(), properties);
    expect(said(element)).toContain(`The property ${place} cannot be drawn: it takes `);
    expect(said(element)).toContain(expected);
    expect(said(element)).toMatch(/property\/malformed$/);
    expect(element.shadowRoot?.children).toHaveLength(1);
  },
);

it("takes strings for tokens and any arrays for numbers, and draws again once a property is mended", async () => {
  const heatmap = await put(new elements.HeadscopeHeatmap(), { tensor: [[1], [0.5, 0.5]] });
  expect(said(heatmap)).toContain("data: 3, shape: [2, 1]");
  await put(heatmap, {
    tensor: [
      [1, 0],
      [0.5, 0.5],
    ],
    queries: tokens,
    keys: tokens,
  });
  expect(said(heatmap)).toBe("");
  const taken = tokens.map(
    (text, index): Token => ({ id: index, text, word: index, special: false, role: null }),
  );
  expect(heatmap).toMatchObject({ tensor, queries: taken });
  await put(heatmap, { tensor: { data: [1, 0, 0.5, 0.5], shape: [2, 2] } });
  expect(heatmap).toMatchObject({ tensor });
  // What is well-formed stays the very object that the page set.
  await put(heatmap, { tensor, queries: taken });
  expect(
    [Reflect.get(heatmap, "tensor"), Reflect.get(heatmap, "queries")].map(
      (one, at) => one === [tensor, taken][at],
    ),
  ).toEqual([true, true]);
});
