// @vitest-environment happy-dom
// @isolate: texts are measured on a canvas that stands for all later ones.
// What figures paint on the page, with a pair in focus, one held and cells blocked: a saved picture
// shows none of these. `npm run golden` writes the files; read the difference before you commit it.
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import type { LitElement } from "lit";
import { GoldenSections } from "../../tests/golden/golden.js";
import type { StepTensor } from "../data/index.js";
import { testInks } from "../draw/testing/recorder.js";
import type { Print, PrintRoom } from "../draw/theme.js";
import { loadSentences } from "../i18n/index.js";
import { HeadscopeCurves } from "./curves.js";
import { HeadscopeDimensions } from "./dimensions.js";
import { HeadscopeImage } from "./image.js";
import { HeadscopeLens } from "./lens.js";
import { HeadscopeLines } from "./lines.js";
import { printBars } from "../draw/charts.js";
import { printGrid, type PrintedHeads, printSpectrum, printTokens } from "./exports.js";
import { HeadscopeDifference } from "./difference.js";
import { HeadscopeHeatmap } from "./heatmap.js";
import { HeadscopeMask } from "./mask.js";
import { HeadscopeNumbers } from "./numbers.js";
import { HeadscopePositions } from "./positions.js";
import "./steps/element.js";
import { HeadscopeStrip } from "./steps/strip.js";
import type { Printable } from "./shared/figure.js";
import {
  matrixOf,
  numberedTokens,
  PATCH_TOKENS,
  PATCHES,
  press,
  stageOf,
  tabulate,
  tokensOf,
} from "./testing/mount.js";
import { painted, printed, printedText, stubPainting } from "./testing/painted.js";

const PAIR = {
  queries: tokensOf("le", "chat", "dort"),
  keys: tokensOf("the", "cat", "sleeps", "."),
};
const WEIGHTS = matrixOf(4, [0.5, 0.25, 0.25, 0, 0, 0.75, 0.2, 0.05, 0, 0, 0, 0]);
const OTHER = matrixOf(4, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.4, 0.6]);
const EFFECTS = matrixOf(4, [0.5, -0.25, 0, 0, -1, 0.75, 0, 0, 0, 0, 0.4, -0.6]);
const MARKED = {
  focused: { query: 1, key: 1 },
  locked: { query: 1, key: 2 },
  blocked: [{ query: 0, key: 3 }],
  fullyMasked: [2],
};
const LOW = -Infinity;
const SCORES = [2, 1, 1, -2, -3, 3.5, 1, 0, 1, 1, 1, 1];
const STAGES = {
  raw: matrixOf(4, SCORES),
  scores: matrixOf(
    4,
    SCORES.map((score) => score / 2),
  ),
  masked: matrixOf(4, [1, 0.5, 0.5, LOW, LOW, 1.75, 0.5, 0, LOW, LOW, LOW, LOW]),
  weights: WEIGHTS,
};
const vectorsOf = (rows: number): ReturnType<typeof matrixOf> =>
  matrixOf(
    3,
    Array.from({ length: 3 * rows }, (_, at) => ((at * 7) % 11) / 4 - 1),
    ["position", "head_dim"],
  );
const VECTORS = { query: vectorsOf(3), key: vectorsOf(4) };
const LONG = {
  queries: numberedTokens("q", 60),
  keys: numberedTokens("k", 60),
};
const BAND = matrixOf(
  60,
  Array.from({ length: 3600 }, (_, at) => (Math.floor(at / 60) === at % 60 ? 1 : 0)),
);

const IMAGE = {
  width: 2,
  height: 2,
  data: Uint8ClampedArray.from(Array.from({ length: 16 }, (_, at) => at * 10)),
};
const OF_IMAGE = matrixOf(
  5,
  Array.from({ length: 25 }, (_, at) => ((at * 3) % 7) / 10),
);

const OVER_IMAGE = {
  queries: PATCH_TOKENS,
  keys: PATCH_TOKENS,
  tensor: OF_IMAGE,
  image: IMAGE,
  grid: { ...PATCHES, channels: 3 },
} as unknown as Partial<HeadscopeImage>;

