import { lch } from "d3-color";
import { interpolateCividis, interpolateViridis } from "d3-scale-chromatic";
import { type Palette, isDrawn, isForbidden } from "../data/index.js";

// Colour ramps as tables of 256 entries, so that painting a tensor is one
// lookup per cell. Mass is ink: on paper more is darker, on a dark ground lighter.

export type Ground = "light" | "dark";
type Interpolator = (t: number) => Rgb;

export const RAMP_STEPS = 256;
const CHANNELS = 4;

// Stops of nearly equal steps in CIE lightness, from the bare cell to the full weight.
const INDIGO: Record<Ground, string[]> = {
  light: ["#ffffff", "#cdd5f1", "#94a3df", "#5a6bb8", "#343f8a", "#1b1f59"],
  dark: ["#1c1d24", "#2a356b", "#3c55b4", "#6c86e2", "#aebcf4", "#f3f1fd"],
};

// Rust below zero, indigo above: told apart by every common kind of colour vision.
const SIGNED: Record<Ground, string[]> = {
  light: ["#7c2d0a", "#b9623a", "#e5b193", "#ffffff", "#b3bfe9", "#5a6bb8", "#1b1f59"],
  dark: ["#ffd0b5", "#d9804f", "#7a4023", "#1c1d24", "#33468f", "#6c86e2", "#dfe4fd"],
};

const ALLOWED: Record<Ground, string> = { light: "#94a3df", dark: "#3c55b4" };

const named: Record<"cividis" | "viridis", Interpolator> = {
  cividis: (t) => solid(interpolateCividis(t).replaceAll(/,(?! )/g, ", ")),
  viridis: (t) => solid(interpolateViridis(t)),
};

/** What is known to be a colour. */
function solid(css: string): Rgb {
  return rgbOf(css) ?? [0, 0, 0];
}

function table(colour: Interpolator): Uint8ClampedArray {
  const bytes = new Uint8ClampedArray(RAMP_STEPS * CHANNELS);
  for (let step = 0; step < RAMP_STEPS; step++) {
    bytes.set([...colour(step / (RAMP_STEPS - 1)), 255], step * CHANNELS);
  }
  return bytes;
}

const tables = new Map<string, Uint8ClampedArray>();

/** A ramp by its name, worked out once: a grid asks for the same one for every head, at every keystroke. */
function kept(name: string, colour: () => Interpolator): Uint8ClampedArray {
  const known = tables.get(name);
  if (known) return known;
  const made = table(colour());
  tables.set(name, made);
  return made;
}

/** From nothing to everything. */
export function sequentialRamp(palette: Palette, ground: Ground): Uint8ClampedArray {
  return kept(`${palette} ${ground}`, () => {
    if (palette === "blue") return labPath(INDIGO[ground]);
    const colour = named[palette];
    return ground === "light" ? (t) => colour(1 - t) : colour;
  });
}

/** From most negative to most positive, with zero in the middle. */
export function divergingRamp(ground: Ground): Uint8ClampedArray {
  return kept(`signed ${ground}`, () => labPath(SIGNED[ground]));
}

/** The colour of an allowed cell, throughout. */
export function uniformRamp(ground: Ground): Uint8ClampedArray {
  return kept(`allowed ${ground}`, () => () => solid(ALLOWED[ground]));
}

/** A ramp in a few colours, from nothing to everything. */
export function rampSwatch(ramp: Uint8ClampedArray, colours: number): string[] {
  return Array.from({ length: colours }, (_, index) =>
    rampColour(ramp, Math.round((index * (RAMP_STEPS - 1)) / (colours - 1))),
  );
}

/** One entry of a ramp as a CSS colour. */
export function rampColour(ramp: Uint8ClampedArray, step: number): string {
  const at = step * CHANNELS;
  return `rgb(${String(ramp[at])}, ${String(ramp[at + 1])}, ${String(ramp[at + 2])})`;
}

/** The luminance that black and white stand out from alike (WCAG 2.2, "contrast ratio"). */
const MIDDLE_LUMINANCE = 0.179;

