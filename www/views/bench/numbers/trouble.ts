import { nothing, type TemplateResult } from "lit";
import { isAmbiguous, Unreadable, type UnreadableReason } from "../../../export/read-matrix.js";
import { message } from "../../../i18n/index.js";
import { LARGEST_SIDE } from "../../../data/index.js";
import { asFailure } from "../../run/failures.js";
import { failedWords, renderCoded } from "../failed-words.js";
import { SYMBOLS, type Overflowed } from "./arithmetic.js";

/** Why numbers that were brought cannot be used: in a sentence, with a code that is the same in every language. */
export interface Trouble {
  sentence: string;
  code: string;
}

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

/** Of a file or a clipboard that cannot be used, or of whatever else failed. */
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

/** Of a result that f64 does not hold. */
export function overflowTrouble({ matrix, row, column, head }: Overflowed): Trouble {
  const symbol = SYMBOLS[matrix];
  const name =
    head === null ? symbol : message("numbers.overflowed.head", { name: symbol, head: head + 1 });
  // What was finite before it was divided is finite if it is divided by more.
  const advice = message(
    matrix === "scores" ? "numbers.overflowed.divisor" : "numbers.overflowed.smaller",
  );
  return {
    sentence: message("numbers.overflowed", { name, row: row + 1, column: column + 1, advice }),
    code: "numbers/overflow",
  };
}

/** Of a cell in which no number was typed. */
export function cellTrouble(text: string, forbids: boolean): Trouble {
  if (isAmbiguous(text)) return ambiguousTrouble(text);
  return {
    sentence: message(forbids ? "numbers.noNumberInMask" : "numbers.noNumber", { text }),
    code: CODES.notANumber,
  };
}

export function renderTrouble(trouble: Trouble | null): TemplateResult | typeof nothing {
  return trouble ? renderCoded(trouble) : nothing;
}
