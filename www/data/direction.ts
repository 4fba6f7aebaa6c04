// Which way a text is read. A token keeps its own, wherever it stands among words of the page.

/**
 * Hebrew, Arabic, Syriac, Thaana, NKo, Adlam and the other scripts that Unicode has set apart for
 * those read from the right.
 */
const FROM_RIGHT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * As its first letter is read (Unicode's UAX #9, rules P2 and P3), as `dir="auto"` has it; a text
 * without one is read from the left.
 */
export function directionOf(text: string): "ltr" | "rtl" {
  return FROM_RIGHT.test(/\p{L}/u.exec(text)?.[0] ?? "") ? "rtl" : "ltr";
}

/**
 * A text to be put among other words in one line: what is read from the right must not turn its
 * neighbours around.
 */
export function isolated(text: string): string {
  return FROM_RIGHT.test(text) ? `\u2068${text}\u2069` : text;
}
