// @vitest-environment happy-dom
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { StepTensor, Tensor, Token } from "../../data/index.js";
import { printBars } from "../../draw/charts.js";
import { HeadscopeCurves } from "../../elements/curves.js";
import {
  printGrid,
  type PrintedHeads,
  printSpectrum,
  printTokens,
} from "../../elements/exports.js";
import {
  HeadscopeDifference,
  HeadscopeDimensions,
  HeadscopeHeatmap,
  HeadscopeLines,
  HeadscopeMask,
  HeadscopePositions,
  HeadscopeStrip,
} from "../../elements/index.js";
import { measurer } from "../../elements/matrix/canvas.js";
import { mount } from "../../elements/testing/mount.js";
import { PAPER_INKS, sheetOf } from "../../export/sheet.js";
import { svgFile } from "../../export/svg.js";
import { loadSentences, setLanguage } from "../../i18n/index.js";
import type { Printable } from "../../elements/shared/scene.js";

/** As much of it as a picture that is only handed on needs: what is measured by it is then measured by rule, on every machine alike. */
class Canvas {
  getContext(): null {
    return null;
  }
}

const tokens = (...texts: string[]): Token[] =>
  texts.map((text, id) => ({ id, text, word: id, special: text.startsWith("<"), role: null }));
const matrix = (columns: number, values: readonly number[], axes = ["query", "key"]): Tensor => ({
  data: Float32Array.from(values),
  shape: [values.length / columns, columns],
  axes,
});

const QUERIES = tokens("le", "chat", "<eos>");
const KEYS = tokens("the", "black", "cat");
const pairs = { queries: QUERIES, keys: KEYS };
const WEIGHTS = matrix(3, [0.7, 0.2, 0.1, 0.05, 0.25, 0.7, 0, 0.5, 0.5]);
const SCORES = matrix(3, [1.5, 0.25, -0.5, -1, 0.5, 1.75, -Infinity, 0, 0]);
const stages = {
  raw: matrix(3, [3, 0.5, -1, -2, 1, 3.5, -4, 0, 0]),
  scores: matrix(3, [1.5, 0.25, -0.5, -1, 0.5, 1.75, -2, 0, 0]),
  masked: SCORES,
  weights: WEIGHTS,
};
const wave = (position: number, dimension: number): number =>
  Math.fround(dimension % 2 === 0 ? position / 4 : 1 - position / 4 + dimension / 16);
const step = (name: StepTensor["step"], tensor: Tensor): StepTensor => ({ step: name, tensor });
/** Quarters from −1.5 to 1.5, which no machine rounds. */
const quarters = (rows: number, columns: number, axes: string[]): Tensor =>
  matrix(
    columns,
    Array.from({ length: rows * columns }, (_, at) => (((at * 5) % 13) - 6) / 4),
    axes,
  );
const states = (rows: number): Tensor => quarters(rows, 24, ["position", "model_dim"]);

/** Of heads that look at themselves, at what was before, at one place, and at everything. */
const thumbnail = (head: number): number[] =>
  Array.from(
    { length: 16 },
    (_, at) => [at % 5 === 0 ? 1 : 0, at % 5 === 4 ? 1 : 0, at % 4 === 0 ? 1 : 0, 0.25][head] ?? 0,
  );
const HEADS = {
  thumbnails: {
    data: Float32Array.from([0, 1, 2, 3].flatMap(thumbnail)),
    shape: [2, 2, 4, 4],
    axes: ["layer", "head", "query", "key"],
  },
  order: null,
  worn: [
    [
      { role: "self", score: 1 },
      { role: "previous", score: 0.75 },
    ],
    [
      { role: "first", score: 1 },
      { role: "none", score: null },
    ],
  ],
  silenced: [{ layer: 1, head: 0 }],
  selected: { layer: 0, head: 1 },
  colours: "blue",
} as const satisfies PrintedHeads;
const TEXT: Token[] = [
  ...tokens("<s>", "the", "dark"),
  { id: 4, text: "ness", word: 2, special: false, role: null },
  { id: 5, text: "[MASK]", word: 3, special: true, role: "mask", hiddenText: "fell" },
  { id: 6, text: "?", word: 4, special: false, role: "unknown" },
];
const COSINES = [
  { label: "embedding", value: 1, text: "1.000" },
  { label: "layer 1", value: 0.5, text: "0.500", marked: true },
  { label: "layer 2", value: -0.25, text: "−0.250" },
  { label: "layer 3", value: 0, text: "–" },
];

