// @vitest-environment happy-dom
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Tensor } from "../data/index.js";
import { imagePixels } from "../draw/matrix.js";
import { recorder, testInks, type Recorder } from "../draw/testing/recorder.js";
import type { Print } from "../draw/theme.js";
import { loadSentences } from "../i18n/index.js";
import { printGrid, type PrintedHeads, printSpectrum, printTokens } from "./exports.js";
import { HeadscopeHeatmap } from "./matrices.js";
import { HeadscopePositions } from "./positions.js";
import { matrixOf, mount, stubCanvas, tokensOf } from "./testing/mount.js";

// What a picture looks like apart from the page is in the snapshots of www/views/export.

beforeAll(async () => {
  stubCanvas();
  await loadSentences("export");
});
afterAll(() => vi.unstubAllGlobals());
afterEach(() => document.body.replaceChildren());

function painted(print: Print | null): Recorder & { texts: string[]; rects: number[][] } {
  const record = recorder();
  print?.paint(record.brush);
  return {
    ...record,
    texts: record.done("fillText").map(({ args }) => String(args[0])),
    rects: record.done("fillRect").map(({ args }) => args.map(Number)),
  };
}

describe("the heads apart from the page", () => {
  const HEADS: PrintedHeads = {
    thumbnails: {
      data: Float32Array.from({ length: 24 }, (_, at) => (at < 20 ? at / 24 : -at / 24)),
      shape: [2, 3, 2, 2],
      axes: ["layer", "head", "query", "key"],
    },
    order: null,
    roles: null,
    silenced: [{ layer: 0, head: 0 }],
    selected: null,
    colours: "blue",
  };

  it("have a legend for either kind of scale, and a pixel for each cell in the file", () => {
    const { texts, done } = painted(printGrid(HEADS, testInks));
    expect(texts).toEqual(
      expect.arrayContaining([
        "largest of the head",
        "−largest of the head",
        "Faint: heads that were silenced.",
      ]),
    );
    const images = done("drawImage").map(({ args }) =>
      imagePixels.get(args[0] as CanvasImageSource),
    );
    expect(images.map((image) => [image?.columns, image?.amongMany])).toEqual(
      Array.from({ length: 6 }, () => [2, true]),
    );
  });

  it("leave out of a list what has no picture, and are no picture where none has", () => {
    const order = [
      { layer: 1, head: 2, note: "0.12" },
      { layer: 7, head: 0, note: "gone" },
    ];
    const { texts } = painted(printGrid({ ...HEADS, order }, testInks));
    expect(texts).toEqual(expect.arrayContaining(["2 · 3", "0.12"]));
    expect(texts).not.toContain("gone");
    expect(printGrid({ ...HEADS, order: [] }, testInks)).toBeNull();
  });
});

describe("the tokens of a text apart from the page", () => {
  it.each([
    ["stand in lines", tokensOf(...Array.from({ length: 60 }, (_, at) => `word${at}`))],
    [
      "part a word that is wider than a line",
      tokensOf(...Array<string>(12).fill("donaudampfschiff")).map((token) => ({
        ...token,
        word: 1,
      })),
    ],
  ] as const)("%s no wider than the paper", (_, tokens) => {
    const print = printTokens([{ name: "First", tokens }], testInks);
    const { texts, rects } = painted(print);
    expect(texts).toEqual(["First", ...tokens.map(({ text }) => text)]);
    for (const [x = 0, , width = 0] of rects)
      expect(x + width).toBeLessThanOrEqual(print?.width ?? 0);
    expect(new Set(rects.map(([, y]) => y)).size).toBeGreaterThan(2);
  });

  it("are no picture where there are none, and neither are singular values", () => {
    expect(printTokens([{ name: "Text", tokens: [] }], testInks)).toBeNull();
    expect(printSpectrum({ values: [], rank: 0 }, testInks)).toBeNull();
  });
});

describe("a figure apart from the page", () => {
  const square = (side: number, value: (index: number) => number = () => 0.5): Tensor =>
    matrixOf(
      side,
      Array.from({ length: side * side }, (_, index) => value(index)),
    );
  const heatmap = (
    side: number,
    more: Partial<HeadscopeHeatmap> = {},
  ): Promise<HeadscopeHeatmap> => {
    const tokens = tokensOf(...Array.from({ length: side }, (_, at) => `t${at}`));
    return mount(new HeadscopeHeatmap(), {
      tensor: square(side),
      queries: tokens,
      keys: tokens,
      ...more,
    });
  };

  it("is as large as its matrix asks, not as the window gives, and within bounds", async () => {
    const size = async (count: number): Promise<number> =>
      (await heatmap(count)).print(testInks)?.width ?? 0;
    expect(await size(60)).toBeGreaterThan(await size(30));
    expect(await size(500)).toBeLessThan(2600);
  });

  it("does not exist where nothing can be drawn", async () => {
    expect((await heatmap(0)).print(testInks)).toBeNull();
    expect((await heatmap(2, { keys: tokensOf("a", "b", "c") })).print(testInks)).toBeNull();
    expect((await mount(new HeadscopePositions(), {})).print(testInks)).toBeNull();
  });
});
