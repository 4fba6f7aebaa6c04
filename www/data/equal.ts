/** The equality of plain values. */

/** Whether two values of lists and plain fields are equal; other objects equal only themselves. */
export function equals(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const fields = Object.entries(one);
  const others = Object.entries(other);
  return (
    fields.length === others.length &&
    fields.every(([name, value], at) => others[at]?.[0] === name && equals(value, others[at][1]))
  );
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype;
}
