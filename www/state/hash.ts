import { PALETTES } from "../data/index.js";
import { LANGUAGES } from "../i18n/index.js";
import { decodeEdits, encodeEdits } from "./edit-codec.js";
import {
  decodeCell,
  decodeIndex,
  decodeIndices,
  encodeCell,
  encodeIndices,
} from "./place-codec.js";
import { decodeLabs } from "./lab-codec.js";
import { decodePairs, encodePairs } from "./pair-codec.js";
import { decodePicked, encodePicked } from "./picked-codec.js";
import { decodeRegion, encodeRegion } from "./region-codec.js";
import { decodeNumbers, encodeNumbers } from "./workbench-codec.js";
import { decodeStepCell, encodeStepCell } from "./step-codec.js";
import {
  ALIGNMENTS,
  BACKENDS,
  BENCHES,
  BUNDLED_MODELS,
  COMPARISONS,
  DEFAULT_STATE,
  HEAD_SORTS,
  isBundled,
  PICTURES,
  ROLE_FILTERS,
  SINKS,
  SPECIALS,
  STACKS,
  STAGES,
  STATE_VERSION,
  THEMES,
  TOUR,
  UNITS,
  type ModelName,
  type State,
} from "./state.js";

/** How one field is written into the address and read back; undefined when the text is not readable. */
interface Field<Value> {
  name: string;
  /** How it is written, by example, the same in every language. */
  form: string;
  encode: (value: Value) => string;
  decode: (text: string) => Value | undefined;
}

/** The same without its name. */
type Written<Value> = Omit<Field<Value>, "name">;

/** The one table between the State and the address. A field at its default is not written. */
const FIELDS: { readonly [Key in keyof State]: Field<State[Key]> } = {
  model: { name: "model", ...bundledModel() },
  text: { name: "text", ...anyText() },
  hidden: { name: "hidden", ...positions() },
  target: { name: "target", ...orNull(anyText()) },
  stack: { name: "stack", ...oneOf(STACKS) },
  layer: { name: "layer", ...index() },
  head: { name: "head", ...index() },
  roleFilter: { name: "role", ...orNull(oneOf(ROLE_FILTERS)) },
  headSort: { name: "sort", ...oneOf(HEAD_SORTS) },
  stage: { name: "stage", ...oneOf(STAGES) },
  locked: { name: "cell", ...orNull({ form: "3-5", encode: encodeCell, decode: decodeCell }) },
  picked: {
    name: "picked",
    ...orNull({ form: "s2,5", encode: encodePicked, decode: decodePicked }),
  },
  unit: { name: "by", ...oneOf(UNITS) },
  specials: { name: "specials", ...oneOf(SPECIALS) },
  sink: { name: "sink", ...oneOf(SINKS) },
  picture: { name: "picture", ...oneOf(PICTURES) },
  region: {
    name: "region",
    ...orNull({ form: "11-40x1-30", encode: encodeRegion, decode: decodeRegion }),
  },
  mass: { name: "mass", ...percentage() },
  beside: { name: "beside", ...positions() },
  number: {
    name: "number",
    ...orNull({ form: "context.2-3", encode: encodeStepCell, decode: decodeStepCell }),
  },
  edits: { name: "edits", form: "c2.3!5-7;c2.3x0", encode: encodeEdits, decode: decodeEdits },
  bench: { name: "bench", ...orNull(oneOf(BENCHES)) },
  labs: {
    name: "labs",
    ...orNull({ form: "waves(dim-128)", encode: (labs: string) => labs, decode: decodeLabs }),
  },
  numbers: {
    name: "numbers",
    ...orNull({ form: "a,b/1,0;0,1/…", encode: encodeNumbers, decode: decodeNumbers }),
  },
  compare: { name: "compare", ...orNull(oneOf(COMPARISONS)) },
  otherText: { name: "other", ...orNull(anyText()) },
  otherModel: { name: "othermodel", ...bundledModelOrNone() },
  aligned: { name: "aligned", ...oneOf(ALIGNMENTS) },
  pairs: { name: "pairs", form: "s3-4,t2-5", encode: encodePairs, decode: decodePairs },
  tour: { name: "tour", ...orNull(numbered(TOUR)) },
  backend: { name: "backend", ...oneOf(BACKENDS) },
  colours: { name: "colours", ...oneOf(PALETTES) },
  theme: { name: "theme", ...oneOf(THEMES) },
  language: { name: "language", ...orNull(oneOf(LANGUAGES.map(({ code }) => code))) },
};

