import { presentNames } from "./former-names.js";
import { wrongEdit } from "./json.js";
import {
  isBundled,
  isOpened,
  type ModelName,
  type OpenedModel,
  placeOf,
  readModel,
} from "./model-names.js";
import { DEFAULT_STATE, FIELD_KEYS, FIELDS, STATE_VERSION, type State } from "./state.js";

/**
 * The content of an address, a file or an element's attributes, and the parts that could not be
 * read.
 */
export interface Decoded {
  state: State;
  /** The fields that are present; all others have their default. */
  named: (keyof State)[];
  /**
   * Names of the fields that were unknown or broken and stayed at their default; of `edits` with
   * the place of the first invalid one, such as `edits.patches[1]`.
   */
  unread: string[];
  newer: boolean;
  /** The model from a disk that a file is about. */
  needs?: OpenedModel;
  /** The image of the user that a file has, as a `data:` URL. */
  image?: string;
}

/** A field by its name in the address, with its text; undefined for a broken text. */
type Written = [name: string, text: string];
export type Read = [name: string, text: string | undefined];

/** The longest link: mail, chats and servers cut longer addresses, for which a file is offered. */
export const LONGEST_LINK = 16 * 1024;

/** The longest address that is read: a longer one was made to block the page. */
const LONGEST_READ = 4 * LONGEST_LINK;

/** The address of a State, without the leading `#`. */
export function encodeState(state: State): string {
  return join(encodeFields(state));
}

/** The address of as much of a State as a link can hold: the longest fields are left out first. */
export function encodeShort(state: State): string {
  let fields = encodeFields(state);
  while (join(fields).length > LONGEST_LINK) {
    const lengths = fields.map((field) => join([field]).length);
    fields = fields.toSpliced(lengths.indexOf(Math.max(...lengths)), 1);
  }
  return join(fields);
}

function join(fields: readonly Written[]): string {
  const parts = fields.map(([name, text]) => `${name}=${escapeText(text)}`);
  return [`v=${STATE_VERSION}`, ...parts].join("&");
}

/**
 * Reads an address. Never throws: an unknown or broken field keeps its default and is named in the
 * result.
 */
