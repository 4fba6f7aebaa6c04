/*
 * The fields of a demo: control, bounds and part of the address follow from them alone.
 *
 *   demos = { demo "(" setting *( "," setting ) ")" }      setting = key "-" value
 *
 * The names of a demo and of its fields are letters and digits: a hyphen ends the name of a field.
 * A value is written with letters, digits, dots, hyphens and underscores only.
 */
import type { MessageKey } from "../i18n/index.js";
import { type State } from "../state/index.js";
import { MOST_SIDE, TUTORIAL } from "../state/matrix-changes.js";

export type Value = number | string | boolean | readonly string[];
export type Values = Readonly<Record<string, Value>>;
/** The part of the State that bounds some fields, besides the other fields of their demo. */
export type Numbers = Pick<State, "numbers">;

export interface Range {
  least?: number;
  most?: number;
}

interface FieldBase {
  /**
   * The name of the field. A field without one is a place on the page: no step of undo, and no
   * control in the demo's form.
   */
  label?: MessageKey;
  /** False if only the views depend on the value, not the answer. */
  asks?: false;
  /** Whether the control is in the view that names it, and not in the form. */
  inView?: boolean;
}

/** The limits of a number field. */
export interface NumberLimits {
  least: number;
  most: number;
  /**
   * The step of a key or a slider, by default 1. With a step below 1, numbers need not be whole,
   * and with 0 a slider is logarithmic. The number of a field, which an address holds, is whole
   * except with 0.
   */
  step?: number;
  even?: boolean;
  /** The text for a number, which a slider shows in place of a number field. */
  words?: (value: number) => string;
}

/** A number field; `opens` is the value without a link. */
interface NumberField extends FieldBase, NumberLimits {
  control: "number";
  opens: number;
  /** The number that users and addresses count from, if code counts from 0. */
  from?: 1;
  /** Whether the number is chosen from a list, whose options the page gives. */
  list?: boolean;
  /** Further bounds, by other numbers of the demo or by the State. */
  within?: (of: (key: string) => number, state: Numbers) => Range;
}

interface Options<Value, Option = Value> extends FieldBase {
  opens: Value;
  options: readonly Option[];
  /** The names of the options; an option without a name shows its value. */
  names?: Readonly<Partial<Record<string, MessageKey>>>;
  list?: boolean;
}

export type Field =
  | NumberField
  | (Options<string | number> & { control: "choice" })
  /** Any of the options, each with a toggle. */
  | (Options<readonly string[], string> & { control: "some" })
  | (FieldBase & { control: "flag"; opens: boolean })
  /** A text field; a `long` text has several lines. */
  | (FieldBase & { control: "text"; opens: string; long?: boolean });
export type Fields = Readonly<Record<string, Field>>;

/** The parts of the experiments with heads. */
export const HEAD_PARTS = ["heads", "blocks", "ranking", "pruning", "stream", "gradients"] as const;
/** The base of sinusoidal positional encoding (Vaswani et al. 2017, section 3.5). */
export const PAPER_BASE = 10_000;

export const IN_VIEW = { inView: true, asks: false } as const;
export const BASES = { least: 1, most: 1_000_000, step: 0 } as const;
export const SEEDS = { least: 0, most: 9999 } as const;
/** The limits of a position in a text or a dimension of a model, beyond any real one. */
export const PLACES = { least: 0, most: 99_999, from: 1 } as const;
/** The bound of a head by the demo's number of heads. */
const within: NumberField["within"] = (of) => ({ most: of("heads") - 1 });
export const HEADS = { least: 0, from: 1, within } as const;

type More<Own> = Omit<Own, "control" | "opens" | "label" | "options">;

export function number(opens: number, label: MessageKey, range: More<NumberField>): NumberField {
  return { control: "number", opens, label, ...range };
}

export function choice<const Option extends string | number>(
  label: MessageKey,
  options: readonly Option[],
  opens: NoInfer<Option>,
  more: More<Options<Option>> = {},
) {
  return { control: "choice", opens, label, options, ...more } as const;
}

/** A choice whose options are named by messages with this prefix. */
export function named<const Prefix extends string, const Option extends string>(
  prefix: Prefix,
  ...chosen: Parameters<typeof choice<Option>>
) {
  return { ...choice(...chosen), names: names(prefix, chosen[1]) } as const;
}

export function names<Prefix extends string, Option extends string>(
  prefix: Prefix,
  options: readonly Option[],
): Readonly<Record<Option, `${Prefix}.${Option}`>> {
  const named = options.map((option) => [option, `${prefix}.${option}`] as const);
  return Object.fromEntries(named) as Record<Option, `${Prefix}.${Option}`>;
}

/**
 * The fields of the calculator and of the experiments with heads in the address, besides their
 * demos.
 */
export const NUMBERS = {
  head: {
    control: "number",
    opens: 0,
    least: 0,
    most: MOST_SIDE - 1,
    from: 1,
    within: (_, { numbers }) => ({ most: (numbers ?? TUTORIAL).heads - 1 }),
  },
} as const satisfies Fields;
export const ROOMS = {
  room: { control: "choice", opens: "heads", options: HEAD_PARTS },
} as const satisfies Fields;

type ValueOf<One> = One extends { control: "some"; options: readonly (infer Option)[] }
  ? readonly Option[]
  : One extends { options: readonly (infer Option)[] }
    ? Option
    : One extends { opens: boolean }
      ? boolean
      : One extends { opens: number }
        ? number
        : string;

