import { decodeFields, encodeFields, fieldNames, type Decoded } from "./hash.js";
import type { State } from "./state.js";

/*
 * A State as the attributes of an element: each field by its name in the address, written as there. Some of those names
 * mean something else in HTML, and have another one here.
 */
const RENAMED: Readonly<Record<string, string>> = { hidden: "hidden-tokens", role: "role-filter" };

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
    return text === null || without.includes(field) ? [] : [[field, text]];
  });
  return { ...decodeFields(fields), newer: false };
}

/** The attributes of all that differs from a first visit. */
export function encodeAttributes(state: State): [name: string, text: string][] {
  return encodeFields(state).map(([field, text]) => [attributeOf(field), text]);
}
