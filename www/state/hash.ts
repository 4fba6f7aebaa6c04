import { LANGUAGES } from "../i18n/index.js";
import { decodeCell, decodeEdits, decodeIndex, decodeIndices, encodeCell, encodeEdits, encodeIndices } from "./edit-codec.js";
import { BUNDLED_MODELS, DEFAULT_STATE, isBundled, PICTURES, STACKS, STAGES, STATE_VERSION, THEMES, TOUR, type ModelName, type State } from "./state.js";

/** How one field is written into the address and read back; undefined when the text is not readable. */
interface Field<Value> {
  name: string;
  encode: (value: Value) => string;
  decode: (text: string) => Value | undefined;
}

/** The one table between the State and the address. A field at its default is not written. */
const FIELDS: { readonly [Key in keyof State]: Field<State[Key]> } = {
  model: { name: "model", ...bundledModel() },
  text: { name: "text", ...anyText() },
  hidden: { name: "hidden", ...positions() },
  target: { name: "target", ...orNull(anyText()) },
  stack: { name: "stack", ...oneOf(STACKS) },
  layer: { name: "layer", ...index() },
  head: { name: "head", ...index() },
  stage: { name: "stage", ...oneOf(STAGES) },
  locked: { name: "cell", ...orNull({ encode: encodeCell, decode: decodeCell }) },
  picture: { name: "picture", ...oneOf(PICTURES) },
  edits: { name: "edits", encode: encodeEdits, decode: decodeEdits },
  tour: { name: "tour", ...orNull(numbered(TOUR)) },
  theme: { name: "theme", ...oneOf(THEMES) },
  language: { name: "language", ...orNull(oneOf(LANGUAGES.map(({ code }) => code))) },
};

/** What an address says, and what in it could not be read. */
export interface Decoded {
  state: State;
  /** The fields that it says something about; all others are at their default. */
  said: (keyof State)[];
  /** Names of the fields that were unknown or broken and stayed at their default. */
  unread: string[];
  /** Whether a newer page wrote the address. */
  newer: boolean;
}

/** The address of a State, without the leading `#`. */
export function encodeState(state: State): string {
  const parts = [`v=${STATE_VERSION}`];
  for (const key of fieldKeys()) {
    const text = encodeField(key, state[key], DEFAULT_STATE[key]);
    if (text !== undefined) parts.push(`${FIELDS[key].name}=${escapeText(text)}`);
    // A step of the tour alone would stand for what the step shows.
    else if (key === "model" && state.tour !== null) parts.push(`${FIELDS.model.name}=${DEFAULT_STATE.model}`);
  }
  return parts.join("&");
}

/** Reads an address. Never throws: what is unknown or broken keeps its default and is named in the result. */
export function decodeState(hash: string): Decoded {
  const decoded: Decoded = { state: DEFAULT_STATE, said: [], unread: [], newer: false };
  for (const part of hash.replace(/^#/, "").split("&")) {
    if (part === "") continue;
    const at = part.indexOf("=");
    const name = at < 0 ? part : part.slice(0, at);
    const text = unescapeText(at < 0 ? "" : part.slice(at + 1));
    if (name === "v") decoded.newer = Number(text) > STATE_VERSION;
    else {
      const key = fieldKeys().find((candidate) => FIELDS[candidate].name === name);
      const value = key && text !== undefined ? FIELDS[key].decode(text) : undefined;
      if (key === undefined || value === undefined) decoded.unread.push(name.slice(0, 24));
      else {
        decoded.state = { ...decoded.state, [key]: value };
        decoded.said.push(key);
      }
    }
  }
  return decoded;
}

function fieldKeys(): (keyof State)[] {
  return Object.keys(FIELDS).filter((key): key is keyof State => Object.hasOwn(DEFAULT_STATE, key));
}

/** Undefined for a field at its default. */
function encodeField<Key extends keyof State>(key: Key, value: State[Key], usual: State[Key]): string | undefined {
  if (value === null) return undefined;
  const text = FIELDS[key].encode(value);
  return usual !== null && FIELDS[key].encode(usual) === text ? undefined : text;
}

/** Percent-encoding that keeps sentences readable: a space becomes `+`. */
function escapeText(text: string): string {
  return encodeURIComponent(text.replace(LONE_SURROGATES, "\uFFFD")).replaceAll("%20", "+").replaceAll("%2C", ",").replaceAll("%3B", ";").replaceAll("%2F", "/");
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

function anyText(): { encode: (value: string) => string; decode: (text: string) => string } {
  return { encode: (value) => value, decode: (text) => text };
}

/** A model that was opened from a disk is left out of the address: nobody else has it. */
function bundledModel(): { encode: (value: ModelName) => string; decode: (text: string) => ModelName | undefined } {
  return { encode: (value) => (isBundled(value) ? value : DEFAULT_STATE.model), decode: oneOf(BUNDLED_MODELS).decode };
}

/** Positions in the order given, each once. */
function positions(): { encode: (value: readonly number[]) => string; decode: (text: string) => number[] | undefined } {
  const once = (indices: number[] | undefined): number[] | undefined => indices && [...new Set(indices)];
  return { encode: encodeIndices, decode: (text) => once(decodeIndices(text)) };
}

function index(): { encode: (value: number) => string; decode: (text: string) => number | undefined } {
  return { encode: (value) => String(value + 1), decode: decodeIndex };
}

/** One of some names, by its place among them. */
function numbered<Value extends string>(names: readonly Value[]): { encode: (value: Value) => string; decode: (text: string) => Value | undefined } {
  return { encode: (value) => String(names.indexOf(value) + 1), decode: (text) => names[decodeIndex(text) ?? -1] };
}

function oneOf<Value extends string>(allowed: readonly Value[]): {
  encode: (value: Value) => string;
  decode: (text: string) => Value | undefined;
} {
  return { encode: (value) => value, decode: (text) => allowed.find((value) => value === text) };
}

/** A field whose null is its default and so is never written. */
function orNull<Value>(inner: { encode: (value: Value) => string; decode: (text: string) => Value | undefined }): {
  encode: (value: Value | null) => string;
  decode: (text: string) => Value | undefined;
} {
  return { encode: (value) => (value === null ? "" : inner.encode(value)), decode: inner.decode };
}
