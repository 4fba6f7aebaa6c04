// Checks of the properties of elements. A well-formed value stays the same object; a few plain
// forms, such as strings for tokens and arrays of numbers for tensors, are converted.
import { html, LitElement, render, unsafeCSS } from "lit";
import type { CSSResultGroup, CSSResultOrNative, PropertyDeclaration, PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import { JOINED, PALETTES, SHARES, type Tensor, type Token } from "../../data/index.js";
import { fit, Instead, isRecord, Misfit, orNull, rule, type Shape } from "../../data/shape.js";
import { areLoaded, type LaterPart, loadSentences, message } from "../../i18n/index.js";
import { Memo } from "./controllers.js";
import { LocaleController } from "./locale.js";
import { renderDetails } from "./templates.js";
import base from "../../styles/base.css?inline";

export { orNull };
export const baseStyles = unsafeCSS(base);

interface Shaped extends PropertyDeclaration {
  shape?: Shape;
}

/** Declares a property with a shape; no attribute sets it. */
export function given(shape: Shape): PropertyDecorator {
  const shaped: Shaped = { attribute: false, shape };
  return property(shaped) as PropertyDecorator;
}

/**
 * An element that follows the language around it, and that renders an error sentence while one of
 * its properties is malformed (`property/malformed`).
 */
export abstract class CheckedElement extends LitElement {
  /** The parts of the page's sentences that the element needs beside those of every page. */
  protected static readonly sentences: readonly LaterPart[] = [];
  private readonly misfits = new Map<PropertyKey, Misfit>();
  private readonly memos = new Map<string, Memo<unknown>>();

  static override finalizeStyles(styles: CSSResultGroup = []): CSSResultOrNative[] {
    return super.finalizeStyles([baseStyles, styles]);
  }

  private readonly localeController = new LocaleController(this);

  /** Waits for the element's sentences; without a network its numbers are shown all the same. */
  protected override async scheduleUpdate(): Promise<unknown> {
    const { sentences } = this.constructor as typeof CheckedElement;
    const isWorded = this.localeController.locale.within(() => areLoaded(sentences));
    if (!isWorded) await loadSentences(...sentences).catch(() => undefined);
    return super.scheduleUpdate();
  }

  protected override performUpdate(): void {
    this.localeController.locale.within(() => super.performUpdate());
  }

  /** The result of `make`, cached under `name` as long as all `inputs` are the same values. */
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
      const { shape = "any" }: Shaped = elementProperties.get(name) ?? {};
      const value: unknown = Reflect.get(this, name);
      const fitted = fit(value, shape);
      this.misfits.delete(name);
      if (fitted instanceof Misfit) this.misfits.set(name, fitted);
      else if (fitted !== value) Reflect.set(this, name, fitted);
    }
    const [first] = this.misfits;
    if (!first) return true;
    const [name, { expected, got, path }] = first;
    const property = `${String(name)}${path}`;
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

export function oneOf(...names: readonly unknown[]): Shape {
  const expected = names.map((name) => `"${String(name)}"`).join(" | ");
  return rule(expected, (value) => names.includes(value));
}

/** The shape of a list; null and undefined become an empty list. */
export const listOf =
  (shape: Shape) =>
  (value: unknown): Shape =>
    new Instead(value ?? [], [shape]);

/** The shape of an array of numbers of any type, which is converted to f32. */
export const NUMBERS = (value: unknown): Shape => {
  if (value instanceof Float32Array) return "any";
  const isView = ArrayBuffer.isView(value) && !(value instanceof DataView);
  const numbers: unknown[] =
    Array.isArray(value) || isView ? Array.from(value as number[]) : [null];
  return numbers.every((one) => typeof one === "number")
    ? new Instead(Float32Array.from(numbers))
    : new Misfit("Float32Array", value);
};

/** The shape of a tensor with these axes; with two axes an array of rows is accepted too. */
export function tensor(...axes: string[]): Shape {
  const expected = `{ data: Float32Array, shape: [${axes.join(", ")}], axes }`;
  return (value) => {
    const rows = axes.length === 2 && Array.isArray(value) && value.every(Array.isArray);
    const given: unknown = rows
      ? { data: value.flat(), shape: [value.length, value[0]?.length ?? 0] }
      : value;
    if (!isRecord(given) || !("data" in given && "shape" in given))
      return new Misfit(expected, value);
    const fitted = fit(given, { data: NUMBERS, shape: listOf("count") });
    if (fitted instanceof Misfit) return fitted;
    const { data, shape, axes: own } = fitted as Omit<Tensor, "axes"> & Partial<Tensor>;
    const isFull = shape.reduce((size, side) => size * side, 1) === data.length;
    if (shape.length !== axes.length || !isFull)
      return new Misfit(expected, value, `data: ${data.length}, shape: [${shape.join(", ")}]`);
    return new Instead(own ? fitted : { ...(fitted as object), axes });
  };
}

/** The shape of tokens; a string is a token that is a word on its own. */
export const TOKENS = listOf((value: unknown, index: number) =>
  typeof value === "string"
    ? new Instead(wordToken(value, index))
    : { text: "text", word: "number" },
);

export function wordToken(text: string, index: number): Token {
  return { id: index, text, word: index, special: false, role: null };
}

export const MATRIX = tensor("query", "key");
export const VECTORS = tensor("position", "dimension");
export const CELL: Shape = { query: "count", key: "count" };
export const HEAD: Shape = { layer: "count", head: "count" };
export const STACK = oneOf("encoder", "decoder", "cross");
export const PAIR_NUMBERS = oneOf("raw", "scores", "masked", "weights", ...SHARES, ...JOINED);
export const PALETTE = oneOf(...PALETTES);