/** What an address or a file says, and what in it could not be read. */
export interface Decoded {
  state: State;
  /** The fields that it says something about; all others are at their default. */
  said: (keyof State)[];
  /** Names of the fields that were unknown or broken and stayed at their default. */
  unread: string[];
  /** Whether a newer page wrote it. */
  newer: boolean;
}

/** Mail, chats and servers cut longer addresses: no link is longer, and a file is offered instead. */
export const LONGEST_LINK = 16 * 1024;

/** Nothing longer is read: such an address was made to hold the page up. */
const LONGEST_READ = 4 * LONGEST_LINK;

/** The address of a State, without the leading `#`. */
export function encodeState(state: State): string {
  return join(encodeFields(state));
}

/** The address of as much of a State as a link can carry: the longest fields are left out first. */
export function encodeShort(state: State): string {
  const fields = encodeFields(state);
  while (join(fields).length > LONGEST_LINK) {
    const longest = Math.max(...fields.map((field) => join([field]).length));
    fields.splice(
      fields.findIndex((field) => join([field]).length === longest),
      1,
    );
  }
  return join(fields);
}

function join(fields: readonly [name: string, text: string][]): string {
  return [
    `v=${STATE_VERSION}`,
    ...fields.map(([name, text]) => `${name}=${escapeText(text)}`),
  ].join("&");
}

/** Reads an address. Never throws: what is unknown or broken keeps its default and is named in the result. */
export function decodeState(hash: string): Decoded {
  const address = hash.replace(/^#/, "");
  if (address.length > LONGEST_READ)
    return { state: DEFAULT_STATE, said: [], unread: ["#"], newer: false };
  return decodeWhole(address);
}

/** Reads an address of any length, which this page wrote itself. */
export function decodeWhole(address: string): Decoded {
  let newer = false;
  let noVersion = false;
  const fields: [string, string | undefined][] = [];
  for (const part of address.split("&")) {
    if (part === "") continue;
    const at = part.indexOf("=");
    // What has no name is named by what it says.
    const name = at < 1 ? part : part.slice(0, at);
    const text = unescapeText(at < 0 ? "" : part.slice(at + 1));
    if (name !== "v") fields.push([name, text]);
    else if (text === undefined || !/^[1-9]\d*$/.test(text)) noVersion = true;
    else newer = Number(text) > STATE_VERSION;
  }
  const decoded = decodeFields(fields);
  return { ...decoded, unread: noVersion ? ["v", ...decoded.unread] : decoded.unread, newer };
}

/**
 * The fields of a State that are not at their default, by their names in the address. On a step of the tour the model
 * is always among them: the step alone would stand for what the step shows.
 */
export function encodeFields(state: State): [name: string, text: string][] {
  return fieldKeys().flatMap((key) => {
    const text = encodeField(key, state[key], DEFAULT_STATE[key]);
    if (text !== undefined) return [[FIELDS[key].name, text]];
    return key === "model" && state.tour !== null ? [[FIELDS.model.name, DEFAULT_STATE.model]] : [];
  });
}

/** Reads fields; one without a text could not be read so far either. */
export function decodeFields(
  fields: Iterable<[name: string, text: string | undefined]>,
): Omit<Decoded, "newer"> {
  let state = DEFAULT_STATE;
  const said: (keyof State)[] = [];
  const unread: string[] = [];
  for (const [name, text] of fields) {
    const key = fieldKeys().find((candidate) => FIELDS[candidate].name === name);
    const value = key && text !== undefined ? FIELDS[key].decode(text) : undefined;
    if (key === undefined || value === undefined) {
      unread.push(name.slice(0, 24));
    } else {
      state = { ...state, [key]: value };
      said.push(key);
    }
  }
  return { state, said, unread };
}

/** What an address calls the fields of a State. */
export function fieldNames(): string[] {
  return fieldKeys().map((key) => FIELDS[key].name);
}

/** How a field is written, by its name in the address. */
export function formOf(name: string): string {
  return (
    fieldKeys().flatMap((key) => (FIELDS[key].name === name ? [FIELDS[key].form] : []))[0] ?? ""
  );
}

/** One field of a State, by its name in the address and as written there. */
export function writtenField<Key extends keyof State>(
  key: Key,
  state: Pick<State, Key>,
): { name: string; text: string } {
  const { name, encode } = FIELDS[key];
  return { name, text: encode(state[key]) };
}

function fieldKeys(): (keyof State)[] {
  return Object.keys(FIELDS).filter((key): key is keyof State => Object.hasOwn(DEFAULT_STATE, key));
}

/** Undefined for a field at its default. */
function encodeField<Key extends keyof State>(
  key: Key,
  value: State[Key],
  usual: State[Key],
): string | undefined {
  if (value === null) return undefined;
  const text = FIELDS[key].encode(value);
  return usual !== null && FIELDS[key].encode(usual) === text ? undefined : text;
}

/** Percent-encoding that keeps sentences readable: a space becomes `+`. */
function escapeText(text: string): string {
  return encodeURIComponent(text.replace(LONE_SURROGATES, "\uFFFD"))
    .replaceAll("%20", "+")
    .replaceAll("%2C", ",")
    .replaceAll("%3B", ";")
    .replaceAll("%2F", "/");
}

function unescapeText(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined; // A broken escape: the caller names the field.
  }
}

