/*
 * The laboratories of the bench as the address has them: each that differs from what it opens on, by its name, with its
 * settings. What those can be is a table of the bench's, which is fetched with the first link that sets any.
 *
 *   labs = { name "(" setting *( "," setting ) ")" }      setting = key "-" value
 */
const LABS =
  /^(?:(?:places|waves|learned|rotary|alibi|buckets|terms|scores|masks|cost|pad|heads|effect|pruning|stream|norm|lengths|numbers|worked|overflow|projection)\([\w.,-]*\))+$/;

/** More than all of them can say, but for a reader's own texts, which are as long as a link can be or a file. */
const LONGEST = 2048;
const TEXTS = /\btext-[\w.-]*/g;

export function decodeLabs(text: string): string | undefined {
  return LABS.test(text) && text.replace(TEXTS, "").length <= LONGEST ? text : undefined;
}
