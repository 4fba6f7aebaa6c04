// @vitest-environment happy-dom
import "../../elements/index.js";
import { expect, it } from "vitest";
import type { HeadPattern, Tensor } from "../../data/index.js";
import { figureJson } from "../../export/figure-file.js";
import { json } from "../../export/number-files.js";
import { axis, NO_RUN, type Axis, type Provenance } from "../../export/provenance.js";
import { HeadscopeError } from "../../engine/errors.js";
import type { FigureTag } from "../heights.js";
import { readNumbers, type Numbers } from "./read.js";

type Name = FigureTag extends `headscope-${infer Rest}` ? Rest : never;

function read(name: Name, text: string): Numbers {
  const tag: FigureTag = `headscope-${name}`;
  return readNumbers(tag, document.createElement(tag), text);
}

/** The file of a tensor as the page saves it. */
function saved(
  quantity: string,
  axes: readonly Axis[],
  numbers: readonly number[],
  of: Partial<Provenance> = {},
): string {
  const shape = axes.map(({ size }) => size);
  const tensor = { data: Float32Array.from(numbers), shape, axes: axes.map(({ name }) => name) };
  return [...json({ tensor, axes }, { ...NO_RUN, ...of, quantity })].join("");
}

const figure = (name: Name, properties: object, more: object = {}): string =>
  JSON.stringify({
    format: "headscope-figure",
    formatVersion: 1,
    figure: name,
    properties,
    ...more,
  });

const TWO = [axis("query", ["a", "b"]), axis("key", ["c", "d"])];
const WEIGHTS = [0.25, 0.75, 1, 0];
const HEATMAP = {
  tensor: [
    [0.25, 0.75],
    [1, 0],
  ],
  queries: ["a", "b"],
  keys: ["c", "d"],
};
const dataOf = (value: unknown): number[] => [...((value as Tensor).data as Iterable<number>)];
const textsOf = (value: unknown): string[] => (value as { text: string }[]).map(({ text }) => text);

it("reads a saved pattern as heatmap and lines, with its tokens and what it is of", () => {
  const place = { model: "en-fr", stack: "cross", layer: 1, head: 4 } as const;
  const text = saved("weights", TWO, WEIGHTS, place);
  const { properties, about } = read("heatmap", text);
  expect([dataOf(properties.tensor), properties.stage]).toEqual([WEIGHTS, "weights"]);
  expect([textsOf(properties.queries), textsOf(properties.keys)]).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  expect(about).toBe("en-fr · Cross-attention · Layer 2 · head 5");
  const { patterns } = read("lines", text).properties as { patterns: HeadPattern[] };
  expect(patterns.map(({ head, weights }) => [head, dataOf(weights)])).toEqual([[4, WEIGHTS]]);
});

it("reads several heads as lines, and masked scores as a heatmap", () => {
  const heads = [axis("head", ["head 2", "head 5"]), ...TWO];
  const { patterns } = read("lines", saved("weights", heads, [...WEIGHTS, 0, 1, 0, 1]))
    .properties as { patterns: HeadPattern[] };
  expect(patterns.map(({ head, weights }) => [head, dataOf(weights)])).toEqual([
    [1, WEIGHTS],
    [4, [0, 1, 0, 1]],
  ]);
  const masked = read("heatmap", saved("masked", TWO, [1, -Infinity, 2, 3])).properties;
  expect(dataOf(masked.tensor)).toEqual([1, -Infinity, 2, 3]);
});

