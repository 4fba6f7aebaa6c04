// @vitest-environment happy-dom
import { beforeAll, describe, expect, it, vi, afterAll } from "vitest";
import { type Tensor, type Token, PALETTES, type Palette, type Stage } from "../data/index.js";
import { RAMP_STEPS, rampSwatch, sequentialRamp } from "../draw/colours.js";
import { pixelsOf } from "../draw/matrix.js";
import { testInks, recorder } from "../draw/testing/recorder.js";
import type { Print } from "../draw/theme.js";
import { loadSentences } from "../i18n/index.js";
import { printGrid, type PrintedHeads, printTokens, printSpectrum } from "./exports.js";
import { HeadscopeHeatmap } from "./heatmap.js";
import { HeadscopeMask } from "./matrices.js";
import { HeadscopePositions } from "./positions.js";
import { mount } from "./testing/mount.js";

const thumbnails: Tensor = {
  data: Float32Array.from({ length: 24 }, (_, at) => (at < 20 ? at / 24 : -at / 24)),
  shape: [2, 3, 2, 2],
  axes: ["layer", "head", "query", "key"],
};
const HEADS: PrintedHeads = {
  thumbnails,
  order: null,
  worn: null,
  silenced: [],
  selected: null,
  colours: "blue",
};

beforeAll(async () => {
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      getContext(): null {
        return null;
      }
    },
  );
  vi.stubGlobal(
    "ImageData",
    class {
      constructor(readonly data: Uint8ClampedArray) {}
    },
  );
  await loadSentences("export");
});

function painted(heads: Partial<PrintedHeads>): {
  texts: string[];
  places: [number, number][];
  images: CanvasImageSource[];
  size: [number, number];
} {
  const { brush, done } = recorder();
  const print = printGrid({ ...HEADS, ...heads }, testInks);
  print?.paint(brush);
  const images = done("drawImage");
  return {
    texts: done("fillText").map(({ args }) => String(args[0])),
    places: images.map(({ args }) => [Number(args[1]), Number(args[2])]),
    images: images.map(({ args }) => args[0] as CanvasImageSource),
    size: [print?.width ?? 0, print?.height ?? 0],
  };
}

describe("the heads apart from the page", () => {
  it("stand in their places, numbered, each with its role and score, with a legend for either kind of scale", () => {
    const worn = [
      [
        { role: "previous", score: 0.826 },
        { role: "none", score: null },
      ],
      [],
    ] as const;
    const { texts, places, size } = painted({ worn, silenced: [{ layer: 0, head: 0 }] });
    expect(places).toHaveLength(6);
    expect(new Set(places.map(([x]) => x)).size).toBe(3);
    expect(new Set(places.map(([, y]) => y)).size).toBe(2);
    for (const words of [
      "1",
      "2",
      "3",
      "previous",
      "0.83",
      "–",
      "weights",
      "largest of the head",
      "−largest of the head",
      "Faint: heads that were silenced.",
    ])
      expect(texts).toContain(words);
    for (const [x, y] of places) expect(x + 72 < size[0] && y + 72 < size[1]).toBe(true);
  });

  it("or in the order of a list, with place and note below", () => {
    const { texts, places } = painted({
      order: [
        { layer: 1, head: 2, note: "0.12" },
        { layer: 0, head: 1, note: "0.34" },
        { layer: 7, head: 0, note: "gone" },
      ],
    });
    expect(places).toHaveLength(2);
    expect(texts.slice(0, 4)).toEqual(["2 · 3", "0.12", "1 · 2", "0.34"]);
  });

  it("have a pixel for each cell in the file, for a shape each would be too many", () => {
    const { images } = painted({});
    expect(images.map((image) => [pixelsOf(image)?.columns, pixelsOf(image)?.amongMany])).toEqual(
      Array.from({ length: 6 }, () => [2, true]),
    );
  });

  it("are no picture where there are none", () => {
    expect(printGrid({ ...HEADS, order: [] }, testInks)).toBeNull();
  });
});

const word = (text: string, at: number): Token => ({
  id: at,
  text,
  word: at,
  special: false,
  role: null,
});

