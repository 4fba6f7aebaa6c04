import type { Palette, Tensor } from "../../data/index.js";
import { scaleOf, type ColourScale, type Ground } from "../../draw/colours.js";
import { cellPixels, sizedBrush } from "../../draw/matrix.js";
import type { HeadDetail } from "../events.js";
import { mapOf, shownScale } from "../shared/zoom.js";

const EDGE = 2;
const RING = 1;
/** The opacity of an ablated head. */
export const FAINT = 0.22;
/** The largest canvas of all browsers, in pixels, and the longest side. */
const MOST_PIXELS = 4096 * 4096;
const LONGEST_SIDE = 16_384;

export interface RankedHead extends HeadDetail {
  note: string;
}

/** A head of the table, or of the list with its note. */
export type PlacedHead = HeadDetail & Partial<RankedHead>;

export const isSameHead = (one: HeadDetail | null, { layer, head }: HeadDetail): boolean =>
  one?.layer === layer && one.head === head;

/**
 * The heads of `order`, or all by layer. An order may be older than the thumbnails and name heads
 * that have no thumbnail.
 */
export function headsOf(
  [layers = 0, heads = 0]: readonly number[],
  order: readonly RankedHead[] | null,
): readonly PlacedHead[] {
  if (order) return order.filter(({ layer, head }) => layer < layers && head < heads);
  const all = Array.from({ length: layers * heads }, (_, at) => at);
  return all.map((at) => ({ layer: Math.floor(at / heads), head: at % heads }));
}

interface Sheet {
  /** The thumbnails, shape `[layer, head, size, size]`. */
  thumbnails: Tensor;
  colours: Palette;
  ground: Ground;
  cell: string;
  ratio: number;
}

/** A canvas, and the places of the pictures on it by the index of the head. */
interface Room {
  width: number;
  height: number;
  places: readonly { index: number; x: number; y: number; width: number; height: number }[];
}

interface ShownHead {
  element: HTMLElement;
  index: number;
}

/**
 * The places of all pictures on the canvas, by the index of the head; reading them makes the
 * browser lay out the page.
 */
export function thumbnailRoom(canvas: HTMLCanvasElement, heads: readonly ShownHead[]): Room {
  const map = mapOf(canvas);
  if (map && (map.b !== 0 || map.c !== 0 || map.a !== map.d)) return turnedRoom(canvas, heads, map);
  const from = canvas.getBoundingClientRect();
  const own = 1 / shownScale(canvas);
  const places = heads.map(({ element, index }) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const left = (x - from.x) * own;
    return { index, x: left, y: (y - from.y) * own, width: width * own, height: height * own };
  });
  return { width: from.width * own, height: from.height * own, places };
}

/** The places of all pictures on a turned canvas; each head lies about the middle of its box. */
function turnedRoom(canvas: HTMLCanvasElement, heads: readonly ShownHead[], map: DOMMatrix): Room {
  const back = map.inverse();
  const places = heads.map(({ element, index }) => {
    const { x, y, width: across, height: down } = element.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = element;
    const middle = back.transformPoint({ x: x + across / 2, y: y + down / 2 });
    return { index, x: middle.x - width / 2, y: middle.y - height / 2, width, height };
  });
  return { width: canvas.offsetWidth, height: canvas.offsetHeight, places };
}

/**
 * Paints all heads on one canvas: with a canvas and a layer for each, a browser would composite
 * hundreds at every move of the pointer.
 */
export function paintThumbnails(
  canvas: HTMLCanvasElement,
  { width, height, places }: Room,
  ablated: ReadonlySet<number>,
  sheet: Sheet,
): void {
  const longest = LONGEST_SIDE / Math.max(width, height, 1);
  const largest = Math.sqrt(MOST_PIXELS / Math.max(width * height, 1));
  const ratio = Math.min(sheet.ratio, longest, largest);
  const brush = sizedBrush(canvas, width, height, ratio);
  if (!brush) return;
  const atlas = atlasOf(sheet);
  const snap = (length: number): number => Math.round(length * ratio) / ratio;
  for (const { index, ...place } of places) {
    const left = snap(place.x);
    const top = snap(place.y);
    const across = snap(place.x + place.width) - left;
    const down = snap(place.y + place.height) - top;
    brush.fillStyle = sheet.cell;
    brush.fillRect(left + RING, top + RING, across - 2 * RING, down - 2 * RING);
    const wide = across - 2 * EDGE;
    const high = down - 2 * EDGE;
    if (!atlas || wide <= 0 || high <= 0) continue;
    const { image, rows, columns, heads } = atlas;
    // Cells smaller than a pixel blend instead of vanishing.
    brush.imageSmoothingEnabled = columns > wide * ratio;
    brush.globalAlpha = ablated.has(index) ? FAINT : 1;
    const x = (index % heads) * (columns + 1);
    const y = Math.floor(index / heads) * (rows + 1);
    brush.drawImage(image, x, y, columns, rows, left + EDGE, top + EDGE, wide, high);
    brush.globalAlpha = 1;
  }
}

/**
 * One image of all heads, one pixel per cell, layers down and heads across: drawing a small image
 * takes as long as a large one. Transparent pixels separate the heads, which would blend when
 * scaled down. Null if there is nothing to draw.
 */
function atlasOf({ thumbnails, colours, ground }: Sheet) {
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

/** The colour scale of a single head: a thumbnail shows the shape of a pattern. */
export function thumbnailScale(data: Float32Array, colours: Palette, ground: Ground): ColourScale {
  // A plain loop for speed: it runs over every head at every keystroke.
  for (const value of data) if (value < 0) return scaleOf(data, "signed", ground);
  return scaleOf(data, colours, ground);
}
