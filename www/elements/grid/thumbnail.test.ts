import { afterEach, expect, it, vi } from "vitest";
import { cellPixels } from "../../draw/matrix.js";
import { recorder } from "../../draw/testing/recorder.js";
import { paintThumbnails, thumbnailScale } from "./thumbnail.js";

afterEach(() => {
  vi.unstubAllGlobals();
});

it("every head shows its own pattern, cut from one image of all heads", () => {
  const [layers, heads, side] = [2, 3, 2];
  const data = Float32Array.from({ length: layers * heads * side * side }, (_, at) => (at % 7) / 7);
  let atlas: Uint8ClampedArray = new Uint8ClampedArray();
  let across = 0;
  class Pixels {
    readonly data: Uint8ClampedArray;
    constructor(width: number, height: number) {
      this.data = new Uint8ClampedArray(4 * width * height);
    }
  }
  class Sheet {
    constructor(
      readonly width: number,
      readonly height: number,
    ) {}
    getContext(): object {
      return {
        putImageData: (pixels: Pixels) => {
          atlas = pixels.data;
          across = this.width;
        },
      };
    }
  }
  vi.stubGlobal("OffscreenCanvas", Sheet);
  vi.stubGlobal("ImageData", Pixels);
  const { brush, done } = recorder();
  const alphas: unknown[] = [];
  const noting = new Proxy(brush, {
    get: (on, name) => {
      if (name === "drawImage") alphas.push(on.globalAlpha);
      return Reflect.get(on, name) as unknown;
    },
  });
  const canvas = { width: 0, height: 0, getContext: () => noting } as unknown as HTMLCanvasElement;

  const places = Array.from({ length: layers * heads }, (_, index) => {
    return { index, x: 20 * index, y: 0, width: 20, height: 20 };
  });
  paintThumbnails(canvas, { width: 120, height: 20, places }, new Set([1]), {
    thumbnails: { data, shape: [layers, heads, side, side], axes: [] },
    colours: "blue",
    ground: "light",
    cell: "white",
    ratio: 1,
  });

  const shown = done("drawImage").map(({ args }) => {
    const [, x, y, columns, rows] = args.map(Number) as [number, number, number, number, number];
    return Array.from({ length: rows }, (_, row) => {
      const first = ((y + row) * across + x) * 4;
      return [...atlas.slice(first, first + columns * 4)];
    }).flat();
  });
  const wanted = places.map(({ index }) => {
    const own = data.subarray(index * side * side, (index + 1) * side * side);
    return [...cellPixels(own, thumbnailScale(own, "blue", "light"))];
  });
  expect(shown).toEqual(wanted);
  // An ablated head is faint.
  const [first, faint = 1, ...others] = alphas;
  expect([first, ...others]).toEqual(Array(layers * heads - 1).fill(1));
  expect(faint).toBeLessThan(1);
});
