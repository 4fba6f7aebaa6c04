/**
 * The format of numbers of any size, in charts and their tables, and of numbers with a sign.
 * Numbers from LARGE on have a power of ten, from COARSE on one decimal.
 */
import { formatNumber } from "../i18n/index.js";
import { formatValue, raised } from "./text.js";

export const LARGE = 1e6;
const COARSE = 100;

export function largeWords(value: number): string {
  if (value < LARGE) return formatNumber(value);
  const power = Math.floor(Math.log10(value) + 1e-12);
  return `${formatNumber(value / 10 ** power, 2)} × 10${raised(String(power))}`;
}

export function readingWords(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || size < COARSE) return formatValue(value);
  return size < LARGE ? formatNumber(value, 1) : `${value < 0 ? "−" : ""}${largeWords(size)}`;
}

export function formatSigned(value: number): string {
  return value > 0 ? `+${formatValue(value)}` : formatValue(value);
}
