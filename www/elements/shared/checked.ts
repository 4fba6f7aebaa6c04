// Checks of the properties of elements. A well-formed value stays the same object; a few plain forms, such as strings
// for tokens and arrays of numbers for tensors, are converted.
import {
  type CSSResultGroup,
  type CSSResultOrNative,
  html,
  LitElement,
  render,
  type PropertyDeclaration,
  type PropertyValues,
} from "lit";
import { property } from "lit/decorators.js";
import { PALETTES, type Tensor, type Token } from "../../data/index.js";
import { LanguageController, message } from "../../i18n/index.js";
import { baseStyles } from "./base-styles.js";
import { Memo } from "./controllers.js";

/** Returns the value as the element stores it; throws a {@link Misfit}. `index` is its position in a list. */
type Shape = (value: unknown, index: number) => unknown;

interface Shaped extends PropertyDeclaration {
  shape?: Shape;
}

/** A value of another shape than expected; `path` is its place in the property, such as `[0].weights`. */
class Misfit extends Error {
  constructor(
    readonly expected: string,
    readonly got: string,
    readonly path = "",
  ) {
    super(`${path}: expected ${expected}, got ${got}`);
  }
}

/** Checks a part of a value; `step` is its place in the value. */
function checkPart(step: string, check: () => unknown): unknown {
  try {
    return check();
  } catch (thrown) {
    if (!(thrown instanceof Misfit)) throw thrown;
    throw new Misfit(thrown.expected, thrown.got, step + thrown.path);
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
    new LanguageController(this);
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
    for (const name of [...changed.keys()]) this.check(name);
    const [first] = this.misfits;
    if (!first) return true;
    const [name, { path, expected, got }] = first;
    render(
      html`<p role="alert" part="notice">
        ${message("figure.malformed", { property: `${String(name)}${path}`, expected, got })}
        <code>property/malformed</code>
      </p>`,
      this.renderRoot,
      this.renderOptions,
    );
    return false;
  }

  private check(name: PropertyKey): void {
    const { elementProperties } = this.constructor as typeof LitElement;
    const { shape }: Shaped = elementProperties.get(name) ?? {};
    if (!shape) return;
    this.misfits.delete(name);
    try {
      const value: unknown = Reflect.get(this, name);
      const converted = shape(value, 0);
      if (converted !== value) Reflect.set(this, name, converted);
    } catch (thrown) {
      if (!(thrown instanceof Misfit)) throw thrown;
      this.misfits.set(name, thrown);
    }
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

function misfit(expected: string, value: unknown): Misfit {
  return new Misfit(expected, kindOf(value));
}

function plain(expected: string, isOne: (value: unknown) => boolean): Shape {
  return (value) => {
    if (isOne(value)) return value;
    throw misfit(expected, value);
  };
}

export const TEXT = plain("string", (value) => typeof value === "string");
export const NUMBER = plain("number", (value) => typeof value === "number");
export const COUNT = plain("0, 1, 2 …", (value) => Number.isInteger(value) && Number(value) >= 0);

export function oneOf(...names: readonly unknown[]): Shape {
  return plain(names.map((name) => `"${String(name)}"`).join(" | "), (value) =>
    names.includes(value),
  );
}

export function orNull(shape: Shape): Shape {
  return (value, index) => ((value ?? null) === null ? null : shape(value, index));
}

/** A list; null and undefined become an empty one. */
export function listOf(item: Shape): Shape {
  return (value) => {
    if ((value ?? null) === null) return [];
    if (!Array.isArray(value)) throw misfit("array", value);
    const all: unknown[] = value;
    const converted = all.map((one, index) => checkPart(`[${index}]`, () => item(one, index)));
    return converted.some((one, index) => one !== all[index]) ? converted : all;
  };
}

/** An object with at least these fields. */
export function record(fields: Readonly<Record<string, Shape>>): Shape {
  const expected = `{ ${Object.keys(fields).join(", ")} }`;
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw misfit(expected, value);
    let converted: object = value;
    for (const [name, shape] of Object.entries(fields)) {
      const own: unknown = Reflect.get(value, name);
      const field = checkPart(`.${name}`, () => shape(own, 0));
      if (field !== own) converted = { ...converted, [name]: field };
    }
    return converted;
  };
}

/** An array of numbers of any kind, converted to f32. */
export const NUMBERS: Shape = (value) => {
  if (value instanceof Float32Array) return value;
  const isView = ArrayBuffer.isView(value) && !(value instanceof DataView);
  const numbers: unknown[] =
    Array.isArray(value) || isView ? Array.from(value as number[]) : [null];
  if (!numbers.every((one) => typeof one === "number")) throw misfit("Float32Array", value);
  return Float32Array.from(numbers);
};

/** A tensor with these axes; for two axes an array of rows is accepted too. */
export function tensor(...axes: string[]): Shape {
  const expected = `{ data: Float32Array, shape: [${axes.join(", ")}], axes }`;
  const fields = record({ data: NUMBERS, shape: listOf(COUNT) });
  return (value) => {
    const rows = axes.length === 2 && Array.isArray(value) && value.every(Array.isArray);
    const given: unknown = rows
      ? { data: value.flat(), shape: [value.length, value[0]?.length ?? 0] }
      : value;
    if (typeof given !== "object" || given === null || !("data" in given && "shape" in given))
      throw misfit(expected, value);
    const converted = fields(given, 0) as Omit<Tensor, "axes"> & Partial<Tensor>;
    const { data, shape } = converted;
    if (
      shape.length !== axes.length ||
      shape.reduce((size, side) => size * side, 1) !== data.length
    )
      throw new Misfit(expected, `data: ${data.length}, shape: [${shape.join(", ")}]`);
    return converted.axes ? converted : { ...converted, axes };
  };
}

const TOKEN = record({ text: TEXT, word: NUMBER });

/** Tokens; a string is a token that is a word of its own. */
export const TOKENS = listOf((value, index) => {
  if (typeof value !== "string") return TOKEN(value, index);
  return { id: index, text: value, word: index, special: false, role: null } satisfies Token;
});

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
