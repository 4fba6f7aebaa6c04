import type { ColourScale } from "../../draw/colours.js";
import { cellPixels, rememberPixels } from "../../draw/matrix.js";
import type { Brush } from "../../draw/theme.js";
import { forgetWidths, widthOf } from "../../draw/text.js";

type CanvasBrush = Brush & Pick<CanvasRenderingContext2D, "clearRect">;

/** A matrix as an image of one pixel per cell; null without a 2D context or cells. */
export function cellImage(
  data: Float32Array,
  scale: ColourScale,
  rows: number,
  columns: number,
): OffscreenCanvas | null {
  if (rows === 0 || columns === 0 || typeof OffscreenCanvas === "undefined") return null;
  const pixels = cellPixels(data, scale);
  const image = new OffscreenCanvas(columns, rows);
  image.getContext("2d")?.putImageData(new ImageData(pixels, columns, rows), 0, 0);
  rememberPixels(image, { data: pixels, columns, rows });
  return image;
}

function resize(canvas: OffscreenCanvas | HTMLCanvasElement, width: number, height: number): void {
  // Setting a size clears the canvas and allocates it again, so only when it differs.
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

/** Clears a canvas of that many pixels and paints on it in CSS pixels. */
function paintScaled(
  brush: OffscreenCanvasRenderingContext2D,
  columns: number,
  rows: number,
  ratio: number,
  paint: (brush: CanvasBrush) => void,
): void {
  brush.clearRect(0, 0, columns, rows);
  brush.save();
  brush.setTransform(ratio, 0, 0, ratio, 0, 0);
  paint(brush);
  brush.restore();
}

/** An image that is painted once and drawn often. It reuses its canvas: a new one costs as much as painting. */
export class Picture {
  private canvas: OffscreenCanvas | null = null;

  /** Paints it again; null without a 2D context. */
  paint(
    width: number,
    height: number,
    ratio: number,
    paint: (brush: Brush) => void,
  ): OffscreenCanvas | null {
    if (typeof OffscreenCanvas === "undefined") return null;
    const columns = Math.max(1, Math.round(width * ratio));
    const rows = Math.max(1, Math.round(height * ratio));
    this.canvas ??= new OffscreenCanvas(columns, rows);
    resize(this.canvas, columns, rows);
    const brush = this.canvas.getContext("2d");
    if (brush) paintScaled(brush, columns, rows, ratio, paint);
    return this.canvas;
  }
}

/** Sizes and clears a canvas; its brush counts in CSS pixels. Null without a 2D context. */
export function sizedBrush(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  ratio: number,
): CanvasRenderingContext2D | null {
  resize(canvas, Math.round(width * ratio), Math.round(height * ratio));
  const brush = canvas.getContext("2d");
  brush?.setTransform(ratio, 0, 0, ratio, 0, 0);
  brush?.clearRect(0, 0, width, height);
  return brush;
}

/** One canvas off the page for all figures: making or resizing one is slow. */
let easel: OffscreenCanvas | null = null;
/** The easel shrinks when it has more than this many times the pixels of a picture. */
const MOST_SPARE = 4;

/** The easel, at least as large as the picture, so that a text that grows by a token does not resize it. */
function easelFor(columns: number, rows: number): OffscreenCanvas {
  easel ??= new OffscreenCanvas(columns, rows);
  if (easel.width * easel.height > MOST_SPARE * columns * rows) resize(easel, columns, rows);
  else resize(easel, Math.max(columns, easel.width), Math.max(rows, easel.height));
  return easel;
}

/**
 * Paints a canvas of the page by way of a canvas off the page: setting a font on a canvas in the page makes a browser lay
 * out all changes of the page first. Without an off-page canvas, it paints directly.
 */
export function paintCanvas(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  ratio: number,
  paint: (brush: CanvasBrush) => void,
): void {
  const shown = sizedBrush(canvas, width, height, ratio);
  if (!shown) return;
  const { width: columns, height: rows } = canvas;
  const behind =
    typeof OffscreenCanvas === "undefined" || columns * rows === 0 ? null : easelFor(columns, rows);
  const brush = behind?.getContext("2d");
  if (!behind || !brush) {
    paint(shown);
    return;
  }
  paintScaled(brush, columns, rows, ratio, paint);
  shown.save();
  shown.resetTransform();
  shown.drawImage(behind, 0, 0, columns, rows, 0, 0, columns, rows);
  shown.restore();
}

// The page's fonts load at any time.
if (typeof document !== "undefined" && "fonts" in document)
  document.fonts.addEventListener("loadingdone", forgetWidths);

let ruler: OffscreenCanvasRenderingContext2D | null = null;
/** The assumed width of a character, in font sizes, without a 2D context. */
const ASSUMED_CHARACTER = 0.55;

/** Measures text in a canvas font. */
export function measurer(font: string, size: number): (text: string) => number {
  if (typeof OffscreenCanvas !== "undefined") ruler ??= new OffscreenCanvas(1, 1).getContext("2d");
  const brush = ruler;
  if (!brush) return (text) => text.length * size * ASSUMED_CHARACTER;
  return (text) => widthOf(brush, font, text);
}