it("reads each other saved tensor as the figure that shows it", () => {
  const mask = read("mask", saved("mask", TWO, [0, -Infinity, 0, 0])).properties;
  expect(dataOf(mask.mask)).toEqual([0, -Infinity, 0, 0]);
  const shared = [axis("query", ["+ a", "b"]), axis("key", ["c", "d"])];
  const difference = read("difference", saved("weights-difference", shared, [NaN, 1, -1, 0]));
  expect(difference.properties.signed).toBe(true);
  expect(dataOf(difference.properties.tensor)).toEqual([NaN, 1, -1, 0]);
  const pixels = [axis("layer", 1), axis("head", 2), axis("query", 1), axis("key", 1)];
  const grid = read("grid", saved("thumbnails", pixels, [0.5, 1], { stack: "decoder" })).properties;
  expect(grid).toMatchObject({ stack: "decoder", plain: true });
  expect(dataOf(grid.thumbnails)).toEqual([0.5, 1]);
  const rows = [axis("position", ["a", "b"]), axis("model_dim", 1)];
  expect(dataOf(read("positions", saved("positions", rows, [1, 2])).properties.tensor)).toEqual([
    1, 2,
  ]);
  const spectra = [axis("matrix", ["scores", "weights"]), axis("index", 3)];
  const { lists } = read(
    "spectrum",
    saved("singular-values", spectra, [3, 0.5, 0.1, 1, NaN, NaN]),
  ).properties;
  expect(lists).toMatchObject([
    { of: "scores", rank: 1 },
    { of: "weights", values: [1], rank: 1 },
  ]);
  const parts = [axis("part", ["embedding", "head 1"])];
  expect(read("attribution", saved("attribution", parts, [1, -2])).properties).toMatchObject({
    items: [
      { label: "head 1", value: -2, text: "−2.00" },
      { label: "embedding", value: 1, text: "1.00" },
    ],
    max: 2,
  });
  const effects = [axis("layer", ["1"]), axis("head", ["1", "2"])];
  const table = read("effects", saved("patching", effects, [0.5, NaN])).properties;
  expect([dataOf(table.tensor), table.columnNames]).toEqual([
    [0.5, NaN],
    ["1", "2"],
  ]);
});

it("reads all properties of a figure, as the page writes them or by hand", () => {
  const properties = { ...HEATMAP, colours: "viridis" };
  const byHand = read("heatmap", figure("heatmap", properties, { about: "Mine" }));
  expect(dataOf(byHand.properties.tensor)).toEqual(WEIGHTS);
  expect(byHand).toMatchObject({ properties: { colours: "viridis" }, about: "Mine" });
  const line = { name: "loss", points: [{ x: 1, y: NaN }], tone: 0 };
  const words = { x: String };
  const curves = { lines: [line], titles: { x: "step", y: "loss" }, words };
  const text = [...figureJson({ figure: "curves", about: "", properties: curves })].join("");
  expect(read("curves", text).properties).toMatchObject({ lines: [line], titles: curves.titles });
  const stages = Object.fromEntries(
    ["raw", "scores", "masked", "weights"].map((stage) => [
      stage,
      { data: Float32Array.of(stage === "masked" ? -Infinity : 0.1), shape: [1, 1], axes: [] },
    ]),
  );
  const vector = { data: Float32Array.of(1 / 3, 2), shape: [1, 2], axes: [] };
  const dimensions = {
    stages,
    vectors: { query: vector, key: vector },
    queries: ["a"],
    keys: ["b"],
  };
  const whole = [...figureJson({ figure: "dimensions", about: "", properties: dimensions })].join(
    "",
  );
  expect(read("dimensions", whole).properties).toMatchObject({
    stages,
    vectors: { query: vector },
  });
});

const other = (change: object): string =>
  JSON.stringify({ ...JSON.parse(saved("weights", TWO, WEIGHTS)), ...change });

