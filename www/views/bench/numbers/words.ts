// Numbers, formulas and refusals of the matrix calculator in words.
import { html, nothing, type TemplateResult } from "lit";
import { LARGEST_SIDE } from "../../../data/index.js";
import { isAmbiguous, Unreadable, type UnreadableReason } from "../../../export/read-matrix.js";
import { formatFixed, message } from "../../../i18n/index.js";
import { asFailure } from "../../run/failures.js";
import { failedWords, renderCoded } from "../failed-words.js";
import type { Refusal } from "../number-fields.js";

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

/** Why numbers cannot be used. */
export type Trouble = Refusal;

const CODES = {
  tooLarge: "numbers/too-large",
  empty: "numbers/empty",
  notNumpy: "numbers/not-numpy",
  numberType: "numbers/number-type",
  axes: "numbers/axes",
  truncated: "numbers/truncated",
  ragged: "numbers/ragged",
  notANumber: "numbers/not-a-number",
  ambiguous: "numbers/ambiguous",
  archive: "numbers/archive",
} as const satisfies Record<UnreadableReason, string>;

/** Of a file or a clipboard that cannot be used, or of any other failure. */
export function troubleOf(thrown: unknown, most = LARGEST_SIDE): Trouble {
  if (!(thrown instanceof Unreadable))
    return { sentence: failedWords(thrown), code: asFailure(thrown).code };
  const { reason, found } = thrown;
  return reason === "ambiguous"
    ? ambiguousTrouble(found)
    : { sentence: message(`numbers.unreadable.${reason}`, { found, most }), code: CODES[reason] };
}

/** Of a number whose comma may part thousands as well as decimals, with both as they can be written. */
export function ambiguousTrouble(text: string): Trouble {
  return {
    sentence: message("numbers.unreadable.ambiguous", {
      found: text,
      thousands: text.replace(",", ""),
      decimals: text.replace(",", "."),
    }),
    code: CODES.ambiguous,
  };
}

/** Of a cell in which no number was typed. */
export function cellTrouble(text: string, ofMask: boolean): Trouble {
  if (isAmbiguous(text)) return ambiguousTrouble(text);
  return {
    sentence: message(ofMask ? "numbers.noNumberInMask" : "numbers.noNumber", { text }),
    code: CODES.notANumber,
  };
}

export function renderTrouble(trouble: Trouble | null): TemplateResult | typeof nothing {
  return trouble ? renderCoded(trouble) : nothing;
}
