import { type Cell, PALETTES, type Region, type StepCell, STEPS } from "../data/index.js";
import { LANGUAGES } from "../i18n/index.js";
import {
  decodeEdits,
  decodeJson,
  decodeNumbers,
  encodeEdits,
  encodeJson,
  encodeNumbers,
  isRecord,
} from "./json.js";
import type { Picked } from "./state.js";
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
  type HandPair,
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
  locked: { name: "cell", ...orNull(cell()) },
  picked: { name: "picked", ...orNull(picked()) },
  unit: { name: "by", ...oneOf(UNITS) },
  specials: { name: "specials", ...oneOf(SPECIALS) },
  sink: { name: "sink", ...oneOf(SINKS) },
  picture: { name: "picture", ...oneOf(PICTURES) },
  region: { name: "region", ...orNull(region()) },
  mass: { name: "mass", ...percentage() },
  beside: { name: "beside", ...positions() },
  number: { name: "number", ...orNull(stepCell()) },
  edits: {
    name: "edits",
    form: "{'heads':[{'stack':'cross','layers':[1],'gate':0}]}",
    encode: encodeEdits,
    decode: decodeEdits,
  },
  bench: { name: "bench", ...orNull(oneOf(BENCHES)) },
  labs: {
    name: "labs",
    // What demos and settings there are, the page says (`views/demos/fields.ts`).
    ...orNull({
      form: "waves(dim-128)",
      encode: (labs: string) => labs,
      decode: (text) => (/^(?:\w+\([\w.,-]*\))+$/.test(text) ? text : undefined),
    }),
  },
  numbers: {
    name: "numbers",
    ...orNull({
      form: "{'words':['a','b'],'x':[[1,0],[0,1]],…}",
      encode: encodeNumbers,
      decode: decodeNumbers,
    }),
  },
  compare: { name: "compare", ...orNull(oneOf(COMPARISONS)) },
  otherText: { name: "other", ...orNull(anyText()) },
  otherModel: { name: "othermodel", ...bundledModelOrNone() },
  aligned: { name: "aligned", ...oneOf(ALIGNMENTS) },
  pairs: { name: "pairs", ...pairs() },
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

