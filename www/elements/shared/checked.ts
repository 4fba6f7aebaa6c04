// Checks of the properties of elements. A well-formed value stays the same object; a few plain
// forms, such as strings for tokens and arrays of numbers for tensors, are converted.
import { html, LitElement, render, unsafeCSS } from "lit";
import type { CSSResultGroup, CSSResultOrNative, PropertyDeclaration, PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import { JOINED, PALETTES, SHARES, type Tensor, type Token } from "../../data/index.js";
import { fit, Instead, isRecord, Misfit, orNull, rule, type Shape } from "../../data/shape.js";
import { areLoaded, type LaterPart, loadSentences, message } from "../../i18n/index.js";
import { equals } from "../../data/equal.js";
import { tellFailure } from "../events.js";
import { Memo } from "./controllers.js";
import { LocaleController } from "./locale.js";
import { renderDetails } from "./templates.js";
import base from "../../styles/base.css?inline";

export { orNull };
export const baseStyles = unsafeCSS(base);

const MALFORMED = "property/malformed";

interface Shaped extends PropertyDeclaration {
  shape?: Shape;
}

/** Declares a property with a shape; no attribute sets it. */
export function given(shape: Shape): PropertyDecorator {
  const shaped: Shaped = { attribute: false, shape };
  return property(shaped) as PropertyDecorator;
}

/** Whether a property has another value: an equal one renders nothing. */
export const isOther = (value: unknown, before: unknown): boolean => !equals(value, before);

/** Declares a property of a small value, which is given anew with each rendering around it. */
export function givenSmall(shape: Shape): PropertyDecorator {
  const shaped: Shaped = { attribute: false, shape, hasChanged: isOther };
  return property(shaped) as PropertyDecorator;
}

/**
 * An element that follows the language around it, and that renders an error sentence while one of
 * its properties is malformed (`property/malformed`).
 *
 * @fires headscope-failed - why it cannot show what it is asked for
 */
export abstract class CheckedElement extends LitElement {
  /** The parts of the page's sentences that the element needs beside those of every page. */
  protected static readonly sentences: readonly LaterPart[] = [];
  private readonly misfits = new Map<PropertyKey, Misfit>();
  /** Sets the attribute `state` as it was before a property was malformed; null where none is. */
  private mend: (() => void) | null = null;
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
    if (!first) {
      // Unless it was told since what the element shows.
      if (this.getAttribute("state") === "failed") this.mend?.();
      this.mend = null;
      return true;
    }
    const [name, { expected, got, path }] = first;
    const property = `${String(name)}${path}`;
    const sentence = message("figure.malformed", { property, expected, got });
    // The class keeps it visible in a figure whose state is `failed`.
    render(
      html`<p role="alert" part="notice" class="notice">
        ${sentence} ${renderDetails(html`<code>${MALFORMED}</code>`)}
      </p>`,
      this.renderRoot,
      this.renderOptions,
    );
    const before = this.getAttribute("state");
    this.mend ??= () => {
      if (before === null) this.removeAttribute("state");
      else this.setAttribute("state", before);
    };
    tellFailure(this, { code: MALFORMED, sentence });
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

/** The values of a list or of a typed array; null for anything else. */
function listIn(value: unknown): unknown[] | null {
  const isView = ArrayBuffer.isView(value) && !(value instanceof DataView);
  return Array.isArray(value) || isView ? Array.from(value as unknown[]) : null;
}

/** The shape of an array of numbers of any type, which is converted to f32. */
export const NUMBERS = (value: unknown): Shape => {
  if (value instanceof Float32Array) return "any";
  const numbers = listIn(value) ?? [null];
  return numbers.every((one) => typeof one === "number")
    ? new Instead(Float32Array.from(numbers))
    : new Misfit("Float32Array", value);
};

/**
 * Numbers in lists of lists, as many deep as there are axes, as one list with its shape; a misfit
 * names the first list of another length, or what is no number.
 */
function unnested(value: unknown, depth: number): { data: number[]; shape: number[] } | Misfit {
  const data: number[] = [];
  const shape: number[] = [];
  const add = (part: unknown, axis: number): Misfit | null => {
    if (axis === depth) {
      if (typeof part !== "number") return new Misfit("a number", part);
      data.push(part);
      return null;
    }
    const list: unknown[] | null = listIn(part);
    if (!list) return new Misfit("a list", part);
    shape[axis] ??= list.length;
    if (list.length !== shape[axis]) return new Misfit(`a list of ${shape[axis]}`, list);
    for (const [at, one] of list.entries()) {
      const misfit = add(one, axis + 1);
      if (!misfit) continue;
      misfit.path = `[${at}]${misfit.path}`;
      return misfit;
    }
    return null;
  };
  const misfit = add(value, 0);
  // An empty list has no number on any further axis.
  return misfit ?? { data, shape: Array.from({ length: depth }, (_, axis) => shape[axis] ?? 0) };
}

/** The shape of a tensor with these axes; lists of lists of numbers are accepted too. */
export function tensor(...axes: string[]): Shape {
  const expected = `{ data: Float32Array, shape: [${axes.join(", ")}], axes }`;
  return (value) => {
    const given = Array.isArray(value) ? unnested(value, axes.length) : value;
    if (given instanceof Misfit) return given;
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

const TOKEN_LIST = listOf((value: unknown, index: number) =>
  typeof value === "string"
    ? new Instead(wordToken(value, index))
    : { text: "text", word: "number" },
);

/** The shape of tokens; a string is a token that is a word on its own. */
export const TOKENS = (value: unknown): Shape => (areTokens(value) ? "any" : TOKEN_LIST(value));

/** Whether a value is a list of whole tokens; a loop without calls, for each text of a letter. */
function areTokens(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  for (const one of value as readonly (Partial<Token> | null | undefined)[])
    if (typeof one?.text !== "string" || typeof one.word !== "number") return false;
  return true;
}

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