/** Half a character, which no address can carry. */
const LONE_SURROGATES = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

function anyText(): Written<string> {
  return { form: "…", encode: (value) => value, decode: (text) => text };
}

/** A model that was opened from a disk is left out of the address: nobody else has it. */
function bundledModel(): Written<ModelName> {
  return {
    ...oneOf<ModelName>(BUNDLED_MODELS),
    encode: (value) => (isBundled(value) ? value : DEFAULT_STATE.model),
  };
}

/** The same of a second model: one from a disk is written as none, and the text stands beside itself. */
function bundledModelOrNone(): Written<ModelName | null> {
  return {
    form: bundledModel().form,
    encode: (value) => (value !== null && isBundled(value) ? value : ""),
    decode: (text) => (text === "" ? null : oneOf(BUNDLED_MODELS).decode(text)),
  };
}

/** Positions in the order given, each once. */
function positions(): Written<readonly number[]> {
  const once = (indices: number[] | undefined): number[] | undefined =>
    indices && [...new Set(indices)];
  return { form: "2,4", encode: encodeIndices, decode: (text) => once(decodeIndices(text)) };
}

function index(): Written<number> {
  return { form: "1, 2, 3 …", encode: (value) => String(value + 1), decode: decodeIndex };
}

/** A whole number from 1 to 100. */
function percentage(): Written<number> {
  return {
    form: "1 … 100",
    encode: String,
    decode: (text) => (/^([1-9]\d?|100)$/.test(text) ? Number(text) : undefined),
  };
}

/** One of some names, by its place among them. */
function numbered<Value extends string>(names: readonly Value[]): Written<Value> {
  return {
    form: `1 … ${names.length}`,
    encode: (value) => String(names.indexOf(value) + 1),
    decode: (text) => names[decodeIndex(text) ?? -1],
  };
}

function oneOf<Value extends string>(allowed: readonly Value[]): Written<Value> {
  return {
    form: allowed.join(" | "),
    encode: (value) => value,
    decode: (text) => allowed.find((value) => value === text),
  };
}

/** A field whose null is its default and so is never written. */
function orNull<Value>(inner: Written<Value>): Written<Value | null> {
  return { ...inner, encode: (value) => (value === null ? "" : inner.encode(value)) };
}
