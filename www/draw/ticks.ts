/** The words of ticks, and their places. */
import { formatNumber } from "../i18n/index.js";
import { LARGE, readingWords } from "./number-words.js";
import { raised } from "./text.js";

/** Steps of an axis below this have a power of ten. */
const FINE = 1e-4;

export function powerWords(value: number): string {
  return `10${raised(String(Math.round(Math.log10(value))).replace("-", "⁻"))}`;
}

export function placeWords(value: number): string {
  const isWhole = Number.isInteger(value) && Math.abs(value) < LARGE;
  return isWhole ? formatNumber(value) : readingWords(value);
}

/** The numbers at a linear axis, with the decimals that their steps need. */
export function tickWords(ticks: readonly number[]): string[] {
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0));
  if (step < FINE || step >= LARGE) return ticks.map(readingWords);
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  return ticks.map((tick) => formatNumber(tick, digits));
}
