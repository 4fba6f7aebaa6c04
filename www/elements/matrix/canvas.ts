import type { Tensor } from "../../data/index.js";
import type { ColourScale } from "../../draw/colours.js";
import { cellPixels, imagePixels } from "../../draw/matrix.js";

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
