/**
 * A cache of preprocessed images, so that no image is sent and processed again for each run and
 * each picture.
 */

import type { ImageLike } from "./contract.js";
import { demand, refuse } from "./errors.js";
import type { Pixels, ProcessedImage } from "./protocol.js";

interface Known {
  /** The checksum of the bytes that were sent. */
  checksum: number;
  processed: Promise<ProcessedImage>;
}

export class ProcessedImages {
  readonly #known = new WeakMap<ImageLike, Known>();

  constructor(private readonly process: (image: Pixels) => Promise<ProcessedImage>) {}

  /**
   * An image as the model reads it. An image whose bytes were changed is processed again.
   * @throws input/bad-image
   */
  of(image: ImageLike): Promise<ProcessedImage> {
    const pixels = pixelsOf(image);
    const checksum = checksumOf(pixels);
    const known = this.#known.get(image);
    if (known?.checksum === checksum) return known.processed;
    const processed = this.process(pixels);
    this.#known.set(image, { checksum, processed });
    // A failed attempt may succeed later, for instance after a crash.
    processed.catch(() => {
      if (this.#known.get(image)?.processed === processed) this.#known.delete(image);
    });
    return processed;
  }
}

/** The bytes of an image; numbers beyond those of a byte become the nearest one. */
function pixelsOf(image: ImageLike): Pixels {
  demand("an object", image, "the image");
  const { width, height, data } = image;
  const isSize = (side: number): boolean => Number.isInteger(side) && side > 0;
  const isWhole =
    isSize(width) &&
    isSize(height) &&
    (data as Partial<typeof data> | null)?.length === 4 * width * height;
  if (!isWhole) {
    const expected = "width, height and 4 bytes (RGBA) for each pixel, as ImageData has";
    const got = `${width} × ${height} with ${(data as Partial<typeof data> | null)?.length} bytes`;
    throw refuse("input/bad-image", "the image", expected, got);
  }
  const bytes =
    data instanceof Uint8ClampedArray || data instanceof Uint8Array
      ? data
      : Uint8ClampedArray.from(data);
  return { width, height, data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) };
}

/** FNV-1a over words of four bytes: some milliseconds for a photo. */
function checksumOf({ width, height, data }: Pixels): number {
  const isAligned = data.byteOffset % 4 === 0;
  const { buffer, byteOffset } = isAligned ? data : data.slice();
  let sum = Math.imul(width, 31) + height;
  const words = new Uint32Array(buffer, byteOffset, data.length / 4);
  // oxlint-disable-next-line typescript/prefer-for-of -- takes seven times as long, on the caller's thread
  for (let at = 0; at < words.length; at += 1) sum = Math.imul(sum ^ (words[at] ?? 0), 0x01000193);
  return sum;
}
