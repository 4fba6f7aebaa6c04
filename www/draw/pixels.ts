// A matrix as pixels, one per cell: the browser enlarges it, so painting costs
// the same whatever the size on the screen.
import { isDrawn } from "../data/index.js";
import { rampStep, type ColourScale } from "./scale.js";

const CHANNELS = 4;

/** RGBA bytes of `data` under `scale`; a cell without a number to draw stays transparent. */
export function cellPixels(data: Float32Array, scale: ColourScale): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(data.length * CHANNELS);
  const words = new Uint32Array(pixels.buffer);
  const ramp = new Uint32Array(scale.ramp.slice().buffer);
  // Counted by hand: this is asked for every cell of every head, at every keystroke.
  for (let index = 0; index < data.length; index += 1) {
    const value = data[index] ?? NaN;
    if (isDrawn(value)) words[index] = ramp[rampStep(scale, value)] ?? 0;
  }
  return pixels;
}

/** A picture of one pixel per cell, as numbers. */
export interface CellPixels {
  data: Uint8ClampedArray<ArrayBuffer>;
  columns: number;
  rows: number;
  /** Whether it is one of many, whose cells all together are too many for a file that has a shape for each. */
  amongMany?: boolean;
}

// Reading an image back from a canvas may be forbidden, or answered with noise against fingerprints.
const known = new WeakMap<CanvasImageSource, CellPixels>();

/** Remembers what an image was made of, for whoever has to write it down instead of drawing it. */
export function rememberPixels(image: CanvasImageSource, pixels: CellPixels): void {
  known.set(image, pixels);
}

/** What an image was made of, if it was remembered. */
export function pixelsOf(image: CanvasImageSource): CellPixels | undefined {
  return known.get(image);
}
