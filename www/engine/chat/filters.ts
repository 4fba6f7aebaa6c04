/**
 * Filters and tests of chat templates. Source: `filters.py` and `tests.py` of Jinja 3.1.6, and
 * `tojson` of `chat_template_utils.py` of transformers 5.24.
 */

import { capitalized, linesOf, Reader, replaced, stripped, titledByFilter } from "./texts.js";
import {
  at,
  compare,
  equals,
  Float,
  type Given,
  integer,
  isDict,
  isInteger,
  isList,
  isNumber,
  itemsOf,
  jsonText,
  lengthOf,
  missing,
  numberOf,
  Once,
  TemplateError,
  truth,
  Tuple,
  Undefined,
  Unrendered,
  type Value,
  View,
  written,
} from "./values.js";

type Filter = (value: Value, given: Given) => Value;
type Test = (value: Value, given: Given) => boolean;

const NOTHING: Given = { args: [], named: new Map() };

/** A filter of a value written as text, without arguments. */
const ofText =
  (name: string, change: (text: string) => Value): Filter =>
  (value, given) => {
    new Reader(name, given, []);
    return change(written(value));
  };

const ofItems =
  (name: string, change: (items: readonly Value[]) => Value): Filter =>
  (value, given) => {
    new Reader(name, given, []);
    return change(itemsOf(value));
  };

/** The field of an item that a path such as `function.name` or `0` names. */
function fieldOf(item: Value, path: Value): Value {
  if (isInteger(path)) return member(item, numberOf(path));
  if (typeof path !== "string") throw new Unrendered("an attribute that is no text");
  return path.split(".").reduce<Value>((value, part) => {
    return member(value, /^\d+$/.test(part) ? Number(part) : part);
  }, item);
}

/** An item of a value by its key or place; undefined if it has none. */
function member(value: Value, key: string | number): Value {
  if (value instanceof Undefined) throw missing(value);
  if (isDict(value)) return at(value, key);
  const hasItems = typeof value === "string" || isList(value) || value instanceof Tuple;
  const found = hasItems && typeof key === "number" ? [...itemsOf(value)].at(key) : undefined;
  return found === undefined ? new Undefined(String(key)) : found;
}

const small = (value: Value): Value => (typeof value === "string" ? value.toLowerCase() : value);

/** Items in order; letters of both sizes count as equal unless `case_sensitive` is true. */
function sorted(value: Value, given: Given): Value {
  const read = new Reader("sort", given, ["reverse", "case_sensitive", "attribute"]);
  const path = read.value("attribute") ?? null;
  const isExact = truth(read.value("case_sensitive") ?? false);
  const keyOf = (item: Value): Value => {
    const key = path === null ? item : fieldOf(item, path);
    return isExact ? key : small(key);
  };
  const direction = truth(read.value("reverse") ?? false) ? -1 : 1;
  const items = itemsOf(value).map((item) => ({ item, key: keyOf(item) }));
  items.sort((one, other) => direction * compare(one.key, other.key));
  return items.map(({ item }) => item);
}

function unique(value: Value, given: Given): Value {
  new Reader("unique", given, []);
  const kept: Value[] = [];
  for (const item of itemsOf(value)) {
    if (isList(item) || isDict(item)) throw new TemplateError("unhashable type");
    if (!kept.some((one) => equals(small(one), small(item)))) kept.push(item);
  }
  return new Once(kept);
}

/** Each item's attribute, or each item through a filter. */
function mapped(value: Value, given: Given): Value {
  const { args, named } = given;
  if (named.has("attribute")) {
    const read = new Reader("map", given, ["attribute", "default"]);
    if (args.length > 0) throw new TemplateError("map() takes an attribute or a filter");
    const path = read.value("attribute") ?? null;
    const otherwise = read.value("default");
    if (otherwise !== undefined && written(path).includes("."))
      throw new Unrendered("a default of an attribute's attribute");
    const fields = itemsOf(value).map((item) => fieldOf(item, path));
    const filled = (field: Value): Value =>
      field instanceof Undefined && otherwise !== undefined ? otherwise : field;
    return new Once(fields.map(filled));
  }
  const [name, ...others] = args;
  if (typeof name !== "string") throw new TemplateError("map requires a filter argument");
  return new Once(itemsOf(value).map((item) => filtered(name, item, { args: others, named })));
}