export type ValuesOf<Of extends Fields> = { readonly [Key in keyof Of]: ValueOf<Of[Key]> };

/** The nearest number to `value` inside these bounds. */
export function nearest(value: number, { least = -Infinity, most = Infinity }: Range): number {
  return Math.max(least, Math.min(most, value));
}

export function encode(field: Field, value: Value): string {
  switch (field.control) {
    case "number":
      return String(Number(value) + (field.from ?? 0));
    case "flag":
      return value === true ? "yes" : "no";
    case "text":
      return encodeText(String(value));
    case "choice":
      return String(value);
    case "some": {
      const chosen = field.options.filter((one) => Array.isArray(value) && value.includes(one));
      return chosen.map(wordOf).join(".");
    }
  }
}

/** The value of a field from an address; undefined for an invalid text. */
export function decode(field: Field, text: string): Value | undefined {
  switch (field.control) {
    case "number": {
      const { least, most, step = 1, even = false, from = 0 } = field;
      const value = /^-?\d/.test(text) ? Number(text) - from : NaN;
      const fits = value >= least && value <= most && (step === 0 || Number.isInteger(value));
      return fits && (!even || value % 2 === 0) ? value : undefined;
    }
    case "flag":
      return text === "yes" ? true : text === "no" ? false : undefined;
    case "text":
      return decodeText(text);
    case "choice":
      return field.options.find((option) => String(option) === text);
    case "some": {
      const words = text === "" ? [] : text.split(".");
      const found = field.options.filter((option) => words.includes(wordOf(option)));
      return found.length === words.length ? found : undefined;
    }
  }
}

const UNKNOWN = 0xfffd;

/**
 * A text for an address: a space is an underscore, and a character that an address cannot have is
 * its code point between dots.
 */
function encodeText(text: string): string {
  return text.replace(/[^A-Za-z0-9-]/gu, (character) => {
    const code = character.codePointAt(0) ?? UNKNOWN;
    return character === " " ? "_" : `.${(isCharacter(code) ? code : UNKNOWN).toString(16)}.`;
  });
}

function decodeText(text: string): string | undefined {
  const codes = [...text.matchAll(/\.([\da-f]+)\./g)].map(([, code = ""]) => parseInt(code, 16));
  const isText = /^(?:[A-Za-z0-9_-]|\.[\da-f]{1,6}\.)*$/.test(text) && codes.every(isCharacter);
  const characterOf = (): string => String.fromCodePoint(codes.shift() ?? UNKNOWN);
  return isText ? text.replaceAll("_", " ").replace(/\.[\da-f]+\./g, characterOf) : undefined;
}

/** Whether a number is a code point, and no surrogate. */
function isCharacter(code: number): boolean {
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

function wordOf(word: string): string {
  return word.replaceAll("-", "_");
}

/** The settings of a demo in an address, by key. */
type Settings = ReadonlyMap<string, string>;

export function settingsByDemo(demos: string | null): Map<string, Settings> {
  const found = (demos ?? "").matchAll(/(\w+)\(([^()]*)\)/g);
  const all = [...found].map(([, name = "", written = ""]) => {
    const settings = [...written.matchAll(/([^-,]+)-?([^,]*)/g)];
    return [name, new Map(settings.map(([, key = "", text = ""]) => [key, text]))] as const;
  });
  return new Map(all);
}

/** The settings of one demo in an address. */
export function settingsIn(demos: string | null, name: string): Settings {
  return settingsByDemo(demos).get(name) ?? new Map();
}

/**
 * The demos field of an address with other settings of one demo; null if all demos have their
 * defaults.
 */
export function withSettings(
  demos: string | null,
  name: string,
  settings: Settings,
): string | null {
  const all = [...settingsByDemo(demos).set(name, settings)].filter(([, { size }]) => size > 0);
  const written = all.map(([key, own]) => {
    return `${key}(${[...own].map(([one, value]) => `${one}-${value}`).join()})`;
  });
  return written.join("") || null;
}

/** The values of a demo that differ from its defaults, as settings. */
export function settingsOf(fields: Fields, values: Values): Settings {
  const settings = Object.entries(fields).flatMap(([key, field]) => {
    const text = encode(field, values[key] ?? field.opens);
    return text === encode(field, field.opens) ? [] : [[key, text] as const];
  });
  return new Map(settings);
}

/** Values set to their bounds, which the other values and the State decide. */
export function bounded(fields: Fields, values: Values, state: Numbers): Values {
  const of = (key: string): number => Number(values[key]);
  const nearer = Object.entries(values).map(([key, value]) => {
    const field = fields[key];
    const within = field?.control === "number" ? field.within : undefined;
    return [key, within ? nearest(Number(value), within(of, state)) : value];
  });
  return Object.fromEntries(nearer) as Values;
}

/**
 * The values of a demo from an address, and the keys of settings that are invalid by themselves or
 * beside the others.
 */
export function valuesIn(fields: Fields, settings: Settings, state: Numbers) {
  const wrong = new Set<string>();
  const asked = Object.fromEntries(Object.entries(fields).map(([key, { opens }]) => [key, opens]));
  for (const [key, text] of settings) {
    const value = Object.hasOwn(fields, key) && fields[key] ? decode(fields[key], text) : undefined;
    if (value === undefined) wrong.add(key);
    else asked[key] = value;
  }
  const values = bounded(fields, asked, state);
  for (const key of settings.keys()) if (values[key] !== asked[key]) wrong.add(key);
  return { values, wrong: [...wrong] };
}