/** Every picture on numbers that fit on a page. */
const PICTURES: Readonly<Record<string, () => Promise<Pick<Printable, "print">>>> = {
  heatmap: () =>
    mount(new HeadscopeHeatmap(), { ...pairs, tensor: WEIGHTS, locked: { query: 1, key: 2 } }),
  "heatmap-scores": () =>
    mount(new HeadscopeHeatmap(), {
      ...pairs,
      tensor: SCORES,
      stage: "masked",
      blocked: [{ query: 2, key: 0 }],
    }),
  difference: () =>
    mount(new HeadscopeDifference(), {
      ...pairs,
      tensor: matrix(3, [0.25, -0.5, 0, 0.125, 0, -0.25, NaN, 0.5, -0.5]),
    }),
  mask: () =>
    mount(new HeadscopeMask(), {
      ...pairs,
      mask: matrix(3, [0, -Infinity, -Infinity, 0, 0, -Infinity, 0, 0, 0]),
    }),
  lines: () =>
    mount(new HeadscopeLines(), {
      ...pairs,
      patterns: [
        { head: 1, weights: WEIGHTS },
        { head: 3, weights: matrix(3, [1, 0, 0, 0, 1, 0, 0, 0, 1]) },
      ],
      heads: 4,
      mass: 80,
    }),
  dimensions: () =>
    mount(new HeadscopeDimensions(), {
      ...pairs,
      stages,
      vectors: {
        query: quarters(3, 16, ["position", "head_dim"]),
        key: quarters(3, 16, ["position", "head_dim"]),
      },
      locked: { query: 1, key: 2 },
    }),
  steps: () =>
    mount(new HeadscopeStrip(), {
      steps: [
        step("input", states(3)),
        step("query", states(3)),
        step("weights", WEIGHTS),
        step("attended", states(3)),
      ],
      head: { stack: "encoder", layer: 0, head: 1 },
      heads: 2,
      queries: KEYS,
      keys: KEYS,
    }),
  positions: () =>
    mount(new HeadscopePositions(), {
      tensor: matrix(
        8,
        Array.from({ length: 40 }, (_, at) => wave(Math.floor(at / 8), at % 8)),
        ["position", "model_dim"],
      ),
    }),
  curves: () =>
    mount(new HeadscopeCurves(), {
      lines: [
        {
          name: "Encoder",
          points: [
            { x: 0, y: 1 },
            { x: 0.5, y: 2.5 },
            { x: 1, y: NaN },
          ],
        },
        {
          name: "Decoder",
          points: [
            { x: 0, y: 1 },
            { x: 0.5, y: 1.25 },
            { x: 1, y: 4 },
          ],
        },
      ],
      titles: { x: "heads removed", y: "loss" },
      marked: 0.25,
      markedAs: "a quarter",
    }),
  grid: () => printed((inks) => printGrid(HEADS, inks)),
  "grid-listed": () =>
    printed((inks) =>
      printGrid(
        {
          ...HEADS,
          order: [
            { layer: 1, head: 1, note: "1.386" },
            { layer: 0, head: 0, note: "0.000" },
          ],
          colours: "cividis",
        },
        inks,
      ),
    ),
  spectrum: () =>
    printed((inks) => printSpectrum({ values: [4, 2, 1, 0.5, 0.25, 0], rank: 2 }, inks)),
  tokens: () =>
    printed((inks) =>
      printTokens(
        [
          { name: "Tokens of your sentence", tokens: TEXT },
          { name: "Tokens of the translation", tokens: QUERIES },
        ],
        inks,
      ),
    ),
  bars: () =>
    printed((inks) => printBars(COSINES, "“cat” and “chat”, layer by layer", 1, inks, measurer)),
};

/** A picture that no element draws in the same form. */
function printed(print: Printable["print"]): Promise<Pick<Printable, "print">> {
  return Promise.resolve({ print });
}

/** The file of a picture as it is saved, but without the letters of its fonts. */
async function fileOf(name: string): Promise<string> {
  const print = (await PICTURES[name]?.())?.print(PAPER_INKS);
  if (!print) throw new Error(`${name} draws nothing`);
  const sheet = sheetOf(
    print,
    { title: name, lines: ["A model that is not there"], maker: "Headscope" },
    PAPER_INKS,
    measurer,
  );
  return svgFile(
    sheet,
    {
      title: name,
      description: `The ${name} of a test`,
      record: JSON.stringify({ picture: name }),
    },
    PAPER_INKS.font,
    [],
    measurer,
  );
}

/** When a picture is meant to change: `npm run unit -- www/views/export/snapshots.test.ts --update`, and look at the files. */
describe("the SVG of a picture", () => {
  beforeAll(async () => {
    vi.stubGlobal("OffscreenCanvas", Canvas);
    vi.stubGlobal("ImageData", Canvas);
    await loadSentences("export");
  });
  afterAll(() => vi.unstubAllGlobals());
  afterEach(() => {
    document.body.replaceChildren();
    setLanguage("en");
  });

  it.each(Object.keys(PICTURES))("%s is what was looked at when it was committed", async (name) => {
    await expect(await fileOf(name)).toMatchFileSnapshot(`snapshots/${name}.svg`);
  });

  it("in Chinese has the same lines and cells, and other words", async () => {
    const shapes = async (): Promise<number> =>
      [...(await fileOf("mask")).matchAll(/<(?:rect|path)\b/g)].length;
    const [english, drawn] = [await fileOf("mask"), await shapes()];
    document.body.replaceChildren();
    setLanguage("zh-CN");
    expect(await fileOf("mask")).not.toBe(english);
    expect(await shapes()).toBe(drawn);
    await expect(await fileOf("mask")).toMatchFileSnapshot("snapshots/mask.zh-CN.svg");
  });
});
