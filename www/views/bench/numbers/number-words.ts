import { formatFixed } from "../../../i18n/index.js";

/** How exactly numbers are shown: as the figures do, or as far as the worked example is known. */
export const DIGITS = [3, 8] as const;
export type Digits = (typeof DIGITS)[number];

/** Whole numbers plain, others with so many decimals; what is no number says so, for here it is a result. */
export function numberText(value: number, digits: Digits): string {
  if (Number.isNaN(value)) return "NaN";
  return formatFixed(value, Number.isInteger(value) || !Number.isFinite(value) ? 0 : digits);
}

/** A number as it is typed, to the last bit; minus is a real minus sign. */
export function typedText(value: number): string {
  return value === -Infinity ? "−∞" : String(value).replace("-", "−");
}
