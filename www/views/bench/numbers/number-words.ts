import { html, type TemplateResult } from "lit";
import { formatFixed } from "../../../i18n/index.js";

/** How exactly the calculator shows numbers: as the figures do, or as far as the worked example is known. */
export type Digits = 3 | 8;

/** Whole numbers plain, others with so many decimals; what is no number says so, for here it is a result. */
export function numberText(value: number, digits: Digits): string {
  if (Number.isNaN(value)) return "NaN";
  return formatFixed(value, Number.isInteger(value) || !Number.isFinite(value) ? 0 : digits);
}

/** A number as it is typed, to the last bit; minus is a real minus sign. */
export function typedText(value: number): string {
  return String(value).replace("Infinity", "∞").replace("-", "−");
}

/** A formula in which `W_Q` has its index below the line. */
export function symbols(formula: string): TemplateResult {
  return html`${formula.split(/(_[A-Z])/).map((part) => (part.startsWith("_") ? html`<sub>${part.slice(1)}</sub>` : part))}`;
}
