/**
 * Former names in addresses and files, and their present names: an old link opens the same view as
 * before.
 */

const FIELDS: ReadonlyMap<string, string> = new Map([
  ["bench", "experiment"],
  ["hidden", "masked"],
  ["labs", "demos"],
]);

/** Former values, each with the present name of its field. */
const VALUES: ReadonlyMap<string, string> = new Map([
  ["experiment=kinds", "variants"],
  ["experiment=numbers", "calculator"],
  ["sort=likeness", "divergence"],
]);

/**
 * The former name `kind` of the demo `variant`; a demo's name precedes its settings in brackets.
 */
const FORMER_DEMO = /(^|\))kind\(/g;

/** A field of an address with its value, both by present names. */
export function presentNames(name: string, text: string | undefined): [string, string | undefined] {
  const field = FIELDS.get(name) ?? name;
  if (text === undefined) return [field, text];
  const value = field === "demos" ? text.replace(FORMER_DEMO, "$1variant(") : text;
  return [field, VALUES.get(`${field}=${value}`) ?? value];
}
