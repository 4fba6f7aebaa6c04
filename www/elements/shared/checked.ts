// Checks of the properties of elements. A well-formed value stays the same object; a few plain forms, such as strings
// for tokens and arrays of numbers for tensors, are converted.
import { html, LitElement, render, type CSSResultGroup, type CSSResultOrNative } from "lit";
import type { PropertyDeclaration, PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import { PALETTES, type Tensor, type Token } from "../../data/index.js";
import { message, onLanguageChange } from "../../i18n/index.js";
import { baseStyles } from "./base-styles.js";
import { Memo } from "./controllers.js";
import { renderDetails } from "./templates.js";

/**
 * Returns the value as the element stores it; throws a {@link Misfit}. `path` is its place, such as `patterns[0].weights`,
 * `index` its position in a list.
 */
type Shape = (value: unknown, path: string, index: number) => unknown;

interface Shaped extends PropertyDeclaration {
  shape?: Shape;
}

class Misfit extends Error {
  constructor(
    readonly property: string,
    readonly expected: string,
    value: unknown,
    readonly got = kindOf(value),
  ) {
    super(`${property}: expected ${expected}, got ${got}`);
  }
}

/** Declares a property of that shape; no attribute sets it. */
export function given(shape: Shape): PropertyDecorator {
  const shaped: Shaped = { attribute: false, shape };
  return property(shaped) as PropertyDecorator;
}

/**
 * An element that follows the language of the page, and that renders an error sentence while one of its properties is
 * malformed (`property/malformed`).
 */
export abstract class CheckedElement extends LitElement {
  private readonly misfits = new Map<PropertyKey, Misfit>();
  private readonly memos = new Map<string, Memo<unknown>>();

  static override finalizeStyles(styles: CSSResultGroup = []): CSSResultOrNative[] {
    return super.finalizeStyles([baseStyles, styles]);
  }

  constructor() {
    super();
    let stop: () => void;
    this.addController({
      hostConnected: () => (stop = onLanguageChange(() => this.requestUpdate())),
      hostDisconnected: () => stop(),
    });
  }

  /** The result of `make`, kept under `name` as long as all `inputs` are the same values. */
  protected memo<Result>(name: string, inputs: readonly unknown[], make: () => Result): Result {
    const known = this.memos.get(name) ?? new Memo<unknown>();
    this.memos.set(name, known);
    return known.get(inputs, make) as Result;
  }

  protected forget(name: string): void {
    this.memos.delete(name);
  }

  protected override shouldUpdate(changed: PropertyValues): boolean {
    const { elementProperties } = this.constructor as typeof LitElement;
    for (const name of [...changed.keys()]) {
      const { shape }: Shaped = elementProperties.get(name) ?? {};
      this.misfits.delete(name);
      try {
        const value: unknown = Reflect.get(this, name);
        const converted = shape ? shape(value, String(name), 0) : value;
        if (converted !== value) Reflect.set(this, name, converted);
      } catch (thrown) {
        if (!(thrown instanceof Misfit)) throw thrown;
        this.misfits.set(name, thrown);
      }
    }
    const [first] = this.misfits.values();
    if (!first) return true;
    const { property, expected, got } = first;
    render(
      html`<p role="alert" part="notice">
        ${message("figure.malformed", { property, expected, got })}
        ${renderDetails(html`<code>property/malformed</code>`)}
      </p>`,
      this.renderRoot,
      this.renderOptions,
    );
    return false;
  }
}

function kindOf(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 24));
  if (Array.isArray(value)) return `array(${value.length})`;
  if (typeof value !== "object" || value === null) return String(value);
  return ArrayBuffer.isView(value)
    ? value.constructor.name
    : `{ ${Object.keys(value).slice(0, 8).join(", ")} }`;
}

function plain(expected: string, isOne: (value: unknown) => boolean): Shape {
  return (value, path) => {
    if (isOne(value)) return value;
    throw new Misfit(path, expected, value);
  };
}

export const TEXT = plain("string", (value) => typeof value === "string");
export const NUMBER = plain("number", (value) => typeof value === "number");
export const COUNT = plain("0, 1, 2 …", (value) => Number.isInteger(value) && Number(value) >= 0);