/** Percent-encoding that leaves sentences and JSON readable: a space becomes `+`, and no `,/:;[]{}` is escaped. */
function escapeText(text: string): string {
  return encodeURIComponent(text.replace(LONE_SURROGATES, "\uFFFD"))
    .replaceAll("%20", "+")
    .replace(/%(?:2C|2F|3A|3B|5B|5D|7B|7D)/g, decodeURIComponent);
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

/** Positions, counted from one in the order given, each once. */
function positions(): Written<readonly number[]> {
  return {
    form: "2,4",
    encode: (indices) => indices.map(shown).join(","),
    decode: (text) => (text === "" ? [] : decodeIndices(text)),
  };
}

function index(): Written<number> {
  return { form: "1, 2, 3 …", encode: shown, decode: decodeIndex };
}

/** As the address and the page count: from one. */
function shown(index: number): string {
  return String(index + 1);
}

function decodeIndex(text = ""): number | undefined {
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  return number >= 1 && Number.isSafeInteger(number) ? number - 1 : undefined;
}

function decodeIndices(text = ""): number[] | undefined {
  const indices = text.split(",").map(decodeIndex);
  return indices.every((index) => index !== undefined) ? [...new Set(indices)] : undefined;
}

/** Places that follow a letter or a name; `read` has what stands before them, and as many places as `pattern` has. */
function placed<Value>(
  { form, pattern, encode }: Pick<Written<Value>, "form" | "encode"> & { pattern: RegExp },
  read: (
    name: string,
    first: number,
    second: number,
    third: number,
    fourth: number,
  ) => Value | undefined,
): Written<Value> {
  return {
    form,
    encode,
    decode: (text) => {
      const { name = "", ...found } = pattern.exec(text)?.groups ?? {};
      const places = Object.values(found).map(decodeIndex);
      const [first = 0, second = 0, third = 0, fourth = 0] = places;
      return places.length === 0 || places.includes(undefined)
        ? undefined
        : read(name, first, second, third, fourth);
    },
  };
}

/** Query and key of a pair. */
function cell(): Written<Cell> {
  return placed<Cell>(
    {
      form: "3-5",
      pattern: /^(?<query>\d+)-(?<key>\d+)$/,
      encode: ({ query, key }) => `${shown(query)}-${shown(key)}`,
    },
    (_, query, key) => ({ query, key }),
  );
}

/** First and last row, first and last column. */
function region(): Written<Region> {
  return placed<Region>(
    {
      form: "11-40x1-30",
      pattern: /^(?<top>\d+)-(?<bottom>\d+)x(?<left>\d+)-(?<right>\d+)$/,
      encode: ({ query, key, rows, columns }) =>
        `${shown(query)}-${query + rows}x${shown(key)}-${key + columns}`,
    },
    (_, query, bottom, key, right) =>
      bottom < query || right < key
        ? undefined
        : { query, key, rows: bottom - query + 1, columns: right - key + 1 },
  );
}

/** Row and column of a step. */
function stepCell(): Written<StepCell> {
  return placed<StepCell>(
    {
      form: "context.2-3",
      pattern: /^(?<name>[a-z-]+)\.(?<row>\d+)-(?<column>\d+)$/,
      encode: ({ step, row, column }) => `${step}.${shown(row)}-${shown(column)}`,
    },
    (name, row, column) => {
      const step = STEPS.find((candidate) => candidate === name);
      return step && { step, row, column };
    },
  );
}

/** Chosen counterparts: the source text or the target, and a token of each of the two runs. */
function pairs(): Written<readonly HandPair[]> {
  const pair = placed<HandPair>(
    {
      form: "s3-4,t2-5",
      pattern: /^(?<name>[st])(?<one>\d+)-(?<other>\d+)$/,
      encode: ({ side, one, other }) => `${side.charAt(0)}${shown(one)}-${shown(other)}`,
    },
    (name, one, other) => ({ side: sideOf(name), one, other }),
  );
  return {
    form: pair.form,
    encode: (list) => list.map(pair.encode).join(","),
    decode: (text) => {
      const list = text === "" ? [] : text.split(",").map(pair.decode);
      return list.every((one) => one !== undefined) ? list : undefined;
    },
  };
}

/** Tokens of the source text or the target, whether their mean is shown, and whether what attends to them. */
function picked(): Written<Picked> {
  return {
    form: "s2,5",
    encode: ({ side, tokens, pool, looking }) =>
      `${side.charAt(0)}${positions().encode(tokens)}${pool === "mean" ? ".mean" : ""}${looking === "to" ? ".to" : ""}`,
    decode: (text) => {
      const [, letter, list, mean, to] = /^([st])([\d,]+)(\.mean)?(\.to)?$/.exec(text) ?? [];
      const tokens = decodeIndices(list);
      return (
        tokens && {
          side: sideOf(letter),
          tokens,
          pool: mean ? "mean" : "sum",
          looking: to ? "to" : "from",
        }
      );
    },
  };
}

function sideOf(letter: string | undefined): HandPair["side"] {
  return letter === "s" ? "source" : "target";
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

/** No State that a person makes is as large; reading more would only hold the page up. */
export const LARGEST_FILE_BYTES = 4_000_000;

/** Why a file is none. */
export type FileProblem = "not-json" | "not-a-page";

/** The fields that are objects in a file. */
const OBJECTS: readonly string[] = [FIELDS.edits.name, FIELDS.numbers.name];

/** A State as the text of a file: JSON, each field as an address writes it or as the object that it is. */
export function encodeFile(state: State): string {
  const fields = encodeFields(state).map(([name, text]): [string, unknown] => [
    name,
    OBJECTS.includes(name) ? decodeJson(text) : text,
  ]);
  return `${JSON.stringify({ headscope: STATE_VERSION, state: Object.fromEntries(fields) }, null, 2)}\n`;
}

/** Reads such a text. Fields that are unknown or broken keep their default and are named, as in an address. */
export function decodeFile(text: string): Decoded | FileProblem {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return "not-json";
  }
  if (!isRecord(content) || typeof content.headscope !== "number" || !isRecord(content.state))
    return "not-a-page";
  const fields = Object.entries(content.state).map(
    ([name, value]): [string, string | undefined] => [
      name,
      typeof value === "string" ? value : isRecord(value) ? encodeJson(value) : undefined,
    ],
  );
  return { ...decodeFields(fields), newer: content.headscope > STATE_VERSION };
}