const step = (name: StepTensor["step"], columns: number, ...values: number[]): StepTensor => ({
  step: name,
  tensor: matrixOf(columns, values, ["position", "model_dim"]),
});
const STEPS = [
  step("input", 4, 1, 2, 3, 4, 5, 6, 7, 8),
  step("query", 4, 1, 0, -1, 2, 3, 4, 5, 6),
  step("key", 4, 0, 1, 2, -2, 3, 1, 0, 2),
  step("weights", 2, 0.25, 0.75, 1, 0),
  step("ff-hidden", 3, 0, 1, -1, 2, 0.5, 0),
];
const BLOCK = {
  steps: STEPS,
  head: { stack: "encoder", layer: 0, head: 1 } as const,
  heads: 2,
  queries: tokensOf("le", "chat"),
  keys: tokensOf("le", "chat"),
};
/** A block whose queries attend to another text, with keys that pairs of heads share. */
const CROSS_STEPS = [
  step("input", 3, 0.5, -1, 2, 1, 0, -2, 3, 1, 1),
  step("query", 24, ...Array.from({ length: 72 }, (_, at) => ((at * 5) % 13) - 6)),
  step("key", 12, ...Array.from({ length: 48 }, (_, at) => ((at * 3) % 11) / 2 - 2)),
  step("weights", 4, 0.5, 0.25, 0.25, 0, 0, 0.75, 0.2, 0.05, 0.1, 0.2, 0.3, 0.4),
  step("ff-hidden", 80, ...Array.from({ length: 240 }, (_, at) => ((at * 7) % 17) / 4 - 2)),
];
const CROSS = {
  steps: CROSS_STEPS,
  head: { stack: "cross", layer: 1, head: 2 } as const,
  heads: 4,
  ...PAIR,
};
const BESIDE = CROSS_STEPS.map(({ step: name, tensor }) =>
  step(name, tensor.shape[1] ?? 1, ...Array.from(tensor.data, (value) => value * 2)),
);

/** Scrolls the window of a figure. */
function scroll(element: LitElement, to: { left?: number; top?: number }): void {
  const [window] = element.renderRoot.querySelectorAll(".frame, .scroll");
  if (!(window instanceof HTMLElement)) throw new Error("nothing scrolls");
  window.scrollLeft = to.left ?? 0;
  window.scrollTop = to.top ?? 0;
  window.dispatchEvent(new Event("scroll"));
}

/** Moves the pointer over the stage of a figure, and presses it there. */
function point(element: LitElement, clientX: number, clientY: number, click = false): void {
  const stage = stageOf(element);
  stage.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, bubbles: true }));
  if (click) stage.dispatchEvent(new MouseEvent("click", { clientX, clientY, bubbles: true }));
}

interface Case {
  width: number;
  paint: () => Promise<string>;
}

function shown<Element extends LitElement>(
  width: number,
  make: () => Element,
  properties: Partial<Element>,
  then?: (element: Element) => Promise<void> | void,
): Case {
  return { width, paint: () => painted(make(), properties, then) };
}

/** A figure as a file has it. */
function print<Element extends LitElement & Pick<Printable, "print">>(
  make: () => Element,
  properties: Partial<Element>,
  room: Partial<PrintRoom> = {},
): Case {
  return { width: 500, paint: () => printed(make(), properties, room) };
}

const saved = (print: () => Print | null): Case => ({
  width: 500,
  paint: () => Promise.resolve(printedText(print())),
});

const lines = (more: Partial<HeadscopeLines>, width = 500): Case =>
  shown(width, () => new HeadscopeLines(), { ...PAIR, ...MARKED, heads: 4, ...more });
const heatmap = (more: Partial<HeadscopeHeatmap>, width = 500): Case =>
  shown(width, () => new HeadscopeHeatmap(), { ...PAIR, ...MARKED, tensor: WEIGHTS, ...more });
