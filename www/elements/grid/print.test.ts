// @vitest-environment happy-dom
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Tensor } from "../../data/index.js";
import { pixelsOf } from "../../draw/pixels.js";
import { testInks } from "../../draw/testing/inks.js";
import { recorder } from "../../draw/testing/recorder.js";
import { loadSentences } from "../../i18n/index.js";
import { printGrid, type PrintedHeads } from "./print.js";

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
  await loadSentences("exporting");
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
