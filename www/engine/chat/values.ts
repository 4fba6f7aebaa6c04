/**
 * Values of a chat template as Python has them: what equals what, what counts as true, how a value
 * is written, ordered and spelt as JSON. Sources: Python 3.11's data model, `json.dumps`, and
 * `runtime.py` of Jinja 3.1.6.
 */

/** A value of a template. An integer is a number; a number with a point is a {@link Float}. */
export type Value =
  | string
  | number
  | boolean
  | null
  | Float
  | Undefined
  | readonly Value[]
  | Tuple
  | Dict
  | View
  | Once
  | Namespace
  | Callable;

/** A mapping in the order of its keys. */
export type Dict = Map<string | number, Value>;

/** What a template can call: a function, a method or a macro. */
export type Callable = (given: Given) => Value;

/** The arguments of a call. */
export interface Given {
  args: readonly Value[];
  named: ReadonlyMap<string, Value>;
}

/** A floating-point number. */
export class Float {
  constructor(readonly value: number) {}
}

/** A name or a field without a value, which prints as nothing. */
export class Undefined {
  constructor(readonly name: string) {}
}

export class Tuple {
  constructor(readonly items: readonly Value[]) {}
}

/** The keys, values or items of a mapping, or a range: iterable any number of times. */
export class View {
  constructor(
    readonly items: readonly Value[],
    readonly isRange = false,
  ) {}
}

/** An iterator, which gives its items once and has no length. */
export class Once {
  #items: readonly Value[];

  constructor(items: readonly Value[]) {
    this.#items = items;
  }

  take(): readonly Value[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }
}

/** The variables that a template can assign from inside a loop. */
export class Namespace {
  /** @param isLoop whether these are the fields of `loop`, which no template assigns */
  constructor(
    readonly fields: Map<string, Value>,
    readonly isLoop = false,
  ) {}
}

/** An error that Python would raise while it renders the template. */
export class TemplateError extends Error {}

/** Something in a template that is not rendered here, and perhaps is in Python. */
export class Unrendered extends Error {}

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
export const isDict = (value: Value): value is Dict => value instanceof Map;
export const isNumber = (value: Value): value is number | boolean | Float =>
  typeof value === "number" || typeof value === "boolean" || value instanceof Float;
export const isInteger = (value: Value): value is number | boolean =>
  typeof value === "number" || typeof value === "boolean";

export const numberOf = (value: number | boolean | Float): number =>
  value instanceof Float ? value.value : Number(value);

/** The name of a value's type in Python. */
export function typeName(value: Value): string {
  if (typeof value === "string") return "str";
  if (typeof value === "number") return "int";
  if (typeof value === "boolean") return "bool";
  if (value === null) return "NoneType";
  if (value instanceof Float) return "float";
  if (value instanceof Undefined) return "Undefined";
  if (isList(value)) return "list";
  if (value instanceof Tuple) return "tuple";
  if (isDict(value)) return "dict";
  if (value instanceof View) return value.isRange ? "range" : "view";
  if (value instanceof Once) return "iterator";
  return value instanceof Namespace ? "namespace" : "function";
}

/** The sentence of an undefined value that is read on. */
export const missing = ({ name }: Undefined): TemplateError =>
  new TemplateError(`'${name}' is undefined`);

/** An integer as far as numbers hold it exactly. */
export function integer(value: number): number {
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  throw new Unrendered(`the integer ${value}, which is too large`);
}

/** Whether a value counts as true. */
export function truth(value: Value): boolean {
  if (value instanceof Undefined || value === null) return false;
  if (isNumber(value)) return numberOf(value) !== 0;
  if (typeof value === "string" || isList(value)) return value.length > 0;
  if (value instanceof Tuple || value instanceof View) return value.items.length > 0;
  return isDict(value) ? value.size > 0 : true;
}

/** The items over which a value is iterated. */
export function itemsOf(value: Value): readonly Value[] {
  if (value instanceof Undefined) return [];
  if (typeof value === "string") return Array.from(value);
  if (isList(value)) return value;
  if (value instanceof Tuple || value instanceof View) return value.items;
  if (value instanceof Once) return value.take();
  if (isDict(value)) return [...value.keys()];
  throw new TemplateError(`'${typeName(value)}' object is not iterable`);
}

/** The number of items or characters. */
export function lengthOf(value: Value): number {
  const hasLength = !(value instanceof Once) && !isNumber(value) && value !== null;
  if (hasLength && typeof value !== "function" && !(value instanceof Namespace))
    return itemsOf(value).length;
  throw new TemplateError(`object of type '${typeName(value)}' has no len()`);
}

/** Whether two values are equal. */
export function equals(one: Value, other: Value): boolean {
  if (isNumber(one) && isNumber(other)) return numberOf(one) === numberOf(other);
  if (one instanceof Undefined) return other instanceof Undefined;
  if (isList(one)) return isList(other) && areEqual(one, other);
  if (one instanceof Tuple) return other instanceof Tuple && areEqual(one.items, other.items);
  if (isDict(one)) {
    if (!isDict(other) || one.size !== other.size) return false;
    return [...one].every(([key, value]) => other.has(key) && equals(value, at(other, key)));
  }
  if (one instanceof View || other instanceof View)
    throw new Unrendered("a comparison of the keys or items of a mapping");
  return one === other;
}

