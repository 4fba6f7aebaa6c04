import { refuse } from "./errors.js";

/*
 * What callers without types can send. Only the form is looked at here, and only where code
 * of this room would stumble over it; whether a value makes sense, the core decides.
 */

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

/** What kind of value was sent, for a sentence. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (isList(value))
    return value.length === 0
      ? "an empty list"
      : `a list of ${[...new Set(value.map((item) => typeof item))].join(" and ")}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

export function demandText(value: unknown, what: string): void {
  if (!isText(value)) throw refuse("input/malformed", what, "a string", kindOf(value));
}

export function demandList(value: unknown, what: string): void {
  if (!isList(value)) throw refuse("input/malformed", what, "a list of ids", kindOf(value));
}

export function demandObject(value: unknown, what: string): void {
  if (typeof value !== "object" || value === null)
    throw refuse("input/malformed", what, "an object", kindOf(value));
}
