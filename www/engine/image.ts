// Images as a model takes them, and what its tokens and classes are called.
import type { ImageConfig, Token } from "../data/index.js";
import { isRecord, jsonIn } from "../data/shape.js";
import type { ImageLike } from "./contract.js";
import { demand, refuse } from "./errors.js";
import type { Encoded } from "./tokenizer/tokenizer.js";

/** The usual processing by Hugging Face: the share of each side that is taken, and what colours are normalised by. */
interface Usual {
  crop: number;
  mean: readonly number[];
  std: readonly number[];
}

/** By `model_type`. */
const USUAL: Readonly<{ vit: Usual } & Record<string, Usual>> = {
  vit: { crop: 1, mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] },
  deit: {
    crop: 224 / 256,
    mean: [0.485, 0.456, 0.406],
    std: [0.229, 0.224, 0.225],
  },
};

/** The fields of a JSON file; of one that is missing or broken none. */
function fieldsOf(json: string | null): Record<string, unknown> {
  const fields = jsonIn(json ?? "");
  return isRecord(fields) ? fields : {};
}

/** What a model of images has in the place of a tokenizer. */
export class ImageReader {
  readonly maskId = null;
  readonly specialIds: number[];
  readonly #labels: Record<string, unknown>;
  readonly #processing: Record<string, unknown>;
  private readonly usual: Usual;

  /** Texts of config.json and preprocessor_config.json. */
  constructor(
    private readonly format: ImageConfig,
    config: string,
    processing: string | null,
  ) {
    this.specialIds = Array.from({ length: format.specials }, (_, id) => id);
    const { id2label, model_type } = fieldsOf(config);
    this.usual = USUAL[String(model_type)] ?? USUAL.vit;
    this.#labels = isRecord(id2label) ? id2label : {};
    this.#processing = fieldsOf(processing);
  }

  /** All images have the same tokens. */
  encode(): Encoded {
    const [rows, columns] = this.format.grid;
    const ids = Array.from({ length: this.format.specials + rows * columns }, (_, id) => id);
    return { tokens: this.tokens(ids), typeIds: ids.map(() => 0) };
  }

  /** `[CLS]`, in DeiT `[DIST]`, and patches by row and column, counted from 1. */
  tokens(ids: number[]): Token[] {
    const { specials, grid } = this.format;
    return ids.map((id) => {
      const [word, special, role] = [Math.max(-1, id - specials), id < specials, null];
      const patch = `${Math.floor(word / grid[1]) + 1},${(word % grid[1]) + 1}`;
      return {
        id,
        text: special ? (id === 0 ? "[CLS]" : "[DIST]") : patch,
        word,
        special,
        role,
      };
    });
  }

  /** The name of a class. */
  text(id: number): string {
    const label = this.#labels[id];
    return typeof label === "string" ? label : `#${id}`;
  }

  continuesWord(): false {
    return false;
  }

  /** Classes spell no text. */
  decode(): string {
    return "";
  }

  /** An image in the size of the model, without what the model leaves out around it. @throws input/bad-image */
  preprocess(image: ImageLike): ImageLike {
    demand("an object", image, "the image");
    const { width, height, data } = image;
    if (!(width > 0 && height > 0 && data.length === 4 * width * height)) {
      const expected = "width, height and 4 bytes (RGBA) for each pixel, as ImageData has";
      const got = `${width} × ${height} with ${data.length} bytes`;
      throw refuse("input/bad-image", "the image", expected, got);
    }
    const [visibleHeight, visibleWidth] = this.#visible(height, width);
    const [rows, columns] = this.format.size;
    const across = resampled(data, [height, width, 4], columns, visibleWidth);
    const all = resampled(across, [1, height, 4 * columns], rows, visibleHeight);
    return { width: columns, height: rows, data: Uint8ClampedArray.from(all) };
  }

  /** How much of the sides is taken: all that is not cropped. */
  #visible(height: number, width: number): [height: number, width: number] {
    const { size, do_center_crop, crop_size } = this.#processing;
    if (do_center_crop === false) return [height, width];
    const [whole, crop] = [sidesOf(size), sidesOf(crop_size)];
    const usual = do_center_crop === true || size === undefined ? this.usual.crop : 1;
    const shortest = whole.shortest_edge;
    const taken = (side: "height" | "width", length: number): number => {
      const resized = shortest ? (length * shortest) / Math.min(height, width) : whole[side];
      const own = do_center_crop === true && resized ? crop[side] : undefined;
      return length * Math.min(1, own && resized ? own / resized : usual);
    };
    return [taken("height", height), taken("width", width)];
  }

  /** The numbers `[channels, height, width]` that the model reads of an image of any size. @throws input/bad-image */
  pixels(image: ImageLike): Float32Array {
    const { data } = this.preprocess(image);
    const { do_rescale, rescale_factor, do_normalize, image_mean, image_std } = this.#processing;
    const { usual, format } = this;
    const factor = do_rescale === false ? 1 : Number(rescale_factor ?? 1 / 255);
    const listed = (given: unknown, usual: readonly number[]): readonly number[] =>
      Array.isArray(given) ? given.map(Number) : usual;
    const [mean, std] = [listed(image_mean, usual.mean), listed(image_std, usual.std)];
    const n = format.size[0] * format.size[1];
    return Float32Array.from({ length: format.channels * n }, (_, at) => {
      const [channel, first] = [Math.floor(at / n), 4 * (at % n)];
      const byte = (colour: number): number => data[first + Math.min(colour, 3)] ?? 0;
      // One channel is grey, weighted as ITU-R 601 says.
      const grey = 0.299 * byte(0) + 0.587 * byte(1) + 0.114 * byte(2);
      const value = factor * (format.channels === 1 ? grey : byte(channel));
      if (do_normalize === false) return value;
      return (value - (mean[channel] ?? 0)) / (std[channel] ?? 1);
    });
  }
}

/** `{ height, width }` or `{ shortest_edge }`; in old files one number. */
function sidesOf(size: unknown): Record<string, number | undefined> {
  if (typeof size === "number") return { height: size, width: size };
  return isRecord(size) ? (size as Record<string, number>) : {};
}

/**
 * `[outer, n, inner]` → `[outer, count, inner]`, of which the middle, `visible` wide, is taken: each number is the mean of
 * those around its place, weighted by a triangle that is at least two wide. Source: Pillow, `Resample.c`, which rounds more.
 */
function resampled(
  numbers: ArrayLike<number>,
  [outer, n, inner]: readonly [number, number, number],
  count: number,
  visible: number,
): Float32Array {
  const step = visible / count;
  const support = Math.max(1, step);
  const all = new Float32Array(outer * count * inner);
  for (let to = 0; to < count; to += 1) {
    const middle = (n - visible) / 2 + (to + 0.5) * step;
    const [first, end] = [Math.max(0, Math.floor(middle - support)), Math.ceil(middle + support)];
    const weights = Array.from({ length: Math.min(n, end) - first }, (_, at) =>
      Math.max(0, 1 - Math.abs(first + at + 0.5 - middle) / support),
    );
    const sum = weights.reduce((one, other) => one + other, 0);
    for (let block = 0; block < outer; block += 1)
      for (let column = 0; column < inner; column += 1)
        all[(block * count + to) * inner + column] = weights.reduce(
          (mean, weight, at) =>
            mean + (weight / sum) * (numbers[(block * n + first + at) * inner + column] ?? 0),
          0,
        );
  }
  return all;
}
