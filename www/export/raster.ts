// A picture as a PNG: the same painters, on a canvas with more than one pixel per pixel.
import type { Print } from "../draw/theme.js";
import { describePng } from "./png.js";
import type { PictureWords } from "./svg/document.js";

const MOST_SCALE = 3;
/** What every browser still draws, in all and along one side. */
const MOST_PIXELS = 4096 * 4096;
const LONGEST_SIDE = 32_767;

/** As many pixels per pixel of the page as a canvas takes: a whole number, or less than one for a picture that is too large. */
export function scaleOf({ width, height }: Pick<Print, "width" | "height">): number {
  const most = Math.min(
    MOST_SCALE,
    Math.sqrt(MOST_PIXELS / (width * height)),
    LONGEST_SIDE / Math.max(width, height),
  );
  return most >= 1 ? Math.floor(most) : most;
}

export async function pngFile(
  print: Print,
  { title, description, record }: PictureWords,
  maker: string,
): Promise<Blob> {
  const scale = scaleOf(print);
  const canvas = new OffscreenCanvas(
    Math.floor(print.width * scale),
    Math.floor(print.height * scale),
  );
  const brush = canvas.getContext("2d");
  if (!brush) throw new TypeError("this browser gave no canvas to draw on");
  brush.scale(scale, scale);
  print.paint(brush);
  const drawn = await canvas.convertToBlob({ type: "image/png" });
  const png = new Uint8Array(await drawn.arrayBuffer());
  const texts = { Title: title, Description: description, Software: maker, Comment: record };
  return new Blob([describePng(png, texts, scale)], { type: "image/png" });
}
