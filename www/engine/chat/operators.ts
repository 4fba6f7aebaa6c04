/** Arithmetic of a template's values as Python has it. */

import {
  Float,
  integer,
  isInteger,
  isList,
  isNumber,
  missing,
  numberOf,
  TemplateError,
  Tuple,
  typeName,
  Undefined,
  Unrendered,
  type Value,
  written,
} from "./values.js";

/**
 * The result of an operator that is no comparison.
 * @throws TemplateError where Python raises, Unrendered for `%` of texts
 */
export function operated(operator: string, one: Value, other: Value): Value {
  if (operator === "~") return written(one) + written(other);
  for (const value of [one, other]) if (value instanceof Undefined) throw missing(value);
  if (isNumber(one) && isNumber(other)) return calculated(operator, one, other);
  if (operator === "+") {
    if (typeof one === "string" && typeof other === "string") return one + other;
    if (isList(one) && isList(other)) return [...one, ...other];
    if (one instanceof Tuple && other instanceof Tuple)
      return new Tuple([...one.items, ...other.items]);
  }
  if (operator === "*") {
    const repeated = isInteger(one) ? repeat(other, one) : repeat(one, other);
    if (repeated !== null) return repeated;
  }
  if (operator === "%" && typeof one === "string") throw new Unrendered("`%` of a text");
  const types = `'${typeName(one)}' and '${typeName(other)}'`;
  throw new TemplateError(`unsupported operand type(s) for ${operator}: ${types}`);
}

/** The most characters or items that a repetition makes. */
const MOST_REPEATED = 1_000_000;

/** A text or a list several times; null if it is none of them. */
function repeat(value: Value, times: Value): Value | null {
  if (!isInteger(times)) return null;
  const count = Math.max(0, numberOf(times));
  const isRepeated = typeof value === "string" || isList(value);
  if (isRepeated && value.length * count > MOST_REPEATED)
    throw new Unrendered(`a repetition of ${count} times`);
  if (typeof value === "string") return value.repeat(count);
  return isList(value) ? Array.from({ length: count }, () => value).flat() : null;
}

function calculated(
  operator: string,
  first: number | boolean | Float,
  second: number | boolean | Float,
): Value {
  const [one, other] = [numberOf(first), numberOf(second)];
  const isFloat = first instanceof Float || second instanceof Float;
  const made = (value: number): Value => (isFloat ? new Float(value) : integer(value));
  if (["/", "//", "%"].includes(operator) && other === 0)
    throw new TemplateError("division by zero");
  switch (operator) {
    case "+":
      return made(one + other);
    case "-":
      return made(one - other);
    case "*":
      return made(one * other);
    case "/":
      return new Float(one / other);
    case "//":
      if (isFloat) throw new Unrendered("`//` of numbers with a point");
      return integer(Math.floor(one / other));
    case "%":
      if (isFloat) throw new Unrendered("`%` of numbers with a point");
      return integer(one - other * Math.floor(one / other));
    case "**":
      if (isFloat || other < 0) throw new Unrendered("a power that is no integer");
      return integer(one ** other);
    default:
      throw new Unrendered(`the operator \`${operator}\``);
  }
}
