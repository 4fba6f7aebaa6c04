import type { Palette, Tensor } from "../../data/index.js";
import { cellPixels } from "../../draw/matrix.js";
import {
  divergingScale,
  sequentialScale,
  type ColourScale,
  type Ground,
} from "../../draw/colours.js";
import { sizedBrush } from "../matrix/canvas.js";

/** Pixels between a cell's edge and its picture, and those that leave its round corners free. */
const EDGE = 2;
const RING = 1;
/** How much of its picture a silenced head keeps. */
export const FAINT = 0.22;
/** What every browser still draws on one canvas, in all and along one side. */
const MOST_PIXELS = 4096 * 4096;
const LONGEST_SIDE = 16_384;

interface Sheet {
  /** Shape `[layer, head, size, size]`. */
  thumbnails: Tensor;
  colours: Palette;
  ground: Ground;
  /** What is under a picture. */
  cell: string;
  ratio: number;
}

export interface ThumbnailPlace {
  /** Its place in a list of all heads, layer by layer. */
  index: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The room for all pictures, and where in it each of them belongs. */
export interface ThumbnailRoom {
  width: number;
  height: number;
  places: readonly ThumbnailPlace[];
}

/** Reads where the pictures belong: for that a browser lays out the whole page. */
export function thumbnailRoom(
  canvas: HTMLCanvasElement,
  heads: readonly { element: Element; index: number }[],
): ThumbnailRoom {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const places = heads.map(({ element, index }) => {
    const place = element.getBoundingClientRect();
    return {
      index,
      left: place.left - left,
      top: place.top - top,
      right: place.right - left,
      bottom: place.bottom - top,
    };
  });
  return { width, height, places };
}

/**
 * Draws every head in its place, all on one canvas: a canvas for each would be a layer for each, and a browser puts
 * all of them together anew at every move of the pointer.
 */
export function paintThumbnails(
  canvas: HTMLCanvasElement,
  room: ThumbnailRoom,
  silenced: ReadonlySet<number>,
  sheet: Sheet,
): void {
  const ratio = Math.min(sheet.ratio, largestRatio(room));
  const brush = sizedBrush(canvas, room.width, room.height, ratio);
  if (!brush) return;
  const atlas = atlasOf(sheet);
  const snapped = (length: number): number => Math.round(length * ratio) / ratio;
  for (const { index, ...place } of room.places) {
    const [left, top] = [snapped(place.left), snapped(place.top)];
    const [across, down] = [snapped(place.right) - left, snapped(place.bottom) - top];
    brush.fillStyle = sheet.cell;
    brush.fillRect(left + RING, top + RING, across - 2 * RING, down - 2 * RING);
    const [width, height] = [across - 2 * EDGE, down - 2 * EDGE];
    if (!atlas || width <= 0 || height <= 0) continue;
    const { image, rows, columns, heads } = atlas;
    // Enlarged cells stay sharp; where there is less than a pixel for each, they blend instead of vanishing.
    brush.imageSmoothingEnabled = columns > width * ratio;
    brush.globalAlpha = silenced.has(index) ? FAINT : 1;
    const [x, y] = [(index % heads) * (columns + 1), Math.floor(index / heads) * (rows + 1)];
    brush.drawImage(image, x, y, columns, rows, left + EDGE, top + EDGE, width, height);
    brush.globalAlpha = 1;
  }
}

/** As sharp as a browser's largest canvas allows: a list of very many heads is better blurred than gone. */
function largestRatio({ width, height }: ThumbnailRoom): number {
  return Math.min(
    LONGEST_SIDE / Math.max(width, height, 1),
    Math.sqrt(MOST_PIXELS / Math.max(width * height, 1)),
  );
}

/** All heads as they stand in a model, one pixel per cell: layers down, heads across. */
interface Atlas {
  image: OffscreenCanvas;
  rows: number;
  columns: number;
  heads: number;
}

/**
 * One image for all heads: a browser takes as long to hand over a small one as a large one. Free pixels part them, which a
 * head that is made smaller would blend into otherwise. Null where there is nothing to draw.
 */
function atlasOf({ thumbnails, colours, ground }: Sheet): Atlas | null {
  const [layers = 0, heads = 0, rows = 0, columns = 0] = thumbnails.shape;
  const count = rows * columns;
  if (layers * heads * count === 0 || typeof OffscreenCanvas === "undefined") return null;
  const width = heads * (columns + 1);
  const image = new OffscreenCanvas(width, layers * (rows + 1));
  const pixels = new ImageData(image.width, image.height);
  const words = new Uint32Array(pixels.data.buffer);
  for (let index = 0; index < layers * heads; index += 1) {
    const data = thumbnails.data.subarray(index * count, (index + 1) * count);
    const own = new Uint32Array(cellPixels(data, thumbnailScale(data, colours, ground)).buffer);
    const corner = Math.floor(index / heads) * (rows + 1) * width + (index % heads) * (columns + 1);
    for (let row = 0; row < rows; row += 1)
      words.set(own.subarray(row * columns, (row + 1) * columns), corner + row * width);
  }
  image.getContext("2d")?.putImageData(pixels, 0, 0);
  return { image, rows, columns, heads };
}

/** Each head has a scale of its own: shape is what a thumbnail shows. */
export function thumbnailScale(data: Float32Array, colours: Palette, ground: Ground): ColourScale {
  return anyBelowZero(data) ? divergingScale(data, ground) : sequentialScale(data, colours, ground);
}

/** By a plain loop: it is asked of every head, at every keystroke. */
function anyBelowZero(data: Float32Array): boolean {
  for (const value of data) if (value < 0) return true;
  return false;
}
