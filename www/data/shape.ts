// Checks of the shape of a value of unknown origin, such as a JSON file or a property of an
// element.

/** A result of a shape function: the value to use in place of the given one, and its shape. */
export class Instead {
  constructor(
    readonly value: unknown,
    readonly shape: Shape = "any",
  ) {}
}

export class Misfit {
  /** The place in the value, such as `.post_processor.single[0]`; empty for the value itself. */
  path = "";

  constructor(
    readonly expected: string,
    value: unknown,
    /** The value found, as a sentence shows it. */
    readonly got = kindOf(value),
  ) {}
}

/** A shape function that tests one value; `expected` names a fitting one in a sentence. */
export const rule =
  (expected: string, fits: (value: unknown) => boolean) =>
  (value: unknown): "any" | Misfit =>
    fits(value) ? "any" : new Misfit(expected, value);

const RULES = {
  text: rule("a string", (value) => typeof value === "string"),
  flag: rule("true or false", (value) => typeof value === "boolean"),
  number: rule("a number", (value) => typeof value === "number"),
  count: rule("an integer from 0", (value) => Number.isInteger(value) && Number(value) >= 0),
  length: rule("an integer from 1", (value) => Number.isInteger(value) && Number(value) >= 1),
};

/**
 * The shape of a value: the name of a rule, with `?` if the value may be null or absent; a list of
 * one shape, or a pair of two; an object by its fields, where `*` stands for all fields; or a
 * function of the value and its index in a list, which returns a shape, a replacement, or a misfit.
 */
export type Shape =
  | "any"
  | Instead
  | Misfit
  | keyof typeof RULES
  | `${keyof typeof RULES}?`
  | readonly [Shape]
  | readonly [Shape, Shape]
  | { readonly [field: string]: Shape }
  | ((value: unknown, index: number) => Shape);

/**
 * Checks a value: returns it, in a copy if parts are replaced; or the first place that has another
 * shape.
 */
export function fit(value: unknown, shape: Shape, index = 0): unknown {
  if (typeof shape === "function") return fit(value, shape(value, index), index);
  if (shape === "any") return value;
  if (typeof shape === "string") {
    if (shape.endsWith("?") && (value ?? null) === null) return null;
    return fit(value, RULES[shape.replace("?", "") as keyof typeof RULES]);
  }
  if (shape instanceof Misfit) return shape;
  if (shape instanceof Instead) return fit(shape.value, shape.shape);
  const isList = Array.isArray(shape);
  const shapes = shape as Readonly<Record<string, Shape>>;
  if (isList ? !Array.isArray(value) : !isRecord(value))
    return new Misfit(isList ? "a list" : nameFields(shapes), value);
  const given = value as Readonly<Record<string, unknown>>;
  const each = isList && shape.length === 1 ? shapes[0] : shapes["*"];
  let whole: unknown = value;
  // Vocabularies have 100,000s of values: no list of their fields is made.
  for (const field in each === undefined ? shapes : given) {
    const part = fit(given[field], each ?? shapes[field] ?? "any", Number(field));
    if (part instanceof Misfit) {
      part.path = `${isList ? `[${field}]` : `.${field}`}${part.path}`;
      return part;
    }
    if (Object.is(part, given[field])) continue;
    if (whole === value) whole = isList ? Array.from(value as unknown[]) : { ...given };
    Reflect.set(whole as object, field, part);
  }
  return whole;
}

/** The names of the fields that an object must have, for a sentence. */
function nameFields(shapes: Readonly<Record<string, Shape>>): string {
  const needed = Object.entries(shapes).filter(
    ([name, shape]) => name !== "*" && !(typeof shape === "string" && shape.endsWith("?")),
  );
  return needed.length === 0 ? "an object" : `{ ${needed.map(([name]) => name).join(", ")} }`;
}

function kindOf(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value !== "object" || value === null)
    return String(value).replace(/^undefined$/, "nothing");
  return ArrayBuffer.isView(value)
    ? value.constructor.name
    : `{ ${Object.keys(value).slice(0, 8).join(", ")} }`;
}

/** Parses a JSON text; undefined for a text that is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value that is a number; NaN for any other, since `Number` throws for some objects. */
export const numberIn = (value: unknown): number =>
  typeof value === "number" ? value : Number.NaN;

/** A value that is a text; empty for any other, since `String` throws for some objects. */
export const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

/** A shape that also allows null; an absent value becomes null. */
export const orNull =
  (shape: Shape) =>
  (value: unknown): Shape =>
    (value ?? null) === null ? new Instead(null) : shape;

/** The shape of a list of `length` values of one shape. */
export const listOfLength =
  (length: number, shape: Shape) =>
  (value: unknown): Shape =>
    Array.isArray(value) && value.length === length
      ? [shape]
      : new Misfit(`a list of ${length}`, value);
