// @vitest-environment happy-dom
// @isolate: texts are measured on a canvas that stands for all later ones.
// What figures paint on the page, with a pair in focus, one held and cells blocked: a saved picture
// shows none of these. `npm run golden` writes the files; read the difference before you commit it.
import { beforeAll, expect, it, vi } from "vitest";
import type { LitElement } from "lit";
import { goldenSections } from "../../tests/golden/golden.js";
import type { StepTensor } from "../data/index.js";
import { loadSentences } from "../i18n/index.js";
import { HeadscopeCurves } from "./curves.js";
import { HeadscopeDimensions } from "./dimensions.js";
import { HeadscopeImage } from "./image.js";
import { HeadscopeLens } from "./lens.js";
import { HeadscopeLines } from "./lines.js";
import { HeadscopeDifference, HeadscopeHeatmap } from "./matrices.js";
import { HeadscopePositions } from "./positions.js";
import "./steps/element.js";
import { HeadscopeStrip } from "./steps/strip.js";
import {
  matrixOf,
  numberedTokens,
  PATCH_TOKENS,
  PATCHES,
  press,
  tokensOf,
} from "./testing/mount.js";
import { painted, stubPainting } from "./testing/painted.js";

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
  shown(300, () => new HeadscopeImage(), {
    queries: PATCH_TOKENS,
    keys: PATCH_TOKENS,
    tensor: OF_IMAGE,
    image: IMAGE,
    grid: PATCHES,
    ...more,
  } as Partial<HeadscopeImage>);
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
};

const now = new Map<string, string>();
let recorded = new Map<string, string>();

beforeAll(async () => {
  await loadSentences("experiments", "layers");
  for (const [name, { width, paint }] of Object.entries(CASES)) {
    stubPainting(width);
    now.set(name, await paint());
    document.body.replaceChildren();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  }
  recorded = goldenSections("paintings.txt", now);
});

it.each(Object.keys(CASES))("%s: what is painted is in the golden file", (name) => {
  const lines = now.get(name)?.split("\n");
  expect(lines?.length).toBeGreaterThan(6);
  expect(lines).toEqual(recorded.get(name)?.split("\n"));
});