describe("the tokens of a text apart from the page", () => {
  it("stand in lines that are no wider than the paper, under the names of the texts", () => {
    const tokens = Array.from({ length: 60 }, (_, at) => word(`word${at}`, at));
    const print = printTokens(
      [
        { name: "First", tokens },
        { name: "Second", tokens: tokens.slice(0, 2) },
      ],
      testInks,
    );
    const { brush, done } = recorder();
    print?.paint(brush);
    const texts = done("fillText").map(({ args }) => String(args[0]));
    expect(texts).toEqual(["First", ...tokens.map(({ text }) => text), "Second", "word0", "word1"]);
    const chips = done("fillRect").map(({ args }) => args.map(Number));
    expect(chips).toHaveLength(62);
    for (const [x = 0, , width = 0] of chips)
      expect(x + width).toBeLessThanOrEqual(print?.width ?? 0);
    expect(new Set(chips.map(([, y]) => y)).size).toBeGreaterThan(3);
  });

  it("say what is hidden and strike it out, and part a word that is wider than a line", () => {
    const hidden: Token = {
      id: 9,
      text: "[MASK]",
      word: -1,
      special: true,
      role: "mask",
      hiddenText: "dog",
    };
    const pieces = Array.from(
      { length: 12 },
      (_, at): Token => ({ id: at, text: "donaudampfschiff", word: 1, special: false, role: null }),
    );
    const print = printTokens([{ name: "Text", tokens: [hidden, ...pieces] }], testInks);
    const { brush, done } = recorder();
    print?.paint(brush);
    expect(done("fillText").map(({ args }) => args[0])).toContain("dog");
    expect(done("fillRect").filter(({ args }) => args[3] === 1)).toHaveLength(1);
    for (const { args } of done("fillRect"))
      expect(Number(args[0]) + Number(args[2])).toBeLessThanOrEqual(print?.width ?? 0);
  });

  it("are no picture where there are none", () => {
    expect(printTokens([{ name: "Text", tokens: [] }], testInks)).toBeNull();
  });
});

describe("singular values apart from the page", () => {
  it("are bars as high as their share of the largest, with what most of them hold", () => {
    const { brush, done } = recorder();
    const print = printSpectrum({ values: [4, 2, 0], rank: 1 }, testInks);
    print?.paint(brush);
    const [first = [], second = [], third = []] = done("fillRect").map(({ args }) =>
      args.map(Number),
    );
    expect((first[3] ?? 0) / (second[3] ?? 1)).toBeCloseTo(2, 10);
    expect(third[3]).toBe(0);
    expect((first[1] ?? 0) + (first[3] ?? 0)).toBeCloseTo((second[1] ?? 0) + (second[3] ?? 0), 10);
    expect(done("fillText").map(({ args }) => args[0])).toEqual([
      "4.000",
      "1",
      "3",
      "1 of 3 hold 90%",
    ]);
  });

  it("are no picture where there are none", () => {
    expect(printSpectrum({ values: [], rank: 0 }, testInks)).toBeNull();
  });
});

/** As much of it as a picture that is only handed on needs. */
class Canvas {
  getContext(): null {
    return null;
  }
}

const tokens = (count: number): Token[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    text: `t${id}`,
    word: id,
    special: false,
    role: null,
  }));
const matrix = (
  rows: number,
  columns: number,
  value: (index: number) => number = () => 0.5,
): Tensor => ({
  data: Float32Array.from({ length: rows * columns }, (_, index) => value(index)),
  shape: [rows, columns],
  axes: ["query", "key"],
});
const heatmap = (
  rows: number,
  columns: number,
  more: Partial<HeadscopeHeatmap> = {},
): Promise<HeadscopeHeatmap> =>
  mount(new HeadscopeHeatmap(), {
    tensor: matrix(rows, columns),
    queries: tokens(rows),
    keys: tokens(columns),
    ...more,
  });

const shared = (found: readonly unknown[], colours: readonly string[]): number =>
  colours.filter((colour) => found.includes(colour)).length;

function paintedMatrix(print: Print | null): {
  texts: string[];
  image: unknown[];
  frames: unknown[][];
} {
  const { brush, done } = recorder();
  print?.paint(brush);
  return {
    texts: done("fillText").map(({ args }) => String(args[0])),
    image: done("drawImage").flatMap(({ args }) => args),
    frames: done("strokeRect").map(({ args }) => [...args]),
  };
}

