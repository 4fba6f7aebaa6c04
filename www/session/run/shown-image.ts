import type { ImageLike, Model, RunInput } from "../../headscope.js";
import { tracked } from "../../signals.js";

const SIDE = 224;

/** A red ball, a yellow tower and a blue lake on a meadow: objects that a head can tell apart. */
function sample(): ImageLike {
  const colourAt = (x: number, y: number): readonly number[] => {
    if (Math.hypot(x - 62, y - 150) < 34) return [214, 48, 49];
    if (x > 148 && x < 192 && y > 52 && y < 184)
      return y % 22 < 4 ? [150, 110, 20] : [241, 196, 15];
    if (Math.hypot((x - 112) / 2, y - 206) < 26) return [41, 98, 190];
    if (Math.hypot(x - 40, y - 42) < 20) return [255, 244, 190];
    return y < 120 ? [150 + y / 3, 200 + y / 6, 240] : [86, 150 - (y - 120) / 3, 70];
  };
  const pixels = Array.from({ length: SIDE * SIDE }, (_, at) => [
    ...colourAt(at % SIDE, Math.floor(at / SIDE)),
    255,
  ]);
  return { width: SIDE, height: SIDE, data: Uint8ClampedArray.from(pixels.flat()) };
}

/**
 * The image that models of images read, on a page or in figures of it. It is in no State: a link
 * opens with the sample.
 */
class ShownImage {
  @tracked private own: ImageLike | null = null;
  private sample: ImageLike | null = null;

  get current(): ImageLike {
    return this.own ?? (this.sample ??= sample());
  }

  get isOwn(): boolean {
    return this.own !== null;
  }

  /**
   * Takes a file, or with null the sample again. Rejects for what the browser cannot read as an
   * image.
   */
  async open(file: Blob | null): Promise<void> {
    this.own = file && (await imageOf(file));
  }
}

export const shownImage = new ShownImage();

/** What a model of images runs in the place of a text; null for one of texts. */
export function imageInput({ info }: Pick<Model, "info">): RunInput | null {
  return info.image && { image: shownImage.current };
}

async function imageOf(file: Blob): Promise<ImageLike> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  if (!context) throw new TypeError("no 2D context");
  // What is transparent lies on white.
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, width, height);
}