/** The ink, black or white, that can be read on an entry of a ramp: never less than 4.5 to 1. */
export function rampInk(ramp: Uint8ClampedArray, step: number): "#000000" | "#ffffff" {
  const [red = 0, green = 0, blue = 0] = Array.from(
    ramp.subarray(step * CHANNELS, step * CHANNELS + 3),
    light,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > MIDDLE_LUMINANCE ? "#000000" : "#ffffff";
}

// Colours as numbers, and a way from one to the next that the eye takes for even: straight in CIE L*a*b* (1976), with the
// white of D50 and the matrices of CSS Color 4, section 10. The first screen needs no more of a colour library than this.

/** Red, green and blue in sRGB, from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];
/** Lightness from 0 to 100; green to red; blue to yellow. */
type Lab = readonly [lightness: number, a: number, b: number];

const WHITE = [0.96422, 1, 0.82521] as const;
/** Where the cube root gives way to a straight line, and that line. */
const KNEE = 6 / 29;
const SLOPE = 3 * KNEE ** 2;
const FOOT = 4 / 29;

/** What a computed style says of a colour, or its six hexadecimal digits; null for anything else, and for what is not seen. */
export function rgbOf(css: string): Rgb | null {
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(css);
  if (hex) return [Number(`0x${hex[1]}`), Number(`0x${hex[2]}`), Number(`0x${hex[3]}`)];
  const numbers = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(css);
  return numbers && Number(numbers[4] ?? 1) > 0
    ? [Number(numbers[1]), Number(numbers[2]), Number(numbers[3])]
    : null;
}

/** How light a colour is, from 0 to 100; NaN where that cannot be told. */
export function lightnessOf(css: string): number {
  const colour = rgbOf(css);
  return colour ? labOf(colour)[0] : NaN;
}

/** Through these colours in equal steps, given by their hexadecimal digits; from 0 to 1. */
export function labPath(colours: readonly string[]): (along: number) => Rgb {
  const stops = colours.map((colour) => labOf(rgbOf(colour) ?? [0, 0, 0]));
  const last = stops.length - 2;
  return (along) => {
    const place = along * (last + 1);
    const at = Math.max(0, Math.min(last, Math.floor(place)));
    const [from, to] = [stops[at] ?? [0, 0, 0], stops[at + 1] ?? [0, 0, 0]];
    const between = (axis: 0 | 1 | 2): number =>
      from[axis] + (place - at) * (to[axis] - from[axis]);
    return fromLab([between(0), between(1), between(2)]);
  };
}

function labOf(colour: Rgb): Lab {
  const [red, green, blue] = [light(colour[0]), light(colour[1]), light(colour[2])];
  const y = bent(0.2225045 * red + 0.7168786 * green + 0.0606169 * blue);
  // Grey has no hue, not even by rounding.
  const grey = red === green && green === blue;
  const x = grey ? y : bent((0.4360747 * red + 0.3850649 * green + 0.1430804 * blue) / WHITE[0]);
  const z = grey ? y : bent((0.0139322 * red + 0.0971045 * green + 0.7141733 * blue) / WHITE[2]);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function fromLab([lightness, a, b]: Lab): Rgb {
  const middle = (lightness + 16) / 116;
  const [x, y, z] = [
    WHITE[0] * straight(middle + a / 500),
    WHITE[1] * straight(middle),
    WHITE[2] * straight(middle - b / 200),
  ];
  return [
    channel(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
    channel(-0.9787684 * x + 1.9161415 * y + 0.033454 * z),
    channel(0.0719453 * x - 0.2289914 * y + 1.4052427 * z),
  ];
}

/** A channel of sRGB as light. */
export function light(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** Light as a channel of sRGB. */
function channel(amount: number): number {
  const share = amount <= 0.0031308 ? 12.92 * amount : 1.055 * amount ** (1 / 2.4) - 0.055;
  return Math.max(0, Math.min(255, Math.round(255 * share)));
}

function bent(amount: number): number {
  return amount > KNEE ** 3 ? Math.cbrt(amount) : amount / SLOPE + FOOT;
}

function straight(value: number): number {
  return value > KNEE ? value ** 3 : SLOPE * (value - FOOT);
}

// From a tensor's numbers to colours: the range is always read from the data
// shown, so a legend drawn from the same scale cannot disagree with the picture.

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

// Hues that tell heads apart. They repeat no name: whoever uses one writes the head's number beside it.

/** Of one lightness each, far enough from the ground to be seen as a thin line. */
const LIGHTNESS: Record<Ground, number> = { light: 46, dark: 70 };
const CHROMA = 58;
/** The indigo of all other pictures. */
const FIRST_HUE = 285;

/** The colour of one of `count` heads: equal steps around the circle. */
export function headHue(head: number, count: number, ground: Ground): string {
  return lch(
    LIGHTNESS[ground],
    CHROMA,
    (FIRST_HUE + (360 * head) / Math.max(1, count)) % 360,
  ).formatRgb();
}