const areEqual = (one: readonly Value[], other: readonly Value[]): boolean =>
  one.length === other.length && one.every((value, place) => equals(value, other[place] ?? null));

/** The value of a key of a mapping. */
export const at = (dict: Dict, key: string | number): Value =>
  dict.get(key) ?? (dict.has(key) ? null : new Undefined(String(key)));

/** The order of two values: negative, 0 or positive. Texts are ordered by code points. */
export function compare(one: Value, other: Value): number {
  if (isNumber(one) && isNumber(other)) return numberOf(one) - numberOf(other);
  if (typeof one === "string" && typeof other === "string") return compareTexts(one, other);
  for (const value of [one, other]) if (value instanceof Undefined) throw missing(value);
  if ((isList(one) && isList(other)) || (one instanceof Tuple && other instanceof Tuple))
    throw new Unrendered("an order of lists");
  const types = `'${typeName(one)}' and '${typeName(other)}'`;
  throw new TemplateError(`'<' not supported between instances of ${types}`);
}

function compareTexts(one: string, other: string): number {
  const [letters, others] = [Array.from(one), Array.from(other)];
  const place = letters.findIndex((letter, index) => letter !== others[index]);
  if (place < 0) return letters.length - others.length;
  return (letters[place]?.codePointAt(0) ?? 0) - (others[place]?.codePointAt(0) ?? -1);
}

/** A value as `str` writes it. */
export function written(value: Value): string {
  if (typeof value === "string") return value;
  return value instanceof Undefined ? "" : represented(value);
}

/** A value as `repr` writes it. */
export function represented(value: Value): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value === null) return "None";
  if (value instanceof Float) return floatText(value.value);
  if (value instanceof Undefined) return "Undefined";
  if (isList(value)) return `[${value.map(represented).join(", ")}]`;
  if (value instanceof Tuple) {
    const [only, ...others] = value.items.map(represented);
    return others.length === 0 && only !== undefined
      ? `(${only},)`
      : `(${value.items.map(represented).join(", ")})`;
  }
  if (isDict(value)) {
    const entries = [...value].map(([key, one]) => `${represented(key)}: ${represented(one)}`);
    return `{${entries.join(", ")}}`;
  }
  throw new Unrendered(`a ${typeName(value)} written as text`);
}

/** A number as Python writes it: the fewest digits that name it, with a point or an exponent. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const [digits = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${Object.is(value, -0) ? "-" : ""}${digits}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const all = digits.replace(/[-.]/g, "");
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${all}`;
  const whole = all.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${all.slice(exponent + 1) || "0"}`;
}

const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text in quotation marks, with what cannot be printed escaped. */
function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = Array.from(text, (letter) => {
    if (letter === mark || letter === "\\") return `\\${letter}`;
    if (letter === " " || !/[\p{C}\p{Z}]/u.test(letter)) return letter;
    const code = letter.codePointAt(0) ?? 0;
    const [kind, width] =
      code < 0x100
        ? (["x", 2] as const)
        : code < 0x10000
          ? (["u", 4] as const)
          : (["U", 8] as const);
    return ESCAPES[letter] ?? `\\${kind}${code.toString(16).padStart(width, "0")}`;
  });
  return `${mark}${escaped.join("")}${mark}`;
}

/** How JSON is spelt. */
export interface JsonStyle {
  /** The text before each level of nesting; null for everything on one line. */
  indent: string | null;
  separators: readonly [item: string, key: string];
  isAscii: boolean;
  sortsKeys: boolean;
}

/** A value as `json.dumps` spells it. */
export function jsonText(value: Value, style: JsonStyle, depth = 0): string {
  if (typeof value === "string") return jsonString(value, style);
  if (isNumber(value) || value === null) return jsonScalar(value);
  const inner = (one: Value): string => jsonText(one, style, depth + 1);
  if (isList(value)) return jsonBlock("[]", value.map(inner), style, depth);
  if (value instanceof Tuple) return jsonBlock("[]", value.items.map(inner), style, depth);
  if (!isDict(value))
    throw new TemplateError(`Object of type ${typeName(value)} is not JSON serializable`);
  const entries = [...value];
  if (style.sortsKeys) entries.sort(([one], [other]) => compare(one, other));
  const lines = entries.map(
    ([key, one]) => `${jsonString(String(key), style)}${style.separators[1]}${inner(one)}`,
  );
  return jsonBlock("{}", lines, style, depth);
}

function jsonBlock(
  [open = "", close = ""]: string,
  lines: readonly string[],
  { indent, separators: [separator] }: JsonStyle,
  depth: number,
): string {
  if (indent === null || lines.length === 0) return open + lines.join(separator) + close;
  const outside = `\n${indent.repeat(depth)}`;
  const inside = `${outside}${indent}`;
  return open + inside + lines.join(separator + inside) + outside + close;
}

function jsonScalar(value: number | boolean | Float | null): string {
  if (!(value instanceof Float)) return String(value);
  const { value: number } = value;
  if (Number.isFinite(number)) return floatText(number);
  return Number.isNaN(number) ? "NaN" : number < 0 ? "-Infinity" : "Infinity";
}

function jsonString(text: string, { isAscii }: JsonStyle): string {
  const spelt = JSON.stringify(text);
  if (!isAscii) return spelt;
  const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return spelt.replace(/[^ -~]/g, escape);
}
