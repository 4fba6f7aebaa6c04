// Numbers, formulas and refusals of the matrix calculator in words.
import { html, type TemplateResult } from "lit";
import { LARGEST_SIDE } from "../../../data/index.js";
import { isAmbiguous, Unreadable, type UnreadableReason } from "../../../export/read-matrix.js";
import { formatFixed, message } from "../../../i18n/index.js";
import { asFailure } from "../../run/failures.js";
import { failedWords } from "../failures.js";
import type { Refusal } from "../form.js";

/** How exactly the calculator shows numbers: as the figures do, or as far as the worked example is known. */
export type Digits = 3 | 8;

/** Whole numbers plain, others with so many decimals; NaN by its name, for here it is a result. */
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

/** Of a file or a clipboard that cannot be used, or of any other failure. */
export function refusalOf(thrown: unknown, most = LARGEST_SIDE): Refusal {
  if (!(thrown instanceof Unreadable))
    return { sentence: failedWords(thrown), code: asFailure(thrown).code };
  const { reason, found } = thrown;
  return reason === "ambiguous"
    ? ambiguousRefusal(found)
    : { sentence: message(`numbers.unreadable.${reason}`, { found, most }), code: codeOf(reason) };
}

/** Of a number whose comma may part thousands as well as decimals, with both as they can be written. */
export function ambiguousRefusal(text: string): Refusal {
  return {
    sentence: message("numbers.unreadable.ambiguous", {
      found: text,
      thousands: text.replace(",", ""),
      decimals: text.replace(",", "."),
    }),
    code: codeOf("ambiguous"),
  };
}

/** Of a cell in which no number was typed. */
export function cellRefusal(text: string, ofMask: boolean): Refusal {
  if (isAmbiguous(text)) return ambiguousRefusal(text);
  return {
    sentence: message(ofMask ? "numbers.noNumberInMask" : "numbers.noNumber", { text }),
    code: codeOf("notANumber"),
  };
}

/** Such as `numbers/not-a-number`. */
function codeOf(reason: UnreadableReason): string {
  return `numbers/${reason.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
