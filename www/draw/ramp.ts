// Colour ramps as tables of 256 entries, so that painting a tensor is one
// lookup per cell. Mass is ink: on paper more is darker, on a dark ground lighter.
import { interpolateCividis, interpolateViridis } from "d3-scale-chromatic";
import type { Palette } from "../data/index.js";
import { labPath, light, rgbOf, type Rgb } from "./lab.js";

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
