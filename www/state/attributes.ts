import {
  decodeFields,
  encodeFields,
  fieldNames,
  formOf,
  writtenField,
  type Decoded,
} from "./link.js";
import { modelNamed, type State } from "./state.js";

/*
 * A State as the attributes of an element: each field by its name in the address, written as there. Some of those names
 * mean something else in HTML, and have another one here. A model may be any folder.
 */
const RENAMED: Readonly<Record<string, string>> = { hidden: "hidden-tokens", role: "role-filter" };
const MODELS: readonly string[] = ["model", "othermodel"];

/** The attribute of a field that an address calls so. */
function attributeOf(field: string): string {
  return RENAMED[field] ?? field;
}

/** The attributes that say something of a State. */
export const STATE_ATTRIBUTES: readonly string[] = fieldNames().map(attributeOf);

/** Reads a State from an element. What is unknown or broken keeps its default and is named, as in an address. */
export function decodeAttributes(
  element: Pick<Element, "getAttribute">,
  without: readonly string[] = [],
): Decoded {
  const fields = fieldNames().flatMap((field): [string, string][] => {
    const text = element.getAttribute(attributeOf(field));
    return text === null || MODELS.includes(field) || without.includes(field)
      ? []
      : [[field, text]];
  });
  const { state, said, unread } = decodeFields(fields);
  const [model, other] = MODELS.map((name) => element.getAttribute(name));
  const models = {
    ...(typeof model === "string" && { model: modelNamed(model) }),
    ...(other && { otherModel: modelNamed(other) }),
  };
  return {
    state: { ...state, ...models },
    said: [...said, ...(Object.keys(models) as (keyof typeof models)[])],
    unread,
    newer: false,
  };
}

/** An attribute that cannot be met: as it stands in the element, and how it is written where that alone is wrong. */
export interface WrittenAttribute {
  written: string;
  form: string;
}

/** The first attribute of an element that cannot be read; null where all can be. */
export function unreadAttribute(
  element: Pick<Element, "getAttribute">,
  { unread: [field] }: Pick<Decoded, "unread">,
): WrittenAttribute | null {
  if (field === undefined) return null;
  const name = attributeOf(field);
  return { written: `${name}="${element.getAttribute(name) ?? ""}"`, form: formOf(field) };
}

/** A field of a State as an attribute. */
export function writtenAttribute<Key extends keyof State>(
  key: Key,
  state: Pick<State, Key>,
): string {
  const { name, text } = writtenField(key, state);
  return `${attributeOf(name)}="${text}"`;
}

/** The attributes of all that differs from a first visit. */
export function encodeAttributes(state: State): [name: string, text: string][] {
  return encodeFields(state).map(([field, text]) => [attributeOf(field), text]);
}
