/**
 * Names that the page wrote into addresses and files before, and what each is called now: an old
 * link opens what it opened when it was copied.
 */

const FIELDS: ReadonlyMap<string, string> = new Map([
  ["bench", "experiment"],
  ["hidden", "masked"],
  ["labs", "demos"],
]);

/** Former values, each behind its field's present name. */
const VALUES: ReadonlyMap<string, string> = new Map([
  ["experiment=kinds", "variants"],
  ["experiment=numbers", "calculator"],
  ["sort=likeness", "divergence"],
]);

/** The demo `variant` was called `kind`; a demo's name stands before its settings in brackets. */
const FORMER_DEMO = /(^|\))kind\(/g;

/** A field of an address by its present name, with its value by the present names. */
export function presentNames(name: string, text: string | undefined): [string, string | undefined] {
  const field = FIELDS.get(name) ?? name;
  if (text === undefined) return [field, text];
  const value = field === "demos" ? text.replace(FORMER_DEMO, "$1variant(") : text;
  return [field, VALUES.get(`${field}=${value}`) ?? value];
}
