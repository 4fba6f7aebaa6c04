import type { ColourScale } from "../../draw/colours.js";
import { cellPixels, rememberPixels } from "../../draw/matrix.js";
import type { Brush } from "../../draw/theme.js";
import { forgetWidths, widthOf } from "../../draw/text.js";

/** The brush of a canvas, which can take back what it drew. */
export type CanvasBrush = Brush & Pick<CanvasRenderingContext2D, "clearRect">;

/** The matrix itself as a picture of one pixel per cell; null where the browser cannot draw or there is no cell. */
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

/** What is painted once and shown often. The canvas stays the same one: to have another is as dear as to paint it. */
export class Picture {
  private canvas: OffscreenCanvas | null = null;

  /** Paints it anew; null where the browser cannot draw. */
  paint(
    width: number,
    height: number,
    ratio: number,
    paint: (brush: Brush) => void,
  ): OffscreenCanvas | null {
    if (typeof OffscreenCanvas === "undefined") return null;
    const [columns, rows] = [
      Math.max(1, Math.round(width * ratio)),
      Math.max(1, Math.round(height * ratio)),
    ];
    this.canvas ??= new OffscreenCanvas(columns, rows);
    const { canvas } = this;
    if (canvas.width !== columns) canvas.width = columns;
    if (canvas.height !== rows) canvas.height = rows;
    const brush = canvas.getContext("2d");
    if (!brush) return canvas;
    brush.clearRect(0, 0, columns, rows);
    brush.save();
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(brush);
    brush.restore();
    return canvas;
  }
}

/** Sizes a canvas for the screen and hands out a brush that counts in CSS pixels; null without a 2D context. */
export function sizedBrush(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  ratio: number,
): CanvasRenderingContext2D | null {
  const deviceWidth = Math.round(width * ratio);
  const deviceHeight = Math.round(height * ratio);
  // Setting a size clears the canvas and allocates it anew, so only when it differs.
  if (canvas.width !== deviceWidth) canvas.width = deviceWidth;
  if (canvas.height !== deviceHeight) canvas.height = deviceHeight;
  const brush = canvas.getContext("2d");
  brush?.setTransform(ratio, 0, 0, ratio, 0, 0);
  brush?.clearRect(0, 0, width, height);
  return brush;
}

/** One for all figures: to make another, or to size it anew, is dear. */
let easel: OffscreenCanvas | null = null;
/** How many times the pixels of a picture it may have: a smaller one is painted in its corner. */
const MOST_SPARE = 4;

/** The easel, at least as large as a picture: of a text that grows by a token, the next picture finds it large enough. */
function easelFor(columns: number, rows: number): OffscreenCanvas {
  easel ??= new OffscreenCanvas(columns, rows);
  const [spare, small] = [
    easel.width * easel.height > MOST_SPARE * columns * rows,
    easel.width < columns || easel.height < rows,
  ];
  if (spare || small) {
    const [across, down] = spare
      ? [columns, rows]
      : [Math.max(columns, easel.width), Math.max(rows, easel.height)];
    if (easel.width !== across) easel.width = across;
    if (easel.height !== down) easel.height = down;
  }
  return easel;
}

/**
 * Paints a canvas of the page, anew. Off the page, and then handed over in one: to choose a font on a canvas that is in
 * the page, a browser first lays out whatever has changed in it. Where it cannot, at once.
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
  if (typeof OffscreenCanvas === "undefined" || canvas.width * canvas.height === 0) {
    paint(shown);
    return;
  }
  const { width: columns, height: rows } = canvas;
  const behind = easelFor(columns, rows);
  const brush = behind.getContext("2d");
  if (!brush) {
    paint(shown);
    return;
  }
  brush.clearRect(0, 0, columns, rows);
  brush.save();
  brush.setTransform(ratio, 0, 0, ratio, 0, 0);
  paint(brush);
  brush.restore();
  shown.save();
  shown.resetTransform();
  shown.drawImage(behind, 0, 0, columns, rows, 0, 0, columns, rows);
  shown.restore();
}

// A page's own fonts come when they come.
if (typeof document !== "undefined" && "fonts" in document)
  document.fonts.addEventListener("loadingdone", forgetWidths);

let ruler: OffscreenCanvasRenderingContext2D | null = null;
/** A rough width per character, for where no text can be measured. */
const ASSUMED_CHARACTER = 0.55;

/** Measures text in a canvas font. */
export function measurer(font: string, size: number): (text: string) => number {
  if (typeof OffscreenCanvas !== "undefined") ruler ??= new OffscreenCanvas(1, 1).getContext("2d");
  const brush = ruler;
  if (!brush) return (text) => text.length * size * ASSUMED_CHARACTER;
  return (text) => widthOf(brush, font, text);
}
