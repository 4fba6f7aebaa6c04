import { interpolateCividis, interpolateViridis } from "d3-scale-chromatic";
import { LEAST_SCORE, type Palette } from "../data/index.js";
import { bytesOf, type Channels, channelsOf, labOf } from "./lab.js";

// Colour ramps are tables of 256 entries, so that painting a tensor is one lookup per cell. Larger
// numbers are darker on a light ground, lighter on a dark one.

export type Ground = "light" | "dark";
export const RAMP_STEPS = 256;
/** The entry after those of a ramp: a value without a colour. */
const BLANK = RAMP_STEPS;
export const CHANNELS = 4;

// Stops of nearly equal steps in CIE lightness.
const STOPS: Record<"blue" | "signed", Record<Ground, string[]>> = {
  blue: {
    light: ["#ffffff", "#cdd5f1", "#94a3df", "#5a6bb8", "#343f8a", "#1b1f59"],
    dark: ["#1c1d24", "#2a356b", "#3c55b4", "#6c86e2", "#aebcf4", "#f3f1fd"],
  },
  // Rust below zero, indigo above: distinct for every common kind of colour vision.
  signed: {
    light: ["#7c2d0a", "#b9623a", "#e5b193", "#ffffff", "#b3bfe9", "#5a6bb8", "#1b1f59"],
    dark: ["#ffd0b5", "#d9804f", "#7a4023", "#1c1d24", "#33468f", "#6c86e2", "#dfe4fd"],
  },
};

const ALLOWED: Record<Ground, string> = { light: "#94a3df", dark: "#3c55b4" };
const NAMED = { cividis: interpolateCividis, viridis: interpolateViridis };
const tables = new Map<string, Uint8ClampedArray>();

/** A ramp by name, computed once: a grid needs the same ramp for every head. */
function ramp(name: string, colours: () => (along: number) => Channels): Uint8ClampedArray {
  const bytes = tables.get(name) ?? new Uint8ClampedArray(RAMP_STEPS * CHANNELS);
  if (tables.has(name)) return bytes;
  const colour = colours();
  for (let step = 0; step < RAMP_STEPS; step++) {
    bytes.set([...colour(step / (RAMP_STEPS - 1)), 255], step * CHANNELS);
  }
  tables.set(name, bytes);
  return bytes;
}

const BLACK = { l: 0, a: 0, b: 0 };

/** The colours along straight lines in CIE L*a*b* (1976), in perceptually even steps. */
function throughStops(stops: readonly string[]): (along: number) => Channels {
  const points = stops.map(labOf);
  const last = points.length - 1;
  return (along) => {
    const at = Math.min(Math.floor(along * last), last - 1);
    const [from = BLACK, to = BLACK] = points.slice(at);
    const between = (one: number, other: number): number =>
      one + (along * last - at) * (other - one);
    return bytesOf({
      l: between(from.l, to.l),
      a: between(from.a, to.a),
      b: between(from.b, to.b),
    });
  };
}

export function rampOf(palette: Palette | "signed", ground: Ground): Uint8ClampedArray {
  const name = `${palette} ${ground}`;
  if (palette === "blue" || palette === "signed")
    return ramp(name, () => throughStops(STOPS[palette][ground]));
  const colour = NAMED[palette];
  return ramp(name, () => (along) => channelsOf(colour(ground === "light" ? 1 - along : along)));
}

export function rampSwatch(ramp: Uint8ClampedArray, colours: number): string[] {
  return Array.from({ length: colours }, (_, index) =>
    rampColour(ramp, Math.round((index * (RAMP_STEPS - 1)) / (colours - 1))),
  );
}

/** The written colours of each ramp, made once: a legend is painted with each picture. */
const writtenRamps = new WeakMap<Uint8ClampedArray, readonly string[]>();

/** The colours of a ramp, as a canvas and a style sheet read them. */
export function rampColours(ramp: Uint8ClampedArray): readonly string[] {
  const known = writtenRamps.get(ramp);
  if (known) return known;
  const colours = Array.from({ length: ramp.length / CHANNELS }, (_, step) =>
    written([...ramp.subarray(step * CHANNELS, step * CHANNELS + 3)]),
  );
  writtenRamps.set(ramp, colours);
  return colours;
}