describe("a figure apart from the page", () => {
  beforeAll(() => {
    vi.stubGlobal("OffscreenCanvas", Canvas);
    vi.stubGlobal("ImageData", Canvas);
  });
  afterAll(() => vi.unstubAllGlobals());

  it("has all labels, its legend, and a pixel for each cell", async () => {
    const { texts, image } = paintedMatrix((await heatmap(3, 4)).print(testInks));
    for (const text of [
      "t0",
      "t1",
      "t2",
      "t3",
      "weights",
      "0.500",
      "below: mass received; right: mass given",
    ])
      expect(texts).toContain(text);
    expect(paintedMatrix((await heatmap(2, 2)).print(testInks)).texts).toContain("mass received");
    expect(pixelsOf(image[0] as CanvasImageSource)).toMatchObject({ columns: 4, rows: 3 });
  });

  it("is as large as its matrix asks, not as the window gives, and within bounds", async () => {
    const size = async (count: number): Promise<number> =>
      (await heatmap(count, count)).print(testInks)?.width ?? 0;
    expect(await size(60)).toBeGreaterThan(await size(30));
    expect(await size(500)).toBeLessThan(2600);
  });

  it("keeps the pair that is locked and leaves out the one under the pointer", async () => {
    const plain = paintedMatrix((await heatmap(3, 3)).print(testInks)).frames.length;
    const focused = await heatmap(3, 3, { focused: { query: 1, key: 1 } });
    expect(paintedMatrix(focused.print(testInks)).frames).toHaveLength(plain);
    const locked = await heatmap(3, 3, { locked: { query: 1, key: 1 } });
    expect(paintedMatrix(locked.print(testInks)).frames).toHaveLength(plain + 1);
  });

  it("says what its signs mean", async () => {
    const masked = await heatmap(2, 2, {
      tensor: matrix(2, 2, (index) => (index === 1 ? -Infinity : 1)),
      stage: "masked",
      blocked: [{ query: 0, key: 1 }],
    });
    expect(paintedMatrix(masked.print(testInks)).texts).toEqual(
      expect.arrayContaining(["masked", "blocked by you"]),
    );
    const mask = await mount(new HeadscopeMask(), {
      mask: matrix(2, 2, () => 0),
      queries: tokens(2),
      keys: tokens(2),
    });
    expect(paintedMatrix(mask.print(testInks)).texts).toEqual(
      expect.arrayContaining(["may look", "may not look"]),
    );
  });

  it("has the weights and their legend in the colour map of the page, and signed stages in one of their own", async () => {
    const fills = async (colours: Palette, stage: Stage): Promise<unknown[]> => {
      const { brush, done } = recorder();
      (await heatmap(2, 2, { tensor: matrix(2, 2, (index) => index / 4), colours, stage }))
        .print(testInks)
        ?.paint(brush);
      return done("fillRect").map(({ fill }) => fill);
    };
    const coloursOf = (palette: Palette): string[] =>
      rampSwatch(sequentialRamp(palette, "light"), RAMP_STEPS);
    for (const palette of PALETTES) {
      const found = await fills(palette, "weights");
      const most = PALETTES.toSorted(
        (one, other) => shared(found, coloursOf(other)) - shared(found, coloursOf(one)),
      );
      expect(most[0]).toBe(palette);
    }
    expect(await fills("viridis", "scores")).toEqual(await fills("blue", "scores"));
  });

  it("does not exist where nothing can be drawn", async () => {
    expect((await heatmap(0, 0)).print(testInks)).toBeNull();
    expect((await heatmap(2, 2, { keys: tokens(3) })).print(testInks)).toBeNull();
    expect((await mount(new HeadscopePositions(), {})).print(testInks)).toBeNull();
  });

  it("has the positions' numbers and single dimensions", async () => {
    const positions = await mount(new HeadscopePositions(), {
      tensor: { ...matrix(4, 16), axes: ["position", "model_dim"] },
    });
    const { texts } = paintedMatrix(positions.print(testInks));
    for (const text of ["4", "value", "dimension 1", "dimension 9", "±0.500"])
      expect(texts).toContain(text);
  });
});
