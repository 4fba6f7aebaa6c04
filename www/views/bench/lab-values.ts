import type { MessageKey } from "../../i18n/index.js";
import type { State } from "../../state/index.js";

/*
 * What a setting of a laboratory can be, and how an address writes it: with letters, digits, dots, hyphens and underscores,
 * which mean nothing to the list of laboratories (`state/lab-codec.ts`).
 */

/** A kind of setting. `decode` knows no other text than one that it can take. */
export interface LabValue<Value> {
  encode: (value: Value) => string;
  decode: (text: string) => Value | undefined;
}

/** Any kind of setting. */
export interface Kind {
  encode: (value: never) => string;
  decode: (text: string) => unknown;
  opens?: unknown;
  within?: Bounds;
}

/** The other settings of a demo, by their names. */
export type Others = (key: string) => number;

export interface Within {
  least?: number;
  most?: number;
}

/** What a number is bounded by beside its own range: by other settings of its demo, or by what else the State has. */
export type Bounds = (of: Others, state: Pick<State, "numbers">) => Within;

interface FieldBase<Value> extends LabValue<Value> {
  /** What it is without a link. */
  opens: Value;
  label: MessageKey;
  /** Whether another value is another question to the engine. */
  asks?: boolean;
}

/** A number of a demo: its slider, its range and its bounds. */
export interface NumberField extends FieldBase<number> {
  control: "number";
  least: number;
  most: number;
  /** What the slider moves by; 0 for one of factors, whose numbers need not be whole. */
  step: number;
  even: boolean;
  /** What the reader counts from, where the demo counts from 0. */
  from: number;
  within?: Bounds;
  /** Whether its control stands beside the view that it belongs to. */
  inView?: boolean;
  /** What the number stands for, where that is another: what is read beside its slider, which has no field. */
  told?: (value: number) => string;
}

/** One of a few words or numbers, side by side or in a list. */
export interface ChoiceField<Value extends string | number = string | number>
  extends FieldBase<Value> {
  control: "choice";
  /** A list where the page says what there is to choose from. */
  look: "segments" | "list";
  options: readonly Value[];
  /** Null where the option says it itself. */
  named: (option: Value) => MessageKey | null;
  inView?: boolean;
}

/** Any of a few words, each by a button of its own. */
export interface SomeField<Value extends string = string> extends FieldBase<readonly Value[]> {
  control: "some";
  options: readonly Value[];
  named: (option: Value) => MessageKey;
}

export interface FlagField extends FieldBase<boolean> {
  control: "flag";
}

/** A text of the reader's own. */
export interface TextField extends FieldBase<string> {
  control: "text";
  /** Whether it has several lines. */
  long: boolean;
}

export type Field = NumberField | ChoiceField | SomeField | FlagField | TextField;

export function number(
  opens: number,
  label: MessageKey,
  range: Pick<NumberField, "least" | "most" | "within" | "inView" | "told"> & {
    step?: number;
    even?: boolean;
  },
): NumberField {
  const { step = 1, even = false, inView = false } = range;
  return {
    ...numberIn({ ...range, whole: step > 0, even }),
    ...range,
    control: "number",
    opens,
    label,
    step,
    even,
    from: 0,
    asks: !inView,
  };
}

/** A place among `count`, which the reader counts from 1. */
export function place(
  label: MessageKey,
  most: number,
  count?: (of: Others) => number,
): NumberField {
  const within: Bounds = (of) => (count ? { most: count(of) - 1 } : {});
  return { ...number(0, label, { least: 0, most: most - 1, within }), ...placeTo(most), from: 1 };
}

/** A place among what the page says there is, in a list. */
export function placeInList(label: MessageKey, most: number): ChoiceField<number> {
  return { ...choice<number>(0, label, { options: [], look: "list" }), ...placeTo(most) };
}

interface ChoiceParts<Value> {
  options: readonly Value[];
  named?: (option: Value) => MessageKey | null;
  look?: ChoiceField["look"];
  inView?: boolean;
  asks?: boolean;
}

export function choice<Value extends string | number>(
  opens: Value,
  label: MessageKey,
  parts: ChoiceParts<Value>,
): ChoiceField<Value> {
  const { options, named = () => null, look = "segments", inView = false, asks = !inView } = parts;
  return { ...oneOf(options), control: "choice", opens, label, options, named, look, inView, asks };
}

