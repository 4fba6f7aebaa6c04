/** A test of one value, and what is expected in a sentence. */
export class Rule {
  constructor(
    readonly expected: string,
    readonly fits: (value: unknown) => boolean,
  ) {}
}

const RULES = {
  any: new Rule("anything", () => true),
  text: new Rule("a string", (value) => typeof value === "string"),
  flag: new Rule("true or false", (value) => typeof value === "boolean"),
  number: new Rule("a number", (value) => typeof value === "number"),
  id: new Rule("an integer from 0", (value) => Number.isInteger(value) && Number(value) >= 0),
  length: new Rule("an integer from 1", (value) => Number.isInteger(value) && Number(value) >= 1),
};

/**
 * What a value of a JSON file must be: a rule, also by name, with `?` where it may be null or left out; a list of one shape, or a
 * pair of two; an object by its fields, where `*` stands for all of them; or the shape that a function takes from the value.
 */
export type Shape =
  | Rule
  | keyof typeof RULES
  | `${keyof typeof RULES}?`
  | readonly [Shape]
  | readonly [Shape, Shape]
  | { readonly [field: string]: Shape }
  | ((value: unknown) => Shape);

export interface Mismatch {
  /** Where in the value, such as `.post_processor.single[0]`; empty for the value itself. */
  path: string;
  expected: string;
  /** What is there, as a sentence shows it. */
  got: string;
}

/** The first place where a value has another shape. */
export function mismatch(value: unknown, shape: Shape): Mismatch | null {
  if (typeof shape === "function") return mismatch(value, shape(value));
  if (typeof shape === "string") {
    if (shape.endsWith("?") && isNothing(value)) return null;
    return mismatch(value, RULES[shape.replace("?", "") as keyof typeof RULES]);
  }
  const wrong = (expected: string): Mismatch => {
    const got = value === undefined ? "nothing" : JSON.stringify(value).slice(0, 60);
    return { path: "", expected, got };
  };
  if (shape instanceof Rule) return shape.fits(value) ? null : wrong(shape.expected);
  const isList = Array.isArray(shape);
  if (!isObject(value) || Array.isArray(value) !== isList)
    return wrong(isList ? "a list" : "an object");
  const shapes = shape as Readonly<Record<string, Shape>>;
  const each = isList && shape.length === 1 ? shapes[0] : shapes["*"];
  // Vocabularies have 100,000s of values: no list of them is made.
  for (const field in each === undefined ? shapes : value) {
    const found = mismatch(value[field], each ?? shapes[field] ?? "any");
    if (found) return { ...found, path: `${isList ? `[${field}]` : `.${field}`}${found.path}` };
  }
  return null;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const isNothing = (value: unknown): boolean => value === null || value === undefined;

export const optional =
  (shape: Shape) =>
  (value: unknown): Shape =>
    isNothing(value) ? "any" : shape;

/** A list of so many values of one shape. */
export const listOf =
  (length: number, shape: Shape) =>
  (value: unknown): Shape =>
    Array.isArray(value) && value.length === length
      ? [shape]
      : new Rule(`a list of ${length}`, () => false);
