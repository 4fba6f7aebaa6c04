import { describe, expect, it } from "vitest";
import type { ImageConfig } from "../data/index.js";
import type { ImageLike } from "./contract.js";
import { ImageReader } from "./image.js";

type Colours = (x: number, y: number) => number[];
const BUSY: Colours = (x, y) => [0, 1, 2].map((colour) => (x * 37 + y * 61 + colour * 83) % 256);
const SMOOTH: Colours = (x, y) => [(x * 5 + y * 3) % 256, 255 - x * 8, y * 9];

function image(height: number, width: number, colours: Colours): ImageLike {
  const pixel = (at: number): number[] => [...colours(at % width, Math.floor(at / width)), 255];
  return {
    width,
    height,
    data: Array.from({ length: width * height }, (_, at) => pixel(at)).flat(),
  };
}

const CONFIG = '{"model_type": "vit", "id2label": {"0": "cat"}}';

function reader(size: [number, number], config = CONFIG, processing: object | null = null) {
  const format: ImageConfig = { channels: 3, size, patch: [2, 2], grid: [2, 3], specials: 2 };
  return new ImageReader(format, config, processing && JSON.stringify(processing));
}

/** Every second number of a row of each channel. */
function row({ image, pixels }: { image: [number, number]; pixels: Float32Array }, at: number) {
  const [height, width] = image;
  return [0, 1, 2].flatMap((channel) =>
    [...pixels.slice((channel * height + at) * width, (channel * height + at + 1) * width)].filter(
      (_, column) => column % 2 === 0,
    ),
  );
}

describe("ImageReader", () => {
  // Written by transformers' ViTImageProcessor and DeiTImageProcessor with Pillow.
  it.each([
    [
      "vit",
      [4, 6],
      image(4, 6, BUSY),
      1,
      4,
      [-0.5216, 0.0588, 0.6392, 0.1294, 0.7098, -0.7176, 0.7804, -0.6471, -0.0667],
    ],
    [
      "deit",
      [6, 6],
      image(8, 8, BUSY),
      2,
      4,
      [0.7255, -0.702, -0.1216, -0.6314, -0.051, 0.5294, 0.0196, 0.6, -0.8275],
    ],
    // Pillow rounds between both directions.
    [
      "vit",
      [4, 6],
      image(20, 24, SMOOTH),
      1,
      1.5,
      [-0.7647, -0.4588, -0.1451, 0.8824, 0.4039, -0.098, -0.5059, -0.5059, -0.5059],
    ],
  ] as const)(
    "normalises as Hugging Face does: %s, %j",
    (family, size, given, at, digits, want) => {
      const crops = family === "deit";
      const processing = {
        image_mean: [0.5, 0.5, 0.5],
        image_std: [0.5, 0.5, 0.5],
        ...(crops && {
          do_center_crop: true,
          size: { height: 8, width: 8 },
          crop_size: { height: 6, width: 6 },
        }),
      };
      const config = CONFIG.replace("vit", family);
      const pixels = reader([...size], config, processing).pixels(given);
      const got = row({ image: [...size], pixels }, at);
      got.forEach((value, index) => expect(value).toBeCloseTo(want[index] ?? NaN, digits));
    },
  );

  it("names patches and classes, and refuses what is no image", () => {
    const images = reader([4, 6]);
    const { tokens } = images.encode();
    expect(tokens.map(({ text }) => text).join(" ")).toBe("[CLS] [DIST] 1,1 1,2 1,3 2,1 2,2 2,3");
    expect([images.text(0), images.text(1)]).toEqual(["cat", "#1"]);
    const broken = { ...image(4, 6, BUSY), height: 5 };
    expect(() => images.pixels(broken)).toThrow(
      expect.objectContaining({ code: "input/bad-image" }),
    );
  });
});
