// From a tensor's numbers to colours: the range is always read from the data
// shown, so a legend drawn from the same scale cannot disagree with the picture.
import { isDrawn, isForbidden, type Palette } from "../data/index.js";
import { RAMP_STEPS, divergingRamp, sequentialRamp, uniformRamp, type Ground } from "./ramp.js";

/** The numbers of a tensor that have a colour; `masked` counts the forbidden cells beside them. */
export interface Extent {
  min: number;
  max: number;
  masked: number;
}

export interface ColourScale {
  kind: "sequential" | "diverging";
  /** The values at the two ends of the ramp. */
  low: number;
  high: number;
  extent: Extent;
  ramp: Uint8ClampedArray;
  /** How its numbers read, where three decimals would not do. */
  words?: (value: number) => string;
}

/** Smallest and largest of them; 0 and 0 when there is none. */
export function extentOf(data: Float32Array): Extent {
  let min = Infinity;
  let max = -Infinity;
  let masked = 0;
  for (const value of data) {
    if (isForbidden(value)) masked++;
    if (!isDrawn(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min > max ? { min: 0, max: 0, masked } : { min, max, masked };
}

/** For weights: from 0 to the largest one. */
export function sequentialScale(data: Float32Array, palette: Palette, ground: Ground): ColourScale {
  const extent = extentOf(data);
  return {
    kind: "sequential",
    low: 0,
    high: extent.max,
    extent,
    ramp: sequentialRamp(palette, ground),
  };
}

/** For signed numbers: the same distance on both sides of zero, so hue tells the sign. */
export function divergingScale(data: Float32Array, ground: Ground): ColourScale {
  const extent = extentOf(data);
  const reach = Math.max(Math.abs(extent.min), Math.abs(extent.max));
  return { kind: "diverging", low: -reach, high: reach, extent, ramp: divergingRamp(ground) };
}

/** The same scale, wide enough for the numbers of another picture: the two can be held against each other. */
export function sharedScale(scale: ColourScale, beside: Float32Array): ColourScale {
  const other = extentOf(beside);
  const extent = {
    min: Math.min(scale.extent.min, other.min),
    max: Math.max(scale.extent.max, other.max),
    masked: scale.extent.masked,
  };
  if (scale.kind === "sequential") return { ...scale, high: extent.max, extent };
  const reach = Math.max(Math.abs(extent.min), Math.abs(extent.max));
  return { ...scale, low: -reach, high: reach, extent };
}

/** One colour for every finite value: a mask only tells allowed from forbidden. */
export function uniformScale(data: Float32Array, ground: Ground): ColourScale {
  return { kind: "sequential", low: 0, high: 0, extent: extentOf(data), ramp: uniformRamp(ground) };
}

/** The ramp entry of a finite value. A scale without width shows its low end, or zero's colour. */
export function rampStep(scale: ColourScale, value: number): number {
  const width = scale.high - scale.low;
  if (!(width > 0)) return scale.kind === "diverging" ? RAMP_STEPS >> 1 : 0;
  const step = Math.round(((value - scale.low) / width) * (RAMP_STEPS - 1));
  return Math.min(RAMP_STEPS - 1, Math.max(0, step));
}
