// The reading direction of texts. A token keeps its own direction among words of the page.

/**
 * Characters that are read from right to left: Hebrew, Arabic, Syriac, Thaana, NKo, Adlam and the
 * other blocks that Unicode reserves for such scripts.
 */
const FROM_RIGHT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The reading direction of a text by its first letter (Unicode's UAX #9, rules P2 and P3), as with
 * `dir="auto"`; left to right for a text without letters.
 */
export function directionOf(text: string): "ltr" | "rtl" {
  return FROM_RIGHT.test(/\p{L}/u.exec(text)?.[0] ?? "") ? "rtl" : "ltr";
}

/**
 * A text for use among other words in one line, isolated if it is read from right to left, so that
 * it does not reorder its neighbours.
 */
export function isolated(text: string): string {
  return FROM_RIGHT.test(text) ? `\u2068${text}\u2069` : text;
}
