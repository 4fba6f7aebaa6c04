import type { Palette, Tensor } from "../../data/index.js";
import { cellPixels } from "../../draw/matrix.js";
import {
  divergingScale,
  sequentialScale,
  type ColourScale,
  type Ground,
} from "../../draw/colours.js";
import { sizedBrush } from "../matrix/canvas.js";

/** Pixels between the edge of a cell and its picture, and its background. */
const EDGE = 2;
const RING = 1;
/** The opacity of an ablated head. */
export const FAINT = 0.22;
/** The largest canvas of every browser, in pixels and along one side. */
const MOST_PIXELS = 4096 * 4096;
const LONGEST_SIDE = 16_384;

interface Sheet {
  /** Shape `[layer, head, size, size]`. */
  thumbnails: Tensor;
  colours: Palette;
  ground: Ground;
  /** The background of a picture. */
  cell: string;
  ratio: number;
}

export interface ThumbnailPlace {
  /** Its index among all heads, layer by layer. */
  index: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The places of all pictures on the canvas. */
export interface ThumbnailRoom {
  width: number;
  height: number;
  places: readonly ThumbnailPlace[];
}

/** Reads the places of the pictures, for which a browser lays out the page. */
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
 * Paints all heads on one canvas: with a canvas and a layer for each, a browser would composite hundreds at every move of
 * the pointer.
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
    // Cells smaller than a pixel blend instead of vanishing.
    brush.imageSmoothingEnabled = columns > width * ratio;
    brush.globalAlpha = silenced.has(index) ? FAINT : 1;
    const [x, y] = [(index % heads) * (columns + 1), Math.floor(index / heads) * (rows + 1)];
    brush.drawImage(image, x, y, columns, rows, left + EDGE, top + EDGE, width, height);
    brush.globalAlpha = 1;
  }
}

/** The greatest pixel ratio that the largest canvas allows. */
function largestRatio({ width, height }: ThumbnailRoom): number {
  return Math.min(
    LONGEST_SIDE / Math.max(width, height, 1),
    Math.sqrt(MOST_PIXELS / Math.max(width * height, 1)),
  );
}

/** All heads in one image, one pixel per cell: layers down, heads across. */
interface Atlas {
  image: OffscreenCanvas;
  rows: number;
  columns: number;
  heads: number;
}

/**
 * One image for all heads, as drawing a small image takes as long as a large one. Transparent pixels separate the heads,
 * which would blend when scaled down. Null where there is nothing to draw.
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

/** The scale of a head of its own: a thumbnail shows the shape of a pattern. */
export function thumbnailScale(data: Float32Array, colours: Palette, ground: Ground): ColourScale {
  return anyBelowZero(data) ? divergingScale(data, ground) : sequentialScale(data, colours, ground);
}

/** A plain loop for speed: it runs over every head at every keystroke. */
function anyBelowZero(data: Float32Array): boolean {
  for (const value of data) if (value < 0) return true;
  return false;
}