it.each<[name: Name, text: string, code: string, sentence: string]>([
  ["heatmap", "", "not-json", "found nothing"],
  ["heatmap", '{"data": NaN}', "not-json", "NaN"],
  ["heatmap", "[1]", "unreadable", "{ format, formatVersion }, found a list of 1"],
  ["heatmap", '{"tensor": []}', "unreadable", "format: headscope-figure | headscope-tensor"],
  ["heatmap", other({ formatVersion: 2 }), "version", "expected 1, found 2"],
  ["heatmap", other({ quantity: "hidden" }), "other", "<headscope-heatmap>, found “hidden”"],
  ["lines", saved("mask", TWO, WEIGHTS), "other", "found “mask” [query, key]"],
  ["lens", saved("weights", TWO, WEIGHTS), "other", "numbers of <headscope-lens>"],
  ["heatmap", other({ shape: [2, 3] }), "unreadable", "data[0]: a list of 3, found a list of 2"],
  ["heatmap", other({ data: [[1, 0], [1]] }), "unreadable", "data[1]: a list of 2"],
  [
    "heatmap",
    other({
      data: [
        [1, 0],
        [1, null],
      ],
    }),
    "unreadable",
    "data[1][1]: a number, found null",
  ],
  [
    "heatmap",
    other({
      data: [
        [1, 0],
        ["NaN", 1],
      ],
    }),
    "unreadable",
    "data[1][0]: a finite number",
  ],
  [
    "heatmap",
    other({
      data: [
        [1, 0],
        [0, "-Infinity"],
      ],
    }),
    "unreadable",
    "data[1][1]: a finite",
  ],
  ["heatmap", other({ labels: { query: ["a"] } }), "unreadable", "labels.query: 2 names"],
  ["heatmap", other({ axes: ["query"] }), "unreadable", "shape: 1 numbers"],
  ["heatmap", other({ stack: "middle" }), "unreadable", 'stack: "encoder"'],
  ["grid", figure("heatmap", HEATMAP), "other", "expected grid, found heatmap"],
  [
    "heatmap",
    figure("heatmap", { ...HEATMAP, keys: ["c"] }),
    "unreadable",
    "properties.keys: 2 for the columns of tensor, found 1",
  ],
  [
    "heatmap",
    figure("heatmap", { ...HEATMAP, tensor: [[1], [1, 2]] }),
    "unreadable",
    "properties.tensor[1]: a list of 1",
  ],
  [
    "heatmap",
    figure("heatmap", { ...HEATMAP, tensor: null }),
    "unreadable",
    "properties.tensor: numbers",
  ],
  [
    "heatmap",
    figure("heatmap", { ...HEATMAP, colors: "red" }),
    "unreadable",
    "properties.colors: one of",
  ],
  [
    "heatmap",
    figure("heatmap", { ...HEATMAP, blocking: 3 }),
    "unreadable",
    "properties.blocking: true or false",
  ],
  [
    "heatmap",
    figure("heatmap", { ...HEATMAP, colours: "red" }),
    "unreadable",
    "properties.colours:",
  ],
  ["heatmap", figure("heatmap", [], {}), "unreadable", "properties: an object of properties"],
  ["heatmap", figure("heatmap", HEATMAP, { about: 3 }), "unreadable", "about: a string"],
  [
    "tokens",
    figure("tokens", { tokens: [] }),
    "unreadable",
    "properties.tokens: a list that is not empty",
  ],
  [
    "curves",
    figure("curves", { lines: [{ name: "a", points: [{ x: "2", y: 1 }] }] }),
    "unreadable",
    "properties.lines[0].points[0].x: a number",
  ],
  [
    "spectrum",
    figure("spectrum", { lists: [{ of: "a", heading: "", values: ["NaN"], rank: 1 }] }),
    "unreadable",
    "properties.lists[0].values[0]: a finite number",
  ],
  [
    "dimensions",
    figure("dimensions", {
      stages: { raw: [[1]], scores: [[1]], masked: [[1]], weights: [[1]] },
      queries: ["a"],
      keys: ["b"],
    }),
    "unreadable",
    "properties.vectors: { query, key }",
  ],
  [
    "steps",
    figure("steps", {
      steps: [{ step: "input", tensor: [[1], [2]] }],
      queries: ["a"],
      keys: ["b"],
    }),
    "unreadable",
    "properties.steps[0].tensor: 1 or 1 rows",
  ],
])(
  "refuses what is no file of a figure, by its field: %s, case %#",
  (name, text, code, sentence) => {
    const refused = (): Numbers => read(name, text);
    expect(refused).toThrow(HeadscopeError);
    expect(refused).toThrow(sentence);
    try {
      refused();
    } catch (thrown) {
      expect((thrown as HeadscopeError).code).toBe(`figure/${code}`);
    }
  },
);
