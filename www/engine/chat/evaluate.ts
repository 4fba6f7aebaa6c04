/**
 * Renders a template's tree with the values and scopes of Jinja 3.1.6 in Python. The library that
 * makes the tree has an interpreter of its own, which prints, compares and scopes as JavaScript
 * does: `docs/differences.md`. What is not built here is refused.
 */

import { contains, filtered, passesTest } from "./filters.js";
import {
  type Binary,
  type Call,
  type CallBlock,
  type For,
  GENERATION,
  GROUP,
  type Named,
  type Node,
  parsed,
  type Slice,
  TUPLE,
} from "./nodes.js";
import { operated } from "./operators.js";
import { textMethod } from "./texts.js";
import {
  at,
  type Callable,
  compare,
  type Dict,
  equals,
  Float,
  type Given,
  isDict,
  isInteger,
  isList,
  itemsOf,
  missing,
  Namespace,
  numberOf,
  Once,
  TemplateError,
  truth,
  Tuple,
  typeName,
  Undefined,
  Unrendered,
  type Value,
  View,
  written,
} from "./values.js";

/** The most nodes that are evaluated, and the most characters of a text: no template needs more. */
const MOST_NODES = 300_000;
const MOST_CHARACTERS = 10_000_000;

const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["none", null],
  ["None", null],
]);

/** Functions of Jinja that are not built here; each other unknown name is undefined. */
const OTHER_FUNCTIONS = new Set(["cycler", "joiner", "lipsum", "self", "varargs", "kwargs"]);

/** The variables of a block, and of those around it. */
class Scope {
  readonly #variables = new Map<string, Value>();

  constructor(private readonly around: Scope | null = null) {}

  set(name: string, value: Value): void {
    this.#variables.set(name, value);
  }

  get(name: string): Value {
    const value = this.#variables.get(name);
    if (value !== undefined || this.#variables.has(name)) return value ?? null;
    if (this.around !== null) return this.around.get(name);
    if (OTHER_FUNCTIONS.has(name)) throw new Unrendered(`\`${name}\``);
    return new Undefined(name);
  }
}

/** How a block ended: at its end, or at a `break` or `continue`. */
type End = "end" | "Break" | "Continue";

/** Renders a template with some variables. */
export function rendered(source: string, variables: ReadonlyMap<string, Value>): string {
  const scope = new Scope();
  for (const [name, value] of variables) scope.set(name, value);
  return new Renderer().block(parsed(source), scope);
}

class Renderer {
  #nodes = 0;
  #characters = 0;

  /** The text of a block in a scope. */
  block(body: readonly Node[], scope: Scope): string {
    const parts: string[] = [];
    if (this.#run(body, scope, parts) !== "end")
      throw new TemplateError("'break' or 'continue' outside of a loop");
    return parts.join("");
  }

  #run(body: readonly Node[], scope: Scope, out: string[]): End {
    for (const node of body) {
      const end = this.#statement(node, scope, out);
      if (end !== "end") return end;
    }
    return "end";
  }