/** The items, or their attributes, that pass a test or do not. */
const picked =
  (ofAttribute: boolean, keeps: boolean): Filter =>
  (value, { args, named }) => {
    const [path = null, ...rest] = ofAttribute ? args : [null, ...args];
    const [test, ...others] = rest;
    if (ofAttribute && path === null)
      throw new TemplateError("Missing parameter for attribute name");
    const passes = (item: Value): boolean => {
      const tested = ofAttribute ? fieldOf(item, path) : item;
      if (test === undefined) return truth(tested);
      return passesTest(written(test), tested, { args: others, named });
    };
    return new Once(itemsOf(value).filter((item) => passes(item) === keeps));
  };

function indented(value: Value, given: Given): Value {
  const read = new Reader("indent", given, ["width", "first", "blank"]);
  const width = read.value("width") ?? 4;
  const margin = typeof width === "string" ? width : " ".repeat(read.integer("width", 4));
  const blank = truth(read.value("blank") ?? false);
  const [head = "", ...lines] = linesOf(`${written(value)}\n`);
  const rest = lines.map((line) => `\n${blank || line !== "" ? margin : ""}${line}`);
  return (truth(read.value("first") ?? false) ? margin : "") + head + rest.join("");
}

function asJson(value: Value, given: Given): Value {
  const names = ["ensure_ascii", "indent", "separators", "sort_keys"];
  const read = new Reader("tojson", given, names);
  const indent = read.value("indent") ?? null;
  const isFlat = indent === null;
  const margin = typeof indent === "string" ? indent : " ".repeat(read.integer("indent", 0));
  const pair = read.value("separators") ?? null;
  const [item, key] = pair === null ? [isFlat ? ", " : ",", ": "] : itemsOf(pair).map(written);
  return jsonText(value, {
    indent: isFlat ? null : margin,
    separators: [item ?? "", key ?? ""],
    isAscii: truth(read.value("ensure_ascii") ?? false),
    sortsKeys: truth(read.value("sort_keys") ?? false),
  });
}

function asInteger(value: Value, given: Given): Value {
  const read = new Reader("int", given, ["default", "base"]);
  if (read.value("base") !== undefined) throw new Unrendered("the filter `int` with a base");
  if (isNumber(value)) return integer(Math.trunc(numberOf(value)));
  const number = numberIn(value);
  return number === null ? (read.value("default") ?? 0) : integer(Math.trunc(number));
}

function asFloat(value: Value, given: Given): Value {
  const read = new Reader("float", given, ["default"]);
  const number = isNumber(value) ? numberOf(value) : numberIn(value);
  return number === null ? (read.value("default") ?? new Float(0)) : new Float(number);
}

/** The number that a text spells; null if it spells none. */
function numberIn(value: Value): number | null {
  if (value instanceof Undefined) throw missing(value);
  const text = typeof value === "string" ? stripped(value, null, "both") : "";
  return /^[-+]?(\d+(_\d+)*\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)
    ? Number(text.replaceAll("_", ""))
    : null;
}

function joined(value: Value, given: Given): Value {
  const read = new Reader("join", given, ["d", "attribute"]);
  const path = read.value("attribute") ?? null;
  const items = itemsOf(value).map((item) => (path === null ? item : fieldOf(item, path)));
  return items.map(written).join(written(read.value("d") ?? ""));
}

function pairsOf(value: Value): Value {
  if (value instanceof Undefined) return new Once([]);
  if (!isDict(value)) throw new TemplateError("Can only get item pairs from a mapping.");
  return new Once([...value].map((entry) => new Tuple(entry)));
}

const FILTERS = new Map<string, Filter>([
  ["abs", (value) => magnitude(value)],
  ["capitalize", ofText("capitalize", capitalized)],
  ["count", (value) => lengthOf(value)],
  ["d", (value, given) => orDefault(value, given)],
  ["default", (value, given) => orDefault(value, given)],
  ["first", ofItems("first", (items) => items[0] ?? new Undefined("first item"))],
  ["float", asFloat],
  ["indent", indented],
  ["int", asInteger],
  ["items", pairsOf],
  ["join", joined],
  ["last", ofItems("last", (items) => items.at(-1) ?? new Undefined("last item"))],
  ["length", (value) => lengthOf(value)],
  ["list", ofItems("list", (items) => [...items])],
  ["lower", ofText("lower", (text) => text.toLowerCase())],
  ["map", mapped],
  ["reject", picked(false, false)],
  ["rejectattr", picked(true, false)],
  [
    "replace",
    (value, given) => {
      const read = new Reader("replace", given, ["old", "new", "count"]);
      const [old, by] = [written(read.value("old") ?? ""), written(read.value("new") ?? "")];
      return replaced(written(value), old, by, read.integer("count", -1));
    },
  ],
  [
    "reverse",
    (value) => {
      const items = [...itemsOf(value)].reverse();
      return typeof value === "string" ? items.map(written).join("") : new Once(items);
    },
  ],
  ["select", picked(false, true)],
  ["selectattr", picked(true, true)],
  ["sort", sorted],
  ["string", ofText("string", (text) => text)],
  ["title", ofText("title", titledByFilter)],
  ["tojson", asJson],
  [
    "trim",
    (value, given) =>
      stripped(written(value), new Reader("trim", given, ["chars"]).value("chars") ?? null, "both"),
  ],
  ["unique", unique],
  ["upper", ofText("upper", (text) => text.toUpperCase())],
]);

