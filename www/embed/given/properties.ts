/** The properties of an element as JSON has them, checked by what the element declares of each. */
import type { LitElement, PropertyDeclaration } from "lit";
import { fit, isRecord, Misfit, rule, type Shape } from "../../data/shape.js";

type Properties = Readonly<Record<string, unknown>>;

/** The numbers that JSON does not have, as files write them. */
const UNWRITTEN: ReadonlyMap<unknown, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

export const isWrittenNumber = (value: unknown): boolean =>
  typeof value === "number" || UNWRITTEN.has(value);

/** Fields that hold numbers or lists of them, at any depth, and never words. */
const OF_NUMBERS: ReadonlySet<string> = new Set([
  ...["data", "values", "value", "x", "y"],
  ...["tensor", "mask", "dropped", "beside", "thumbnails", "numbers", "weights"],
  ...["raw", "scores", "masked", "query", "key"],
]);

/** The value of a field with the numbers that JSON does not have. */
function withNumbers(value: unknown, isOfNumbers: boolean): unknown {
  if (isOfNumbers && typeof value === "string") return UNWRITTEN.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => withNumbers(one, isOfNumbers));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withNumbers(one, OF_NUMBERS.has(name))]),
  );
}

const TYPES: ReadonlyMap<unknown, Shape> = new Map<unknown, Shape>([
  [Boolean, "flag"],
  [Number, rule("a number or null", (value) => value === null || typeof value === "number")],
  [undefined, "any"],
]);

/** The shape that an element declares of a property: its own, or that of a plain type. */
function shapeOf(name: string, declared: PropertyDeclaration & { shape?: Shape }): Shape {
  const { shape, type, attribute } = declared;
  if (shape !== undefined) return shape;
  // A property that an attribute can set is a string where it declares no type.
  if (type === undefined && attribute !== false) return "text";
  return TYPES.get(type) ?? new Misfit("a property of numbers", name);
}

/** The declarations of the properties of an element that a page may set. */
function declarations(type: typeof LitElement): Map<string, PropertyDeclaration> {
  const named = [...type.elementProperties].filter(([, declared]) => declared.state !== true);
  return new Map(named.map(([name, declared]) => [String(name), declared]));
}

/** The properties of an element in JSON; a misfit names the first that is not as it must be. */
export function propertiesIn(type: typeof LitElement, given: unknown): Properties | Misfit {
  const declared = declarations(type);
  if (!isRecord(given)) return new Misfit("an object of properties", given);
  const properties: Record<string, unknown> = {};
  for (const [name, written] of Object.entries(given)) {
    const own = declared.get(name);
    const value = own
      ? fit(withNumbers(written, OF_NUMBERS.has(name)), shapeOf(name, own))
      : new Misfit(`one of ${[...declared.keys()].join(", ")}`, name, `"${name}"`);
    if (value instanceof Misfit) {
      value.path = `.${name}${value.path}`;
      return value;
    }
    properties[name] = value;
  }
  return properties;
}