  #statement(node: Node, scope: Scope, out: string[]): End {
    this.#spend(0);
    switch (node.type) {
      case "Break":
      case "Continue":
        return node.type;
      case "Comment":
        return "end";
      case "If": {
        const isTrue = truth(this.#value(node.test, scope));
        return this.#run(isTrue ? node.body : node.alternate, scope, out);
      }
      case "For":
        this.#loop(node, scope, out);
        return "end";
      case "Set":
        this.#set(node, scope);
        return "end";
      case "Macro":
        scope.set(node.name.value, this.#macro(node.name.value, node.args, node.body, scope));
        return "end";
      case "CallStatement":
        out.push(written(this.#callBlock(node, scope)));
        return "end";
      case "FilterStatement":
        out.push(
          written(this.#filter(node.filter, this.block(node.body, new Scope(scope)), scope)),
        );
        return "end";
      default: {
        const text = written(this.#value(withoutSafe(node), scope));
        this.#spend(text.length);
        out.push(text);
        return "end";
      }
    }
  }

  /** Counts what is computed, so that no template keeps the page busy or fills its memory. */
  #spend(characters: number, nodes = 1): void {
    this.#nodes += nodes;
    this.#characters += characters;
    if (this.#nodes > MOST_NODES || this.#characters > MOST_CHARACTERS)
      throw new Unrendered("a template that takes so long or writes so much");
  }

  #loop(node: For, scope: Scope, out: string[]): void {
    const { iterable } = node;
    const isFiltered = iterable.type === "SelectExpression";
    const all = itemsOf(this.#value(isFiltered ? iterable.lhs : iterable, scope));
    this.#spend(0, all.length);
    const items = all.filter((item) => {
      if (!isFiltered) return true;
      const inner = new Scope(scope);
      this.#assign(node.loopvar, item, inner);
      return truth(this.#value(iterable.test, inner));
    });
    const seen = new Map<string, Value>();
    // As in Jinja, a turn that `break` or `continue` ends is none for `else`.
    let hasTurns = false;
    for (const [place, item] of items.entries()) {
      const inner = new Scope(scope);
      inner.set("loop", new Namespace(loopAt(items, place, seen), true));
      this.#assign(node.loopvar, item, inner);
      const end = this.#run(node.body, inner, out);
      if (end === "Break") break;
      hasTurns ||= end === "end";
    }
    if (!hasTurns && this.#run(node.defaultBlock, new Scope(scope), out) !== "end")
      throw new Unrendered("`break` or `continue` in a loop's `else`");
  }

  #set(node: Extract<Node, { type: "Set" }>, scope: Scope): void {
    const { value, body, assignee } = node;
    const result = value === null ? this.block(body, new Scope(scope)) : this.#value(value, scope);
    this.#assign(assignee, result, scope);
  }

  #assign(target: Node, value: Value, scope: Scope): void {
    if (target.type === "Identifier") {
      if (CONSTANTS.has(target.value)) throw new TemplateError(`cannot assign to ${target.value}`);
      scope.set(target.value, value);
    } else if (target.type === "TupleLiteral") {
      const items = itemsOf(value);
      if (items.length !== target.value.length)
        throw new TemplateError(`${items.length} values to unpack into ${target.value.length}`);
      for (const [place, one] of target.value.entries())
        this.#assign(one, items[place] ?? null, scope);
    } else if (target.type === "MemberExpression" && !target.computed) {
      const space = this.#value(target.object, scope);
      const { property } = target;
      if (!(space instanceof Namespace) || space.isLoop || property.type !== "Identifier")
        throw new TemplateError("cannot assign attribute on non-namespace object");
      space.fields.set(stored(property.value), value);
    } else throw new Unrendered(`an assignment to ${target.type}`);
  }

  #macro(
    name: string,
    parameters: readonly Node[],
    body: readonly Node[],
    around: Scope,
  ): Callable {
    return ({ args, named }) => {
      const scope = new Scope(around);
      if (args.length > parameters.length)
        throw new Unrendered(`more arguments than the macro \`${name}\` has`);
      const left = new Map(named);
      scope.set("caller", left.get("caller") ?? new Undefined("caller"));
      left.delete("caller");
      for (const [place, parameter] of parameters.entries()) {
        const key = parameter.type === "KeywordArgumentExpression" ? parameter.key : parameter;
        const { value: word } = key as Named;
        const given = place < args.length ? args[place] : left.get(word);
        left.delete(word);
        const isAbsent = given === undefined && parameter.type === "KeywordArgumentExpression";
        const value = isAbsent ? this.#value(parameter.value, scope) : given;
        scope.set(word, value ?? new Undefined(word));
        if (value === null) scope.set(word, null);
      }
      const [unknown] = left.keys();
      if (unknown !== undefined)
        throw new Unrendered(`an argument \`${unknown}\` that the macro \`${name}\` lacks`);
      return this.block(body, scope);
    };
  }

  #callBlock({ call, callerArgs, body }: CallBlock, scope: Scope): Value {
    const caller = this.#macro("caller", callerArgs ?? [], body, scope);
    if (call.callee.type === "Identifier" && call.callee.value === GENERATION)
      return caller({ args: [], named: new Map() });
    const { args, named } = this.#given(call.args, scope);
    const called = this.#value(call.callee, scope);
    return this.#called(called, { args, named: new Map([...named, ["caller", caller]]) });
  }

  #value(node: Node, scope: Scope): Value {
    this.#spend(0);
    switch (node.type) {
      case "Identifier": {
        const { value: name } = node;
        return CONSTANTS.has(name) ? (CONSTANTS.get(name) ?? null) : scope.get(name);
      }
      case "IntegerLiteral":
      case "StringLiteral":
        return node.value;
      case "FloatLiteral":
        return new Float(node.value);
      case "ArrayLiteral":
        return node.value.map((one) => this.#value(one, scope));
      case "TupleLiteral":
        return new Tuple(node.value.map((one) => this.#value(one, scope)));
      case "ObjectLiteral":
        return this.#dict(node.value, scope);
      case "MemberExpression":
        return this.#member(node, scope);
      case "CallExpression":
        return this.#call(node, scope);
      case "BinaryExpression":
        return this.#binary(node, scope);
      case "UnaryExpression":
        return this.#unary(node.operator.value, this.#value(node.argument, scope));
      case "FilterExpression":
        return this.#filter(node.filter, this.#value(node.operand, scope), scope);
      case "TestExpression":
        return passesTest(node.test.value, this.#value(node.operand, scope)) !== node.negate;
      case "Ternary": {
        const isTrue = truth(this.#value(node.condition, scope));
        return this.#value(isTrue ? node.trueExpr : node.falseExpr, scope);
      }
      case "SelectExpression":
        return truth(this.#value(node.test, scope))
          ? this.#value(node.lhs, scope)
          : new Undefined("the other case of an inline if");
      default:
        throw new Unrendered(node.type);
    }
  }

  #dict(entries: ReadonlyMap<Node, Node>, scope: Scope): Dict {
    const dict: Dict = new Map();
    for (const [key, value] of entries) {
      const name = this.#value(key, scope);
      if (typeof name !== "string" && typeof name !== "number")
        throw new Unrendered(`a key of the type ${typeName(name)}`);
      dict.set(name, this.#value(value, scope));
    }
    return dict;
  }

  #binary(node: Binary, scope: Scope): Value {
    const { left, right } = node;
    const operator = node.operator.value;
    if (operator === "and" || operator === "or") {
      const one = this.#value(left, scope);
      return truth(one) === (operator === "and") ? this.#value(right, scope) : one;
    }
    if (COMPARISONS.has(operator)) return this.#comparison(chainOf(node, COMPARISONS), scope);
    if (ADDITIONS.has(operator)) return this.#sum(chainOf(node, ADDITIONS), scope);
    return this.#operated(operator, this.#value(left, scope), this.#value(right, scope));
  }

  /** Whether each operand compares with the next, as Python reads `a < b < c`. */
  #comparison({ first, links }: Chain, scope: Scope): boolean {
    let one = this.#value(first, scope);
    return links.every(({ operator, operand }) => {
      const other = this.#value(operand, scope);
      const holds = compared(operator, one, other);
      one = other;
      return holds;
    });
  }

  /** A sum, of which Jinja joins the parts with `~` between them before it adds. */
  #sum({ first, links }: Chain, scope: Scope): Value {
    const terms = [{ operator: "+", value: this.#value(first, scope) }];
    for (const { operator, operand } of links) {
      const value = this.#value(operand, scope);
      const last = terms.at(-1);
      if (operator === "~" && last) last.value = this.#operated("~", last.value, value);
      else terms.push({ operator, value });
    }
    const values = terms.slice(1);
    return values.reduce<Value>(
      (sum, { operator, value }) => this.#operated(operator, sum, value),
      terms[0]?.value ?? null,
    );
  }

  #operated(operator: string, one: Value, other: Value): Value {
    const result = operated(operator, one, other);
    if (typeof result === "string" || isList(result)) this.#spend(result.length);
    return result;
  }

  #unary(operator: string, value: Value): Value {
    if (operator === "not") return !truth(value);
    const sign = operator === "-" ? -1 : 1;
    if (value instanceof Float) return new Float(sign * value.value);
    if (isInteger(value)) return operated("*", sign, numberOf(value));
    throw new TemplateError(`bad operand type for unary ${operator}: '${typeName(value)}'`);
  }

  #filter(filter: Named | Call, value: Value, scope: Scope): Value {
    if (filter.type === "Identifier")
      return filtered(filter.value, value, { args: [], named: new Map() });
    if (filter.callee.type !== "Identifier") throw new Unrendered("a filter without a name");
    return filtered(filter.callee.value, value, this.#given(filter.args, scope));
  }

  #given(nodes: readonly Node[], scope: Scope): Given {
    const args: Value[] = [];
    const named = new Map<string, Value>();
    for (const node of nodes) {
      if (node.type === "KeywordArgumentExpression")
        named.set(node.key.value, this.#value(node.value, scope));
      else if (node.type === "SpreadExpression")
        args.push(...itemsOf(this.#value(node.argument, scope)));
      else if (node.type === "KeywordSpreadExpression") throw new Unrendered("`**` in a call");
      else args.push(this.#value(node, scope));
    }
    return { args, named };
  }

  #call({ callee, args: nodes }: Call, scope: Scope): Value {
    const given = this.#given(nodes, scope);
    if (callee.type === "Identifier" && (callee.value === GROUP || callee.value === TUPLE)) {
      const [only = null, ...others] = given.args;
      const isGroup = callee.value === GROUP && others.length === 0 && given.named.size === 0;
      return isGroup ? only : new Tuple(given.args);
    }
    return this.#called(this.#value(callee, scope), given);
  }

  #called(called: Value, given: Given): Value {
    if (called instanceof Undefined) throw missing(called);
    if (typeof called === "function") return called(given);
    throw new TemplateError(`'${typeName(called)}' object is not callable`);
  }

  #member(node: Extract<Node, { type: "MemberExpression" }>, scope: Scope): Value {
    const object = this.#value(node.object, scope);
    if (object instanceof Undefined) throw missing(object);
    const { property } = node;
    if (!node.computed) {
      if (property.type === "Identifier") return attributeOf(object, property.value);
      return itemOf(object, this.#value(property, scope));
    }
    if (property.type === "SliceExpression") return this.#slice(object, property, scope);
    return itemOf(object, this.#value(property, scope));
  }

  #slice(object: Value, { start, stop, step }: Slice, scope: Scope): Value {
    const bound = (node: Node | undefined): number | null => {
      const value = node === undefined ? null : this.#value(node, scope);
      if (value === null) return null;
      if (isInteger(value)) return numberOf(value);
      throw new TemplateError("slice indices must be integers or None");
    };
    const [from, to, by] = [bound(start), bound(stop), bound(step) ?? 1];
    const isSequence = typeof object === "string" || isList(object) || object instanceof Tuple;
    if (!isSequence) throw new Unrendered(`a part of a ${typeName(object)}`);
    const items = sliced(itemsOf(object), from, to, by);
    if (typeof object === "string") return items.map(written).join("");
    return isList(object) ? items : new Tuple(items);
  }
}

const COMPARISONS = new Set(["==", "!=", "<", ">", "<=", ">=", "in", "not in"]);
const ADDITIONS = new Set(["+", "-", "~"]);

/** Operands beside each other, with the operator before each but the first. */
interface Chain {
  first: Node;
  links: { operator: string; operand: Node }[];
}

/** The operands of some operators without parentheses between them. */
function chainOf(node: Node, operators: ReadonlySet<string>): Chain {
  if (node.type !== "BinaryExpression" || !operators.has(node.operator.value))
    return { first: node, links: [] };
  const { first, links } = chainOf(node.left, operators);
  return { first, links: [...links, { operator: node.operator.value, operand: node.right }] };
}

function compared(operator: string, one: Value, other: Value): boolean {
  switch (operator) {
    case "==":
      return equals(one, other);
    case "!=":
      return !equals(one, other);
    case "in":
      return contains(other, one);
    case "not in":
      return !contains(other, one);
    case "<":
      return compare(one, other) < 0;
    case ">":
      return compare(one, other) > 0;
    case "<=":
      return compare(one, other) <= 0;
    default:
      return compare(one, other) >= 0;
  }
}

/**
 * The expression of `{{ x | safe }}`: templates print without escapes, so that the mark changes
 * nothing there. Elsewhere it changes how texts are joined, and is refused as an unknown filter.
 */
function withoutSafe(node: Node): Node {
  const isSafe =
    node.type === "FilterExpression" &&
    node.filter.type === "Identifier" &&
    node.filter.value === "safe";
  return isSafe ? node.operand : node;
}

/** A name that a namespace of transformers stores. */
export function stored(name: string): string {
  if (!name.startsWith("_")) return name;
  throw new TemplateError(
    `Chat templates cannot store underscore-prefixed attributes on a namespace, but got '${name}'`,
  );
}

/** The fields of `loop` in one of its turns. */
function loopAt(
  items: readonly Value[],
  place: number,
  seen: Map<string, Value>,
): Map<string, Value> {
  const { length } = items;
  const cycle: Callable = ({ args }) => {
    if (args.length === 0) throw new TemplateError("no items for cycling given");
    return args[place % args.length] ?? null;
  };
  const changed: Callable = ({ args }) => {
    const last = seen.get("last");
    const now = new Tuple(args);
    seen.set("last", now);
    return last === undefined || !equals(last, now);
  };
  return new Map<string, Value>([
    ["index", place + 1],
    ["index0", place],
    ["revindex", length - place],
    ["revindex0", length - place - 1],
    ["first", place === 0],
    ["last", place === length - 1],
    ["length", length],
    ["depth", 1],
    ["depth0", 0],
    ["previtem", place === 0 ? new Undefined("there is no previous item") : items[place - 1]],
    ["nextitem", place === length - 1 ? new Undefined("there is no next item") : items[place + 1]],
    ["cycle", cycle],
    ["changed", changed],
  ] as [string, Value][]);
}

/** The part of a list that a slice names, as in Python. */
function sliced(
  items: readonly Value[],
  start: number | null,
  stop: number | null,
  step: number,
): Value[] {
  const { length } = items;
  if (step === 0) throw new TemplateError("slice step cannot be zero");
  const [least, most] = step > 0 ? [0, length] : [-1, length - 1];
  const clamped = (bound: number): number =>
    Math.min(most, Math.max(least, bound < 0 ? bound + length : bound));
  const from = start === null ? (step > 0 ? least : most) : clamped(start);
  const to = stop === null ? (step > 0 ? most : least) : clamped(stop);
  const part: Value[] = [];
  for (let place = from; step > 0 ? place < to : place > to; place += step)
    part.push(items[place] ?? null);
  return part;
}

const DICT_METHODS = new Map<string, (dict: Dict, given: Given) => Value>([
  ["items", (dict) => new View([...dict].map((entry) => new Tuple(entry)))],
  ["keys", (dict) => new View([...dict.keys()])],
  ["values", (dict) => new View([...dict.values()])],
  [
    "get",
    (dict, { args: [key = null, otherwise = null] }) =>
      (typeof key === "string" || typeof key === "number") && dict.has(key)
        ? at(dict, key)
        : otherwise,
  ],
]);

/** The methods of mappings and lists in Python that are not built here or that change them. */
const OTHER_METHODS = {
  dict: new Set("clear copy fromkeys pop popitem setdefault update".split(" ")),
  list: new Set("append clear copy count extend index insert pop remove reverse sort".split(" ")),
  tuple: new Set(["count", "index"]),
};

/** What `object.name` reads: a method, or else a field. */
function attributeOf(object: Value, name: string): Value {
  const method = methodOf(object, name);
  if (method !== undefined) return method;
  if (object instanceof Namespace) return object.fields.get(name) ?? fieldOrNothing(object, name);
  if (isDict(object)) return at(object, name);
  return new Undefined(name);
}

/** A field of a namespace that is None, or nothing. */
const fieldOrNothing = ({ fields }: Namespace, name: string): Value =>
  fields.has(name) ? null : new Undefined(name);

function methodOf(object: Value, name: string): Value | undefined {
  const type = typeName(object);
  const isOther =
    type in OTHER_METHODS && OTHER_METHODS[type as keyof typeof OTHER_METHODS].has(name);
  const isHidden = name.startsWith("_") && !(isDict(object) && object.has(name));
  if (isOther || isHidden) throw new Unrendered(`\`${name}\` of a ${type}`);
  if (typeof object === "string") return textMethod(object, name);
  const method = isDict(object) ? DICT_METHODS.get(name) : undefined;
  return method && ((given) => method(object as Dict, given));
}

/** What `object[key]` reads: an item, or else a method. */
function itemOf(object: Value, key: Value): Value {
  if (isDict(object)) {
    const isKey = typeof key === "string" || typeof key === "number";
    if (isKey && object.has(key)) return at(object, key);
    return typeof key === "string" ? attributeOf(object, key) : new Undefined(written(key));
  }
  if (typeof key === "string") return attributeOf(object, key);
  const isIndexed =
    typeof object === "string" ||
    isList(object) ||
    object instanceof Tuple ||
    (object instanceof View && object.isRange);
  if (!isIndexed || !isInteger(key)) {
    if (object instanceof Once || object instanceof View || key instanceof Undefined)
      throw new Unrendered(`an item of a ${typeName(object)}`);
    return new Undefined(written(key));
  }
  const found = [...itemsOf(object)].at(numberOf(key));
  return found === undefined ? new Undefined(String(numberOf(key))) : found;
}
