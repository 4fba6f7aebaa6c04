import { directionOf } from "../data/index.js";
import { formatFixed } from "../i18n/index.js";
import type { Brush } from "./theme.js";

/** Writes a token in its own direction; the alignment stays the same. */
export function writeLabel(brush: Brush, text: string, x: number, y: number): void {
  brush.direction = directionOf(text);
  brush.fillText(text, x, y);
  brush.direction = "ltr";
}

const SMALLEST_FIXED = 0.0005;
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/**
 * A number with three decimals, or with two digits and a power of ten if very small; NaN is a dash.
 */
export function formatValue(value: number): string {
  if (value === 0) return "0";
  if (Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size >= SMALLEST_FIXED) return formatFixed(value);
  const [digits = "", exponent = ""] = size.toExponential(1).split("e-");
  return `${value < 0 ? "−" : ""}${digits} × 10⁻${raised(exponent)}`;
}

export function raised(exponent: string): string {
  return exponent.replace(/\d/g, (digit) => RAISED[Number(digit)] ?? "");
}

type Measures = Pick<Brush, "font" | "measureText">;

const MOST_KNOWN = 5000;
let known = new WeakMap<Measures, Map<string, number>>();

/** The width of a text in a font, cached. May change the font of the brush. */
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

export function forgetWidths(): void {
  known = new WeakMap();
}

export type Measure = (text: string) => number;

// The page's fonts load at any time.
if (typeof document !== "undefined" && "fonts" in document)
  document.fonts.addEventListener("loadingdone", forgetWidths);

let ruler: OffscreenCanvasRenderingContext2D | null = null;
const ASSUMED_CHARACTER = 0.55;

/** A function that measures texts in a font; without a canvas it estimates. */
export function measurer(font: string): Measure {
  if (typeof OffscreenCanvas !== "undefined") ruler ??= new OffscreenCanvas(1, 1).getContext("2d");
  const brush = ruler;
  if (brush) return (text) => widthOf(brush, font, text);
  const size = Number(/([\d.]+)px/.exec(font)?.[1] ?? 0);
  return (text) => text.length * size * ASSUMED_CHARACTER;
}

const ELLIPSIS = "…";
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The graphemes of a text, the characters that a reader sees. */
export const graphemesOf = (text: string): string[] =>
  Array.from(graphemes.segment(text), ({ segment }) => segment);

/** Shortens `text` at its end to at most `room`. Never splits a grapheme. */
export function fitLabel(text: string, room: number, measure: Measure): string {
  if (measure(text) <= room) return text;
  const characters = graphemesOf(text);
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(characters.slice(0, middle).join("") + ELLIPSIS) <= room) low = middle;
    else high = middle - 1;
  }
  return characters.slice(0, low).join("") + ELLIPSIS;
}

/** The smallest label interval with enough room: 1, 2, 5, 10, 20, 50 … */
export function labelStep(cell: number, pitch: number): number {
  for (let decade = 1; ; decade *= 10)
    for (const step of [1, 2, 5]) if (step * decade * cell >= pitch) return step * decade;
}

export function labelled(count: number, step: number): number[] {
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text escaped for HTML and XML, between tags and in quoted attributes. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
