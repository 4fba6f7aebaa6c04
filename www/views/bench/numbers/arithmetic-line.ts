import { html, nothing, type TemplateResult } from "lit";
import { message } from "../../../i18n/index.js";
import type { Arithmetic, WorkedPlace } from "./arithmetic.js";
import { numberText, type Digits } from "./number-words.js";

/** The symbols of the matrices that are computed. */
export const SYMBOLS = {
  query: "Q",
  key: "K",
  value: "V",
  raw: "QKᵀ",
  scores: "S",
  masked: "S + M",
  weights: "A",
  context: "C",
  joined: "[C₁ … Cₕ]",
  output: "Y",
} as const satisfies Record<WorkedPlace["matrix"], string>;

/** One number with all that made it, as a line that can be read aloud. */
export function arithmeticLine(
  place: WorkedPlace | null,
  arithmetic: Arithmetic | null,
  digits: Digits,
): TemplateResult {
  if (!place || !arithmetic) return html`<p class="muted">${message("numbers.sum.empty")}</p>`;
  const name = html`<b>${SYMBOLS[place.matrix]}</b><sub>${place.row + 1},${place.column + 1}</sub>`;
  return html`<p>${name} = ${made(arithmetic, digits)} = <b data-value>${numberText(arithmetic.value, digits)}</b></p>`;
}

function made(arithmetic: Arithmetic, digits: Digits): TemplateResult | string {
  const text = (value: number): string =>
    value < 0 ? `(${numberText(value, digits)})` : numberText(value, digits);
  switch (arithmetic.kind) {
    case "products":
      return html`${arithmetic.terms.map(([left, right], index) => html`${index > 0 ? " + " : nothing}<span class="term">${text(left)} · ${text(right)}</span>`)}`;
    case "quotient":
      return `${text(arithmetic.left)} ÷ ${text(arithmetic.right)}`;
    case "sum":
      return `${text(arithmetic.left)} + ${text(arithmetic.right)}`;
    case "copy":
      return message("numbers.sum.copy", { head: arithmetic.head + 1 });
    case "softmax": {
      const { score, top, exponential, total } = arithmetic;
      if (top === -Infinity) return message("numbers.sum.nowhere");
      return html`exp(${text(score)} − ${text(top)}) ÷ Σ = ${text(exponential)} ÷ ${text(total)}`;
    }
  }
}
