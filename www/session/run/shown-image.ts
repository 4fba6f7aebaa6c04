/** The image that models of images read: the sample, or a file of the user. */
import type { ImageLike, Model, RunInput } from "../../headscope.js";
import { tracked } from "../../signals.js";

const SIDE = 224;

/**
 * Draws a yellow ring on a gradient: a shape that a head can tell from what is around it, and that
 * the bundled model of images knows.
 */
function drawSample(): ImageLike {
  const colourAt = (x: number, y: number): readonly number[] => {
    const distance = Math.hypot(x - 126, y - 104);
    return distance > 36 && distance < 64 ? [250, 205, 40] : [40 + x / 4, 90 + y / 3, 190 - x / 5];
  };
  const pixels = Array.from({ length: SIDE * SIDE }, (_, at) => [
    ...colourAt(at % SIDE, Math.floor(at / SIDE)),
    255,
  ]);
  return { width: SIDE, height: SIDE, data: Uint8ClampedArray.from(pixels.flat()) };
}

let sample: ImageLike | null = null;

/** The image that a model of images reads if the user has given none. */
export function sampleImage(): ImageLike {
  return (sample ??= drawSample());
}

/**
 * The image that the models of one explorer read. It is not part of the State: a link opens with
 * the sample, a saved page with the image.
 */
export class ShownImage {
  @tracked private own: ImageLike | null = null;
  private file: Blob | null = null;

  get current(): ImageLike {
    return this.own ?? sampleImage();
  }

  get isOwn(): boolean {
    return this.own !== null;
  }

  /**
   * Takes the user's file, or with null the sample again. Rejects for a file that the browser
   * cannot read as an image.
   */
  async open(file: Blob | null): Promise<void> {
    this.own = file && (await imageOf(file));
    this.file = file;
  }

  /** The user's file as a `data:` URL; null for the sample. */
  async written(): Promise<string | null> {
    const { file } = this;
    return file && urlOf(file);
  }

  /** Takes the image of a `data:` URL, or with null the sample again, as `open` does. */
  read(url: string | null): Promise<void> {
    return this.open(url === null ? null : blobOf(url));
  }
}

/** An image to read; a model of texts ignores it. */
export type Readable = Pick<ShownImage, "current">;

/** The image input of a model of images; null for a model of texts. */
export function imageInput({ info }: Pick<Model, "info">, shown: Readable): RunInput | null {
  return info.image && { image: shown.current };
}

async function imageOf(file: Blob): Promise<ImageLike> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  if (!context) throw new TypeError("no 2D context");
  // Transparent pixels become white.
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, width, height);
}

function urlOf(file: Blob): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error("unreadable"));
    reader.readAsDataURL(file);
  });
}

/** The content of a `data:` URL in base64; a content policy may forbid to fetch it. */
function blobOf(url: string): Blob {
  const [, type = "", content = ""] = /^data:([^;]+);base64,(.*)$/.exec(url) ?? [];
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  return new Blob([bytes], { type });
}
