import type { Tensor } from "../../data/index.js";
import type { ColourScale } from "../../draw/colours.js";
import { cellPixels, imagePixels } from "../../draw/matrix.js";
import type { Brush } from "../../draw/theme.js";

type Cells = Pick<Tensor, "data" | "shape">;

/** A matrix as an image of one pixel per cell; null without a 2D context or cells. */
export function cellImage(matrix: Cells, scale: ColourScale): OffscreenCanvas | null {
  const [rows = 0, columns = 0] = matrix.shape;
  if (rows === 0 || columns === 0 || typeof OffscreenCanvas === "undefined") return null;
  const pixels = cellPixels(matrix.data, scale);
  const image = new OffscreenCanvas(columns, rows);
  image.getContext("2d")?.putImageData(new ImageData(pixels, columns, rows), 0, 0);
  imagePixels.set(image, { data: pixels, columns, rows });
  return image;
}

/** Sizes and clears a canvas; its brush counts in CSS pixels. Null without a 2D context. */
export function sizedBrush(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  ratio: number,
): CanvasRenderingContext2D | null {
  const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
  // Setting a size allocates a canvas again, so only when it differs.
  if (canvas.width !== columns) canvas.width = columns;
  if (canvas.height !== rows) canvas.height = rows;
  const brush = canvas.getContext("2d");
  brush?.setTransform(ratio, 0, 0, ratio, 0, 0);
  brush?.clearRect(0, 0, width, height);
  return brush;
}

/**
 * A picture off the page that is painted once and drawn often: setting a font on a canvas in the page makes a browser lay
 * out all changes of the page first. Its canvas only grows, since a new or resized one costs as much as painting.
 */
export class Picture {
  private canvas: OffscreenCanvas | null = null;

  /** Paints it again, in CSS pixels; returns what draws it, or null without a 2D context. */
  paint(
    width: number,
    height: number,
    ratio: number,
    paint: (brush: Brush) => void,
  ): ((brush: CanvasRenderingContext2D) => void) | null {
    const columns = Math.max(1, Math.round(width * ratio));
    const rows = Math.max(1, Math.round(height * ratio));
    if (typeof OffscreenCanvas === "undefined") return null;
    const canvas = (this.canvas ??= new OffscreenCanvas(columns, rows));
    if (canvas.width < columns) canvas.width = columns;
    if (canvas.height < rows) canvas.height = rows;
    const brush = canvas.getContext("2d");
    if (!brush) return null;
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.clearRect(0, 0, columns, rows);
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(brush);
    return (shown) => {
      // Pixel by pixel, which keeps it sharp where the size is no whole number of pixels.
      shown.save();
      shown.resetTransform();
      shown.drawImage(canvas, 0, 0, columns, rows, 0, 0, columns, rows);
      shown.restore();
    };
  }
}