export const rampColour = (ramp: Uint8ClampedArray, step: number): string =>
  rampColours(ramp)[step] ?? "";

export const written = (channels: readonly number[]): string => `rgb(${channels.join(", ")})`;

/** The CIE lightness of a colour, from 0 to 100; NaN for an unknown format. */
export function lightnessOf(css: string): number {
  return labOf(css).l;
}

/** The range of the numbers that have a colour, and the number of masked cells. */
export interface Extent {
  min: number;
  max: number;
  masked: number;
}

/** A scale from the numbers of a tensor to colours; picture and legend share it. */
export interface ColourScale {
  kind: "sequential" | "diverging";
  low: number;
  high: number;
  extent: Extent;
  ramp: Uint8ClampedArray;
  words?: (value: number) => string;
}

export function extentOf(data: Float32Array): Extent {
  let min = Infinity;
  let max = -Infinity;
  let masked = 0;
  // A plain loop without calls: with `stepsOf` it runs over every cell of every head at every key.
  for (const value of data) {
    if (value < LEAST_SCORE) masked++;
    else if (value < Infinity) {
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  return min > max ? { min: 0, max: 0, masked } : { min, max, masked };
}

/**
 * A scale that starts at zero, or for signed numbers is symmetric about zero, so that hue shows the
 * sign; wide enough for the numbers of another picture `beside`, to compare the two. A signed scale
 * reaches at least to `least`, so that rounding errors are not painted as large numbers.
 */
export function scaleOf(
  data: Float32Array,
  palette: Palette | "signed",
  ground: Ground,
  beside: Float32Array | null = null,
  least = 0,
): ColourScale {
  const { masked, ...own } = extentOf(data);
  const other = beside ? extentOf(beside) : own;
  const extent = { min: Math.min(own.min, other.min), max: Math.max(own.max, other.max), masked };
  const reach = Math.max(Math.abs(extent.min), Math.abs(extent.max), least);
  const ramp = rampOf(palette, ground);
  return palette === "signed"
    ? { kind: "diverging", low: -reach, high: reach, extent, ramp }
    : { kind: "sequential", low: 0, high: extent.max, extent, ramp };
}

export function uniformScale(data: Float32Array, ground: Ground): ColourScale {
  const colour = ramp(`allowed ${ground}`, () => () => channelsOf(ALLOWED[ground]));
  return { kind: "sequential", low: 0, high: 0, extent: extentOf(data), ramp: colour };
}

/** The ramp entry of a finite value; for a scale without width, its low end or zero. */
export function rampStep(scale: ColourScale, value: number): number {
  const width = scale.high - scale.low;
  if (!(width > 0)) return scale.kind === "diverging" ? RAMP_STEPS >> 1 : 0;
  const step = Math.round(((value - scale.low) / width) * (RAMP_STEPS - 1));
  return Math.min(RAMP_STEPS - 1, Math.max(0, step));
}

/**
 * The entry of a ramp for each value: that of `rampStep`, or `BLANK` for a value without a colour.
 * The loop calls no function for a value.
 */
export function stepsOf(
  { kind, low, high }: ColourScale,
  data: Float32Array | Float64Array,
): Uint16Array {
  const steps = new Uint16Array(data.length);
  const width = high - low;
  const last = RAMP_STEPS - 1;
  const flat = kind === "diverging" ? RAMP_STEPS >> 1 : 0;
  for (let index = 0; index < data.length; index += 1) {
    const value = data[index] ?? NaN;
    // Neither masked, nor infinite, nor NaN.
    if (!(value >= LEAST_SCORE && value < Infinity)) steps[index] = BLANK;
    else if (width > 0) {
      const step = Math.round(((value - low) / width) * last);
      steps[index] = step < 0 ? 0 : step > last ? last : step;
    } else steps[index] = flat;
  }
  return steps;
}