const dimensions = (more: Partial<HeadscopeDimensions>, width = 800): Case =>
  shown(width, () => new HeadscopeDimensions(), {
    ...PAIR,
    ...MARKED,
    stages: STAGES,
    vectors: VECTORS,
    ...more,
  });
const image = (more: Partial<HeadscopeImage>): Case =>
  shown(300, () => new HeadscopeImage(), { ...OVER_IMAGE, ...more });
const CURVES: Partial<HeadscopeCurves> = {
  lines: [
    { name: "Encoder", points: [0, 1, 2, 3].map((x) => ({ x, y: 3 - x })) },
    { name: "Decoder", points: [0, 1, 2, 3].map((x) => ({ x, y: x === 2 ? NaN : x * x })) },
  ],
  titles: { x: "heads removed", y: "loss" },
  marked: 1.5,
  markedAs: "here",
  marks: [{ x: 2, words: "half" }],
};
const curves = (more: Partial<HeadscopeCurves>, ...keys: string[]): Case =>
  shown(
    500,
    () => new HeadscopeCurves(),
    { ...CURVES, ...more },
    (element) => press(element, ...keys),
  );

const longVectorsOf = (rows: number): ReturnType<typeof matrixOf> =>
  matrixOf(
    40,
    Array.from({ length: 40 * rows }, (_, at) => ((at * 7) % 11) / 4 - 1),
    ["position", "head_dim"],
  );
const TWO_HEADS = [
  { head: 2, weights: WEIGHTS },
  { head: 0, weights: OTHER },
];
const BIASES = matrixOf(
  6,
  Array.from({ length: 42 }, (_, at) => Math.round(Math.sin(at) * 100) / 100),
  ["distance", "head"],
);
const LAYERS: Partial<HeadscopeLens> = {
  tokens: tokensOf("le", "chat", "extraordinairement"),
  words: ["a", "b", "c", "chat", "dog", "the", "extraordinarily", "e", "f", "g", "h", "i"],
  numbers: matrixOf(
    3,
    [0, 0.25, 0.5, 0.75, 1, NaN, 0.3, 0.1, 0.2, 0.9, 0.8, 0.7],
    ["layer", "position"],
  ),
  quantity: "probability",
  chosen: { layer: 2, position: 1 },
};
const NUMBERS: Partial<HeadscopeNumbers> = {
  tensor: matrixOf(3, [1, -2, 3, NaN, 0, 12], ["row", "column"]),
  rowNames: ["first", "second"],
  columnNames: ["a", "b", "an extraordinarily long name"],
  titles: { rows: "depth", columns: "token", values: "logit" },
};
const MANY_LINES = Array.from({ length: 6 }, (_, line) => ({
  name: `line ${line}`,
  points: [0, 1, 2, 3].map((x) => ({ x, y: (x + 1) * (line + 1) })),
  ...(line === 1 && { tone: "accent" as const }),
}));
const GRID: PrintedHeads = {
  thumbnails: {
    data: Float32Array.from({ length: 24 }, (_, at) => (at < 20 ? at / 24 : -at / 24)),
    shape: [2, 3, 2, 2],
    axes: ["layer", "head", "query", "key"],
  },
  order: null,
  roles: [
    [
      { role: "previous", score: 0.5, second: { role: "self", score: 0.25 } },
      { role: "self", score: null, second: null },
      null,
    ],
    [],
  ] as unknown as PrintedHeads["roles"],
  basis: "heldOut",
  ablated: [{ layer: 0, head: 1 }],
  selected: { layer: 1, head: 2 },
  colours: "blue",
};