export function oneOf(...names: readonly unknown[]): Shape {
  const expected = names.map((name) => `"${String(name)}"`).join(" | ");
  return plain(expected, (value) => names.includes(value));
}

export function orNull(shape: Shape): Shape {
  return (value, path, index) => ((value ?? null) === null ? null : shape(value, path, index));
}

/** A list; null and undefined become an empty one. */
export function listOf(item: Shape): Shape {
  return (value, path) => {
    if ((value ?? null) === null) return [];
    if (!Array.isArray(value)) throw new Misfit(path, "array", value);
    const all: unknown[] = value;
    const converted = all.map((one, index) => item(one, `${path}[${index}]`, index));
    return converted.some((one, index) => one !== all[index]) ? converted : all;
  };
}

export function record(fields: Readonly<Record<string, Shape>>): Shape {
  const expected = `{ ${Object.keys(fields).join(", ")} }`;
  return (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new Misfit(path, expected, value);
    let converted: object = value;
    for (const [name, shape] of Object.entries(fields)) {
      const own: unknown = Reflect.get(value, name);
      const field = shape(own, `${path}.${name}`, 0);
      if (field !== own) converted = { ...converted, [name]: field };
    }
    return converted;
  };
}

/** An array of numbers of any kind, converted to f32. */
export const NUMBERS: Shape = (value, path) => {
  if (value instanceof Float32Array) return value;
  const isView = ArrayBuffer.isView(value) && !(value instanceof DataView);
  const numbers: unknown[] =
    Array.isArray(value) || isView ? Array.from(value as number[]) : [null];
  if (numbers.every((one) => typeof one === "number")) return Float32Array.from(numbers);
  throw new Misfit(path, "Float32Array", value);
};

/** A tensor with these axes; for two axes an array of rows is accepted too. */
export function tensor(...axes: string[]): Shape {
  const expected = `{ data: Float32Array, shape: [${axes.join(", ")}], axes }`;
  const fields = record({ data: NUMBERS, shape: listOf(COUNT) });
  return (value, path) => {
    const rows = axes.length === 2 && Array.isArray(value) && value.every(Array.isArray);
    const given: unknown = rows
      ? { data: value.flat(), shape: [value.length, value[0]?.length ?? 0] }
      : value;
    if (typeof given !== "object" || given === null || !("data" in given && "shape" in given))
      throw new Misfit(path, expected, value);
    const converted = fields(given, path, 0) as Omit<Tensor, "axes"> & Partial<Tensor>;
    const { length } = converted.data;
    const { shape } = converted;
    const isFull = shape.reduce((size, side) => size * side, 1) === length;
    if (shape.length !== axes.length || !isFull)
      throw new Misfit(path, expected, value, `data: ${length}, shape: [${shape.join(", ")}]`);
    return converted.axes ? converted : { ...converted, axes };
  };
}

const TOKEN = record({ text: TEXT, word: NUMBER });
/** Tokens; a string is a token that is a word of its own. */
export const TOKENS = listOf((value, path, index) =>
  typeof value === "string" ? wordToken(value, index) : TOKEN(value, path, index),
);

export function wordToken(text: string, index: number): Token {
  return { id: index, text, word: index, special: false, role: null };
}

export const MATRIX = tensor("query", "key");
export const VECTORS = tensor("position", "dimension");
export const CELL = record({ query: COUNT, key: COUNT });
export const HEAD = record({ layer: COUNT, head: COUNT });
export const STACK = oneOf("encoder", "decoder", "cross");
export const STAGE = oneOf("raw", "scores", "masked", "weights");
export const PALETTE = oneOf(...PALETTES);
export const STEP_CELL = record({ step: TEXT, row: COUNT, column: COUNT });
export const STEP_PLACE = record({ stack: STACK, layer: COUNT, head: COUNT, step: TEXT });
export const EXPLANATION = record({
  operation: record({}),
  lines: listOf(record({ source: record({}), values: NUMBERS })),
  value: NUMBER,
});
