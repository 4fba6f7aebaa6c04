// A matrix as pixels, one per cell: the browser enlarges it, so painting costs
// the same whatever the size on the screen.
import { rampStep, type ColourScale } from "./scale.js";

const CHANNELS = 4;

/** RGBA bytes of `data` under `scale`; a cell that is not finite stays transparent. */
export function cellPixels(data: Float32Array, scale: ColourScale): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(data.length * CHANNELS);
  const words = new Uint32Array(pixels.buffer);
  const ramp = new Uint32Array(scale.ramp.slice().buffer);
  data.forEach((value, index) => {
    if (Number.isFinite(value)) words[index] = ramp[rampStep(scale, value)] ?? 0;
  });
  return pixels;
}