const CASES: Readonly<Record<string, Case>> = {
  "lines of one head": lines({ patterns: [{ head: 0, weights: WEIGHTS }], mass: 90 }),
  "lines of two heads": lines({
    patterns: [
      { head: 2, weights: WEIGHTS },
      { head: 0, weights: OTHER },
    ],
    mass: 100,
  }),
  "lines without a pair in focus, beside stronger ones": lines({
    patterns: [{ head: 0, weights: WEIGHTS }],
    scaledWith: OTHER,
    focused: null,
    locked: null,
  }),
  "lines of effects, negative ones dashed": lines({
    patterns: [{ head: 0, weights: EFFECTS }],
    stage: "effects",
    mass: 100,
  }),
  "lines of a long text": shown(300, () => new HeadscopeLines(), {
    ...LONG,
    patterns: [{ head: 0, weights: BAND }],
    comfortableHeight: 200,
  }),
  "heatmap of weights": heatmap({}),
  "heatmap of masked scores, narrow": heatmap({ tensor: STAGES.masked, stage: "masked" }, 180),
  "heatmap of a region": heatmap({ region: { query: 0, key: 1, rows: 2, columns: 3 } }),
  "heatmap with a stroke of the keyboard": shown(
    500,
    () => new HeadscopeHeatmap(),
    { ...PAIR, tensor: WEIGHTS, blocking: true },
    (element) => press(element, "ArrowDown", "ArrowRight"),
  ),
  "difference of two heads": shown(400, () => new HeadscopeDifference(), {
    ...PAIR,
    locked: { query: 2, key: 3 },
    tensor: matrixOf(4, [0.5, -0.25, NaN, Infinity, 0, 0.1, -0.1, 0, 0, 0, 0, 0]),
    range: 1,
  }),
  "dimensions of a pair": dimensions({}),
  "dimensions of a narrow figure": dimensions({}, 320),
  "dimensions without vectors": dimensions({ vectors: null, focused: { query: 0, key: 0 } }),
  "dimensions beside another head": dimensions({
    focused: { query: 0, key: 3 },
    scaledWith: { vectors: { query: vectorsOf(4), key: VECTORS.key }, query: 3 },
    unusual: ["raw"],
  }),
  "image from a patch": image({ focused: { query: 3, key: 0 }, locked: { query: 1, key: 2 } }),
  "image beside another head": image({ scaledWith: { weights: OF_IMAGE, query: 4 } }),
  "positions at a place": shown(
    400,
    () => new HeadscopePositions(),
    {
      tensor: matrixOf(
        8,
        Array.from({ length: 40 }, (_, at) => Math.sin(at)),
        ["position", "model_dim"],
      ),
    },
    (element) => press(element, "ArrowDown", "ArrowRight"),
  ),
  "layers with a cell chosen, and another under the keyboard": shown(
    400,
    () => new HeadscopeLens(),
    {
      tokens: tokensOf("le", "chat"),
      words: ["a", "b", "chat", "dog", "the", "extraordinarily"],
      numbers: matrixOf(2, [0, 0.25, 0.5, 0.75, 1, NaN], ["layer", "position"]),
      quantity: "probability",
      chosen: { layer: 1, position: 0 },
    },
    (element) => press(element, "ArrowRight", "ArrowDown"),
  ),
  "curves at a place": curves({}, "End", "ArrowLeft"),
  "curves in steps, on logarithmic scales": curves({
    stepped: true,
    lines: [{ name: "cost", points: [1, 10, 100].map((x) => ({ x, y: x * x })) }],
    marked: null,
    marks: [],
    scales: { x: "log", y: "log" },
  }),
  "steps with a number held": shown(700, () => new HeadscopeStrip(), {
    ...BLOCK,
    held: { step: "weights", row: 0, column: 1 },
    explanation: {
      operation: { kind: "product", factor: 1, bias: 0 },
      lines: [
        {
          source: {
            kind: "step",
            ...BLOCK.head,
            step: "query",
            row: 0,
            column: 2,
            along: "columns",
          },
          values: Float32Array.of(-1, 2),
        },
      ],
      value: 0.75,
    },
  }),
  "steps of heads that share keys of another text, narrow, scrolled": shown(
    300,
    () => new HeadscopeStrip(),
    { ...CROSS, held: { step: "key", row: 2, column: 7 }, scaledWith: BESIDE },
    (element) => scroll(element, { left: 150 }),
  ),
  "steps with a number under the pointer, and their table": shown(
    900,
    () => new HeadscopeStrip(),
    { ...CROSS, held: { step: "weights", row: 1, column: 2 }, unusual: ["scores"] },
    async (element) => {
      await tabulate(element);
      point(element, 400, 110);
    },
  ),
  "steps of a long text": shown(600, () => new HeadscopeStrip(), {
    ...BLOCK,
    queries: LONG.queries,
    keys: LONG.keys,
    steps: [
      step("input", 400, ...Array.from({ length: 24_000 }, (_, at) => ((at * 7) % 17) / 4 - 2)),
      { step: "weights", tensor: BAND },
    ],
    held: { step: "input", row: 59, column: 300 },
  }),
  "print of steps": print(() => new HeadscopeStrip(), BLOCK),
  "print of steps in rows": print(() => new HeadscopeStrip(), CROSS, { width: 640 }),
  "print of steps, two abreast": print(() => new HeadscopeStrip(), BLOCK, { width: 720 }),
  "lines from the side of the keys, and their table": shown(
    420,
    () => new HeadscopeLines(),
    { ...PAIR, ...MARKED, heads: 4, patterns: TWO_HEADS, mass: 70, focused: null },
    async (element) => {
      await press(element, "ArrowRight", "ArrowDown", "Enter", "b");
      await tabulate(element);
    },
  ),
  "lines of a long text, scrolled, under the pointer": shown(
    300,
    () => new HeadscopeLines(),
    { ...LONG, patterns: [{ head: 0, weights: BAND }], comfortableHeight: 200, mass: 90 },
    (element) => {
      scroll(element, { top: 300 });
      point(element, 150, 200, true);
    },
  ),
  "print of lines of two heads": print(() => new HeadscopeLines(), {
    ...PAIR,
    ...MARKED,
    heads: 4,
    patterns: TWO_HEADS,
    mass: 100,
  }),
  "print of lines of norms, wide, without a legend": print(
    () => new HeadscopeLines(),
    { ...PAIR, ...MARKED, heads: 4, patterns: TWO_HEADS.slice(1), stage: "norms", mass: 50 },
    { width: 900, legend: false, colourBar: false, held: false },
  ),
  "dimensions with a product under the pointer, and their tables": shown(
    700,
    () => new HeadscopeDimensions(),
    { ...PAIR, ...MARKED, stages: STAGES, vectors: VECTORS, focused: null },
    async (element) => {
      await press(element, "ArrowRight", "ArrowDown", "Home");
      await tabulate(element);
      point(element, 95, 100, true);
    },
  ),
  "dimensions of a long text, scrolled": shown(
    640,
    () => new HeadscopeDimensions(),
    {
      ...LONG,
      stages: { raw: BAND, scores: BAND, masked: BAND, weights: BAND },
      comfortableHeight: 200,
    },
    (element) => scroll(element, { top: 500 }),
  ),
  "dimensions of long vectors": dimensions(
    { vectors: { query: longVectorsOf(3), key: longVectorsOf(4) } },
    640,
  ),
  "print of dimensions": print(() => new HeadscopeDimensions(), {
    ...PAIR,
    ...MARKED,
    stages: STAGES,
    vectors: VECTORS,
    unusual: ["scores"],
  }),
  "print of dimensions, narrow, of a query without masked keys": print(
    () => new HeadscopeDimensions(),
    { ...PAIR, stages: STAGES, vectors: VECTORS, locked: { query: 2, key: 0 } },
    { width: 360 },
  ),
  "image at a patch of the keyboard, and its table": shown(
    240,
    () => new HeadscopeImage(),
    OVER_IMAGE,
    async (element) => {
      await press(element, "ArrowDown", "ArrowRight", "Enter");
      await tabulate(element);
      point(element, 200, 200, true);
    },
  ),
  "print of an image": print(
    () => new HeadscopeImage(),
    { ...OVER_IMAGE, locked: { query: 3, key: 1 } },
    { width: 320 },
  ),
  "biases of heads by distance, and their table": shown(
    500,
    () => new HeadscopePositions(),
    { tensor: BIASES },
    async (element) => {
      point(element, 300, 60, true);
      await tabulate(element);
    },
  ),
  "print of positions": print(() => new HeadscopePositions(), {
    tensor: matrixOf(
      32,
      Array.from({ length: 96 }, (_, at) => Math.cos(at)),
      ["position", "model_dim"],
    ),
  }),
  "print of biases by distance, without a colour bar": print(
    () => new HeadscopePositions(),
    { tensor: BIASES },
    { colourBar: false },
  ),
  "layers under the pointer, and their table": shown(
    500,
    () => new HeadscopeLens(),
    LAYERS,
    async (element) => {
      await tabulate(element);
      point(element, 300, 60, true);
    },
  ),
  "print of layers": print(() => new HeadscopeLens(), LAYERS),
  "heatmap of scores beside larger ones, compact, and its table": shown(
    360,
    () => new HeadscopeHeatmap(),
    {
      ...PAIR,
      tensor: STAGES.scores,
      stage: "scores",
      beside: STAGES.raw,
      compact: true,
      comfortableHeight: 60,
      locked: { query: 1, key: 1 },
      blocked: [{ query: 1, key: 1 }],
    },
    async (element) => {
      await press(element, "ArrowDown", "End", "ArrowUp", "Enter", "x", "Escape", "ArrowLeft");
      await tabulate(element);
    },
  ),
  "heatmap with removed weights, in its company": shown(500, () => new HeadscopeHeatmap(), {
    ...PAIR,
    tensor: matrixOf(4, [0.5, 0.25, 0.25, 0, 0, 0, 0.2, 0.05, 0.2, 0, 0, 0]),
    dropped: matrixOf(4, [0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]),
    focused: { query: 1, key: 1 },
    colours: "viridis",
    company: [
      { ...PAIR, legend: "weights", sums: { query: true, key: true } },
      { ...LONG, legend: "a long legend", sums: { query: false, key: true } },
    ],
  }),
  "heatmap of norms without a key": heatmap({
    stage: "norms",
    without: "the",
    emptied: [1],
    mask: STAGES.masked,
    focused: { query: 1, key: 0 },
  }),
  "heatmap of a long text under the pointer": shown(
    260,
    () => new HeadscopeHeatmap(),
    { ...LONG, tensor: BAND, locked: { query: 10, key: 12 } },
    (element) => point(element, 150, 120, true),
  ),
  "print of a heatmap": print(() => new HeadscopeHeatmap(), {
    ...PAIR,
    ...MARKED,
    tensor: WEIGHTS,
  }),
  "print of a heatmap, wide, without colour bar and held pair": print(
    () => new HeadscopeHeatmap(),
    { ...PAIR, ...MARKED, tensor: STAGES.masked, stage: "masked" },
    { width: 700, colourBar: false, held: false },
  ),
  "print of a region": print(() => new HeadscopeHeatmap(), {
    ...PAIR,
    ...MARKED,
    tensor: OTHER,
    region: { query: 1, key: 1, rows: 2, columns: 2 },
  }),
  "print of a heatmap in parts": print(
    () => new HeadscopeHeatmap(),
    {
      queries: LONG.queries.slice(0, 20),
      keys: LONG.keys.slice(0, 20),
      tensor: matrixOf(
        20,
        Array.from({ length: 400 }, (_, at) => (at % 21 === 0 ? 1 : 0)),
      ),
    },
    { width: 330 },
  ),
  "difference of two texts, and its table": shown(
    400,
    () => new HeadscopeDifference(),
    {
      ...PAIR,
      signed: true,
      tensor: matrixOf(4, [5, -0.25, 0, 0, 0, 0.1, -0.1, 0, 0, 0, 0, 0]),
      range: 1,
    },
    async (element) => {
      await press(element, "ArrowRight");
      await tabulate(element);
    },
  ),
  "print of a difference": print(() => new HeadscopeDifference(), {
    ...PAIR,
    tensor: matrixOf(4, [0.002, -0.001, NaN, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    range: 1,
  }),
  "mask of a head": shown(
    320,
    () => new HeadscopeMask(),
    { ...PAIR, ...MARKED, mask: matrixOf(4, [0, 0, LOW, LOW, 0, 0, 0, -1e9, 0, 0, 0, 0]) },
    async (element) => tabulate(element),
  ),
  "print of a mask": print(() => new HeadscopeMask(), {
    ...PAIR,
    ...MARKED,
    mask: matrixOf(4, [0, 0, LOW, LOW, 0, 0, 0, -1e9, 0, 0, 0, 0]),
  }),
  "numbers in rows and columns, and their table": shown(
    500,
    () => new HeadscopeNumbers(),
    { ...NUMBERS, signed: true },
    async (element) => {
      await press(element, "ArrowDown", "ArrowRight");
      await tabulate(element);
    },
  ),
  "print of counts": print(() => new HeadscopeNumbers(), { ...NUMBERS, counts: true }),
  "curves under the pointer, and their table": shown(
    420,
    () => new HeadscopeCurves(),
    { ...CURVES, lines: MANY_LINES },
    async (element) => {
      await tabulate(element);
      point(element, 200, 100);
    },
  ),
  "print of curves": print(() => new HeadscopeCurves(), CURVES),
  "print of many curves, with limits and words": print(() => new HeadscopeCurves(), {
    ...CURVES,
    lines: MANY_LINES,
    marked: null,
    range: { x: [0, 3], y: [-1, 20] },
    words: { y: (value) => `${value} nats` },
  }),
  "print of nine lines, three with a tone": print(() => new HeadscopeCurves(), {
    ...CURVES,
    lines: Array.from({ length: 9 }, (_, at) => ({
      name: `line ${at}`,
      points: [0, 1, 2].map((x) => ({ x, y: x * at })),
      ...(at > 5 && { tone: (["ink", "accent", "quiet"] as const)[at - 6] }),
    })),
  }),
  "print of a grid of heads": saved(() => printGrid(GRID, testInks)),
  "print of heads in order": saved(() =>
    printGrid(
      {
        ...GRID,
        numbers: "norms",
        order: [
          { layer: 1, head: 2, note: "first" },
          { layer: 0, head: 0, note: "" },
        ],
      },
      testInks,
    ),
  ),
  "print of tokens": saved(() =>
    printTokens(
      [
        {
          name: "First",
          tokens: [
            { id: 0, text: "[CLS]", word: 0, special: true, role: null },
            { id: 1, text: "un", word: 1, special: false, role: null },
            { id: 2, text: "##seen", word: 1, special: false, role: null },
            { id: 3, text: "?", word: 2, special: false, role: "unknown" },
            { id: 4, text: "[MASK]", word: 3, special: false, role: "mask" },
          ],
        },
        { name: "Second", tokens: LONG.queries.slice(0, 24) },
        { name: "None", tokens: [] },
      ],
      testInks,
    ),
  ),
  "print of singular values": saved(() =>
    printSpectrum({ values: [4, 2, 1, 0], rank: 2 }, testInks),
  ),
  "print of one singular value": saved(() => printSpectrum({ values: [0], rank: 1 }, testInks)),
  "print of bars": saved(() =>
    printBars(
      [
        { label: "the cat", value: 0.5, text: "50 %" },
        { label: "a", value: -0.25, text: "−25 %", marked: true },
        { label: "b", value: -2, text: "−200 %" },
      ],
      "The words",
      1,
      testInks,
    ),
  ),
  "print of bars without a heading": saved(() =>
    printBars([{ label: "a", value: 0.5, text: "0.5", marked: true }], "", 2, testInks),
  ),
};

const file = new GoldenSections("paintings.txt");
beforeAll(() => loadSentences("experiments", "export", "layers", "pairs"));
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
afterAll(() => file.end());

it.each(Object.entries(CASES))(
  "%s: what is painted is in the golden file",
  async (name, { width, paint }) => {
    stubPainting(width);
    const lines = (await paint()).split("\n");
    expect(lines.length).toBeGreaterThan(5);
    expect(lines).toEqual(file.textOf(name, lines.join("\n")).split("\n"));
  },
);
