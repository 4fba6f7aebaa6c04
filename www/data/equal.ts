/** The equality of plain values. */

/** Whether two values of lists and plain fields are equal; other objects equal only themselves. */
export function equals(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const fields = Object.entries(one);
  const others = Object.entries(other);
  if (fields.length !== others.length) return false;
  // A loop that calls nothing for values that are the same: it compares what each letter changes.
  for (let at = 0; at < fields.length; at += 1) {
    const [name, value] = fields[at] as [string, unknown];
    const [otherName, otherValue] = others[at] as [string, unknown];
    if (name !== otherName) return false;
    if (!Object.is(value, otherValue) && !equals(value, otherValue)) return false;
  }
  return true;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype;
}
