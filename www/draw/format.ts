// Numbers as the figures print them.
import { formatFixed } from "../i18n/index.js";

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
