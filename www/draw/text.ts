import { directionOf } from "../data/index.js";
import { formatFixed, formatNumber } from "../i18n/index.js";
import type { Brush } from "./theme.js";

/** Words of the page itself, beside or above a picture: written from the left in every language of a page around it, at the middle of their line. */
export function beginWords(brush: Brush, font: string, ink: string): void {
  brush.direction = "ltr";
  brush.textAlign = "left";
  brush.textBaseline = "middle";
  brush.font = font;
  brush.fillStyle = ink;
}

/** A token, or another text that is not the page's own, in the direction that it is read in; where it hangs is left or right of the place, as ever. */
export function writeLabel(brush: Brush, text: string, x: number, y: number): void {
  brush.direction = directionOf(text);
  brush.fillText(text, x, y);
  brush.direction = "ltr";
}

// Numbers as the figures print them.

/** Below this, three decimals would print zeros only. */
const SMALLEST_FIXED = 0.0005;
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Three decimals; very small numbers keep two digits, an exact zero is plain, a masked cell reads −∞, no number is a dash. */
export function formatValue(value: number): string {
  if (value === 0) return "0";
  if (Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size >= SMALLEST_FIXED) return formatFixed(value);
  const [digits = "", exponent = ""] = size.toExponential(1).split("e-");
  return `${value < 0 ? "−" : ""}${digits} × 10⁻${raised(exponent)}`;
}

/** The digits of an exponent. */
export function raised(exponent: string): string {
  return exponent.replace(/\d/g, (digit) => RAISED[Number(digit)] ?? "");
}

// Numbers of any size, as curves and the tables beside them print them.

/** From here on a number is written as a power of ten. */
const LARGE = 1e6;
/** From here on three decimals say more than anybody reads. */
const COARSE = 100;
/** Below this the steps of an axis are no decimals that anybody counts. */
const FINE = 1e-4;

/** A number of any size in few signs: whole up to a million, then as a power of ten. */
export function largeWords(value: number): string {
  if (value < LARGE) return formatNumber(value);
  const power = Math.floor(Math.log10(value) + 1e-12);
  return `${formatNumber(value / 10 ** power, 2)} × 10${raised(String(power))}`;
}

/** A power of ten as it stands at an axis. */
export function powerWords(value: number): string {
  return `10${raised(String(Math.round(Math.log10(value))).replace("-", "⁻"))}`;
}

/** What a line is at a place, whatever it is of. */
export function readingWords(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || size < COARSE) return formatValue(value);
  return size < LARGE ? formatNumber(value, 1) : `${value < 0 ? "−" : ""}${largeWords(size)}`;
}

/** Where something is on an axis: places that are counted are whole. */
export function placeWords(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < LARGE
    ? formatNumber(value)
    : readingWords(value);
}

/** The numbers at a linear axis, with as many decimals as their steps need. */
export function tickWords(ticks: readonly number[]): string[] {
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0));
  if (step < FINE || step >= LARGE) return ticks.map(readingWords);
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  return ticks.map((tick) => formatNumber(tick, digits));
}

// How wide texts are, as they were measured before: most labels of a new picture are those of the one before it.

/** What measures in the font that it was given last. */
interface Measures {
  font: string;
  measureText: (text: string) => { width: number };
}

/** Beyond these a measure begins anew: nobody reads that many labels at once. */
const MOST_KNOWN = 5000;

/** By what measured, by font and text: paper may measure otherwise than the screen. */
let known = new WeakMap<Measures, Map<string, number>>();

/** The width of a text in a font. Whether the brush has that font afterwards is left open: what is known is not measured. */
export function widthOf(brush: Measures, font: string, text: string): number {
  const widths = known.get(brush) ?? new Map<string, number>();
  const key = `${font}\n${text}`;
  const before = widths.get(key);
  if (before !== undefined) return before;
  brush.font = font;
  const { width } = brush.measureText(text);
  if (widths.size >= MOST_KNOWN) widths.clear();
  known.set(brush, widths.set(key, width));
  return width;
}

/** A font has come that was not there before: what was measured was another's. */
export function forgetWidths(): void {
  known = new WeakMap();
}

// Which labels fit along an axis, and how a long one is shortened.

export type Measure = (text: string) => number;

const ELLIPSIS = "…";
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Shortens `text` at its end until it is at most `room` wide. Never splits a character. */
export function fitLabel(text: string, room: number, measure: Measure): string {
  if (measure(text) <= room) return text;
  const characters = Array.from(graphemes.segment(text), ({ segment }) => segment);
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(characters.slice(0, middle).join("") + ELLIPSIS) <= room) low = middle;
    else high = middle - 1;
  }
  return characters.slice(0, low).join("") + ELLIPSIS;
}

/** Every how many cells a label has room: 1, 2, 5, 10, 20, 50 … */
export function labelStep(cell: number, pitch: number): number {
  for (let decade = 1; ; decade *= 10) {
    for (const step of [1, 2, 5]) {
      if (step * decade * cell >= pitch) return step * decade;
    }
  }
}

/** The positions that carry a label. */
export function labelled(count: number, step: number): number[] {
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}
