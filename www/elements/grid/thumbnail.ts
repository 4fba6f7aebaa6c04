import type { Palette, Tensor } from "../../data/index.js";
import { cellPixels } from "../../draw/pixels.js";
import { divergingScale, sequentialScale } from "../../draw/scale.js";
import type { Ground } from "../../draw/ramp.js";

/** Draws the `index`th head, one pixel per cell. Each head has a scale of its own: shape is what a thumbnail shows. */
export function paintThumbnail(
  canvas: HTMLCanvasElement,
  thumbnails: Tensor,
  index: number,
  colours: Palette,
  ground: Ground,
): void {
  const [, , rows = 0, columns = 0] = thumbnails.shape;
  const data = thumbnails.data.subarray(index * rows * columns, (index + 1) * rows * columns);
  const brush = canvas.getContext("2d");
  if (!brush || data.length === 0) return;
  canvas.width = columns;
  canvas.height = rows;
  // Enlarged cells stay sharp; where there is less than a pixel for each, they blend instead of vanishing.
  const room = canvas.clientWidth * devicePixelRatio;
  canvas.style.imageRendering = columns > room ? "auto" : "pixelated";
  const signed = data.some((value) => value < 0);
  const scale = signed ? divergingScale(data, ground) : sequentialScale(data, colours, ground);
  brush.putImageData(new ImageData(cellPixels(data, scale), columns, rows), 0, 0);
}
