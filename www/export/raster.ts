// A picture as a PNG: the same painters, on a canvas with more than one pixel per pixel.
import type { Print } from "../draw/print.js";
import { describePng } from "./png.js";
import type { PictureWords } from "./svg/document.js";

const SCALES = [3, 2, 1] as const;
/** What every browser still draws. */
const MOST_PIXELS = 4096 * 4096;

/** As many pixels per pixel of the page as a canvas takes. */
export function scaleOf({ width, height }: Print): number {
  return SCALES.find((scale) => width * height * scale * scale <= MOST_PIXELS) ?? 1;
}

export async function pngFile(print: Print, { title, description, record }: PictureWords, maker: string): Promise<Blob> {
  const scale = scaleOf(print);
  const canvas = new OffscreenCanvas(print.width * scale, print.height * scale);
  const brush = canvas.getContext("2d");
  if (!brush) throw new TypeError("this browser gave no canvas to draw on");
  brush.scale(scale, scale);
  print.paint(brush);
  const drawn = await canvas.convertToBlob({ type: "image/png" });
  const png = new Uint8Array(await drawn.arrayBuffer());
  const texts = { Title: title, Description: description, Software: maker, Comment: record };
  return new Blob([describePng(png, texts, scale)], { type: "image/png" });
}