function magnitude(value: Value): Value {
  if (value instanceof Float) return new Float(Math.abs(value.value));
  if (isInteger(value)) return Math.abs(numberOf(value));
  throw new TemplateError("bad operand type for abs()");
}

function orDefault(value: Value, given: Given): Value {
  const read = new Reader("default", given, ["default_value", "boolean"]);
  const replaces =
    value instanceof Undefined || (truth(read.value("boolean") ?? false) && !truth(value));
  return replaces ? (read.value("default_value") ?? "") : value;
}

/** The result of a filter. */
export function filtered(name: string, value: Value, given: Given): Value {
  const filter = FILTERS.get(name);
  if (filter === undefined) throw new Unrendered(`the filter \`${name}\``);
  return filter(value, given);
}

const whole = (value: Value): number => {
  if (isInteger(value)) return numberOf(value);
  throw new Unrendered("a test for odd or even numbers of something else");
};

const isIterable = (value: Value): boolean =>
  typeof value === "string" ||
  value instanceof Undefined ||
  isList(value) ||
  isDict(value) ||
  value instanceof Tuple ||
  value instanceof View ||
  value instanceof Once;

const isOfCase =
  (change: (text: string) => string): Test =>
  (value) => {
    const text = written(value);
    return change(text) === text && text.toLowerCase() !== text.toUpperCase();
  };

const compared =
  (holds: (order: number) => boolean): Test =>
  (value, { args: [other = null] }) =>
    holds(compare(value, other));

const same: Test = (value, { args: [other = null] }) => equals(value, other);
const differs: Test = (value, given) => !same(value, given);

const TESTS = new Map<string, Test>([
  ["boolean", (value) => typeof value === "boolean"],
  ["callable", (value) => typeof value === "function"],
  ["defined", (value) => !(value instanceof Undefined)],
  ["undefined", (value) => value instanceof Undefined],
  ["none", (value) => value === null],
  ["true", (value) => value === true],
  ["false", (value) => value === false],
  ["odd", (value) => Math.abs(whole(value) % 2) === 1],
  ["even", (value) => whole(value) % 2 === 0],
  ["divisibleby", (value, { args: [by = null] }) => whole(value) % whole(by) === 0],
  ["float", (value) => value instanceof Float],
  ["integer", (value) => typeof value === "number"],
  ["number", (value) => isNumber(value)],
  ["string", (value) => typeof value === "string"],
  ["mapping", (value) => isDict(value)],
  ["iterable", isIterable],
  ["sequence", (value) => isIterable(value) && !(value instanceof Once) && !isView(value)],
  ["lower", isOfCase((text) => text.toLowerCase())],
  ["upper", isOfCase((text) => text.toUpperCase())],
  ["in", (value, { args: [items = null] }) => contains(items, value)],
  ...["eq", "equalto", "=="].map((name) => [name, same] as const),
  ...["ne", "!="].map((name) => [name, differs] as const),
  ...["lt", "lessthan", "<"].map((name) => [name, compared((order) => order < 0)] as const),
  ...["gt", "greaterthan", ">"].map((name) => [name, compared((order) => order > 0)] as const),
  ...["le", "<="].map((name) => [name, compared((order) => order <= 0)] as const),
  ...["ge", ">="].map((name) => [name, compared((order) => order >= 0)] as const),
]);

const isView = (value: Value): boolean => value instanceof View && !value.isRange;

/** Whether a value passes a test. */
export function passesTest(name: string, value: Value, given: Given = NOTHING): boolean {
  const test = TESTS.get(name);
  if (test === undefined) throw new Unrendered(`the test \`${name}\``);
  return test(value, given);
}

/** Whether a text, a list or the keys of a mapping contain a value. */
export function contains(whole: Value, part: Value): boolean {
  if (typeof whole !== "string") return itemsOf(whole).some((item) => equals(item, part));
  if (typeof part === "string") return whole.includes(part);
  throw new TemplateError("'in <string>' requires string as left operand");
}
