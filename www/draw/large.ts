// Numbers of any size, as curves and the tables beside them print them.
import { formatNumber } from "../i18n/index.js";
import { formatValue, raised } from "./format.js";

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