export function decodeState(hash: string): Decoded {
  const address = hash.replace(/^#/, "");
  return address.length > LONGEST_READ
    ? { state: DEFAULT_STATE, named: [], unread: ["#"], newer: false }
    : decodeWhole(address);
}

/** Reads an address of any length, which this page wrote itself. */
export function decodeWhole(address: string): Decoded {
  const parts = address.split("&").filter((part) => part !== "");
  const all = parts.map((part): Read => {
    const at = part.indexOf("=");
    // A part without a name is named by its text.
    return [at < 1 ? part : part.slice(0, at), unescapeText(at < 0 ? "" : part.slice(at + 1))];
  });
  const versions = all.filter(([name]) => name === "v").map(([, text]) => text ?? "");
  const { unread, ...decoded } = decodeFields(all.filter(([name]) => name !== "v"));
  const isVersion = versions.every((text) => /^[1-9]\d*$/.test(text));
  return {
    ...decoded,
    unread: isVersion ? unread : ["v", ...unread],
    newer: isVersion && Number(versions.at(-1)) > STATE_VERSION,
  };
}

/**
 * The fields of a State that differ from their defaults. With a step of the tour or of a lesson the
 * model is always among them: the step alone would stand for the step's own State.
 */
export function encodeFields(state: State): Written[] {
  return FIELD_KEYS.filter(
    (key) =>
      (state[key] !== null &&
        (DEFAULT_STATE[key] === null || textOf(key, state) !== textOf(key, DEFAULT_STATE))) ||
      (key === "model" && (state.tour ?? state.lesson) !== null),
  ).map((key) => [FIELDS[key].name, textOf(key, state)]);
}

function textOf<Key extends keyof State>(key: Key, state: Pick<State, Key>): string {
  const value = state[key];
  return value === null ? "" : (FIELDS[key].encode as (value: unknown) => string)(value);
}

/**
 * Reads fields, of each name the last; models by `modelOf` if given, else as an address has them.
 */
export function decodeFields(
  fields: readonly Read[],
  modelOf?: (text: string) => ModelName | undefined,
): Omit<Decoded, "newer"> {
  let state = DEFAULT_STATE;
  const named: (keyof State)[] = [];
  const unread: string[] = [];
  const present = fields.map(([name, text]) => presentNames(name, text));
  for (const [name, text] of new Map(present)) {
    const key = FIELD_KEYS.find((candidate) => FIELDS[candidate].name === name);
    const isModel = key === "model" || key === "otherModel";
    const decode = key && (isModel && modelOf ? modelOf : FIELDS[key].decode);
    const value = text === undefined ? undefined : decode?.(text);
    if (key === undefined || value === undefined) {
      unread.push(name.slice(0, 24) + (key === "edits" ? wrongEdit(text ?? "") : ""));
    } else {
      state = { ...state, [key]: value };
      named.push(key);
    }
  }
  return { state, named, unread };
}

/** Lone surrogates, which no address can hold. */
const LONE_SURROGATES = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/**
 * Percent-encoding that leaves sentences and JSON readable: a space becomes `+`, and no `,/:;[]{}`
 * is escaped.
 */
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

/*
 * A State as the attributes of an element: each field by its name in the address, written as there.
 * `role` means something else in HTML, and has another name here. A model may be any folder.
 */
const attributeOf = (field: string): string => (field === "role" ? "role-filter" : field);

export const STATE_ATTRIBUTES: readonly string[] = FIELD_KEYS.map((key) =>
  attributeOf(FIELDS[key].name),
);

/** The fields of some attributes. */
export function fieldsOf(attributes: readonly string[]): (keyof State)[] {
  return FIELD_KEYS.filter((key) => attributes.includes(attributeOf(FIELDS[key].name)));
}

/**
 * Reads a State from an element's attributes, except some fields. An unknown or broken attribute
 * keeps its default and is named, as in an address.
 */
export function decodeAttributes(
  element: Pick<Element, "getAttribute">,
  without: readonly (keyof State)[] = [],
): Decoded {
  const fields = FIELD_KEYS.flatMap((key): Read[] => {
    const { name } = FIELDS[key];
    const text = without.includes(key) ? null : element.getAttribute(attributeOf(name));
    return text === null || (key === "otherModel" && text === "") ? [] : [[name, text]];
  });
  return { ...decodeFields(fields, readModel), newer: false };
}

/**
 * The first attribute of an element that cannot be read, and the form of its field; null if all can
 * be read.
 */
export function unreadAttribute(
  element: Pick<Element, "getAttribute">,
  { unread: [place] }: Pick<Decoded, "unread">,
): { written: string; form: string } | null {
  if (place === undefined) return null;
  const field = place.startsWith("edits.") ? "edits" : place;
  const name = attributeOf(field);
  const form = Object.values(FIELDS).find((one) => one.name === field)?.form ?? "";
  return { written: `${name}="${element.getAttribute(name) ?? ""}"`, form };
}

export function writtenAttribute<Key extends keyof State>(
  key: Key,
  state: Pick<State, Key>,
): string {
  return `${attributeOf(FIELDS[key].name)}="${textOf(key, state)}"`;
}

/**
 * A State as the attributes of an explorer, from which `decodeAttributes` reads the same State;
 * null for a model from the user's own disk, which no attribute can name.
 */
export function attributesOf(state: State): Record<string, string> | null {
  const { model, otherModel } = state;
  if ([model, otherModel].some((name) => name !== null && isOpened(name))) return null;
  return {
    ...Object.fromEntries(encodeAttributes(state)),
    ...(isBundled(model) ? {} : { model: placeOf(model) }),
    ...(otherModel === null || isBundled(otherModel) ? {} : { othermodel: placeOf(otherModel) }),
  };
}

/** The attributes of all fields that differ from their defaults. */
export function encodeAttributes(state: State): Written[] {
  return encodeFields(state).map(([name, text]) => [attributeOf(name), text]);
}