export function some<Value extends string>(
  opens: readonly Value[],
  label: MessageKey,
  parts: Pick<SomeField<Value>, "options" | "named" | "asks">,
): SomeField<Value> {
  return { ...someOf(parts.options), ...parts, control: "some", opens, label };
}

export function flag(
  opens: boolean,
  label: MessageKey,
  { asks = true }: { asks?: boolean } = {},
): FlagField {
  return { ...FLAG, control: "flag", opens, label, asks };
}

export function text(opens: string, label: MessageKey, long = false): TextField {
  return { ...TEXT, control: "text", opens, label, long };
}

/** The nearest number to `value` inside these bounds. */
export function nearest(value: number, { least = -Infinity, most = Infinity }: Within): number {
  return Math.max(least, Math.min(most, value));
}

/** The nearest place, from 0, among so many. */
export function placeIn(count: number, place: number): number {
  return Math.min(place, count - 1);
}

/** What numbers a setting can be. */
export interface LabRange {
  readonly least: number;
  readonly most: number;
  readonly whole?: boolean;
  readonly even?: boolean;
}

export function numberIn({ least, most, whole = true, even = false }: LabRange): LabValue<number> {
  const takes = (value: number): boolean =>
    value >= least &&
    value <= most &&
    (!whole || Number.isInteger(value)) &&
    (!even || value % 2 === 0);
  return {
    encode: String,
    decode: (text) => {
      const value = /^\d/.test(text) ? Number(text) : NaN;
      return takes(value) ? value : undefined;
    },
  };
}

/** A place that people count from one and programs from nought; of which text or model, its laboratory knows. */
export function placeTo(most: number): LabValue<number> {
  const counted = numberIn({ least: 1, most });
  const from0 = (place: number | undefined): number | undefined =>
    place === undefined ? undefined : place - 1;
  return {
    encode: (place) => counted.encode(place + 1),
    decode: (text) => from0(counted.decode(text)),
  };
}

/** One of a few words or numbers. */
export function oneOf<Value extends string | number>(choices: readonly Value[]): LabValue<Value> {
  return { encode: String, decode: (text) => choices.find((one) => String(one) === text) };
}

/** Any of a few words, each once, with a dot between them. */
export function someOf<Value extends string>(
  choices: readonly Value[],
): LabValue<readonly Value[]> {
  return {
    encode: (values) =>
      choices
        .filter((one) => values.includes(one))
        .map(wordOf)
        .join("."),
    decode: (text) => {
      const words = text === "" ? [] : text.split(".");
      const found = choices.filter((one) => words.includes(wordOf(one)));
      return found.length === words.length ? found : undefined;
    },
  };
}

export const FLAG: LabValue<boolean> = {
  encode: (on) => (on ? "yes" : "no"),
  decode: (text) => (text === "yes" ? true : text === "no" ? false : undefined),
};

/** A reader's own text: a space is an underscore, and what may not stand there itself is its code point between dots. */
export const TEXT: LabValue<string> = {
  encode: (text) =>
    text.replace(/[^A-Za-z0-9-]/gu, (character) =>
      character === " " ? "_" : `.${wellFormed(character).toString(16)}.`,
    ),
  decode: (text) => {
    if (!/^(?:[A-Za-z0-9_-]|\.[\da-f]{1,6}\.)*$/.test(text)) return undefined;
    const codes = [...text.matchAll(/\.([\da-f]+)\./g)].map(([, code = ""]) => parseInt(code, 16));
    if (!codes.every((code) => code <= LAST_CODE && !isHalf(code))) return undefined;
    return text
      .replaceAll("_", " ")
      .replace(/\.([\da-f]+)\./g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)));
  },
};

const LAST_CODE = 0x10ffff;
const UNKNOWN = 0xfffd;

/** Half a character, which no text of a link has. */
function isHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function wellFormed(character: string): number {
  const code = character.codePointAt(0) ?? UNKNOWN;
  return isHalf(code) ? UNKNOWN : code;
}

function wordOf(word: string): string {
  return word.replaceAll("-", "_");
}
