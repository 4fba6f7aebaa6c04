/**
 * Whether two things of lists and plain fields say the same. What is the very same thing is not looked into: a long
 * text's tokens are compared at every move of the pointer.
 */
export function saysSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return false;
  const [names, others] = [Object.entries(one), Object.entries(other)];
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === others.length &&
    names.every(([name, value], at) => others[at]?.[0] === name && saysSame(value, others[at][1]))
  );
}
