/**
 * The attributes of elements: which there are, and what is said of those that an element does not
 * know or cannot read.
 */
import type { ReactiveElement } from "lit";
import { refuse, type HeadscopeError } from "../engine/errors.js";
import { loadSentences, message } from "../i18n/index.js";

export const HEIGHT = "height";
export const THEME = "theme";

/** An attribute that cannot be read, as it is written, and its form. */
export interface Unread {
  written: string;
  form: string;
}

/**
 * The attributes of figures; the test beside this module compares them with the fields of a State.
 */
export const OF_FIGURES: readonly string[] = [
  "src",
  "caption",
  "state",
  "computed-by",
  HEIGHT,
  THEME,
  "model",
  "text",
  "chat",
  "masked",
  "target",
  "sampling",
  "stack",
  "layer",
  "head",
  "joined",
  "stage",
  "cell",
  "by",
  "specials",
  "sink",
  "region",
  "mass",
  "beside",
  "number",
  "shade",
  "depth",
  "entry",
  "against",
  "edits",
  "demos",
  "compare",
  "other",
  "othertarget",
  "othermodel",
  "otherhead",
  "aligned",
  "pairs",
  "backend",
  "colours",
];

/** Attributes that any element may have. */
const OF_ANY: readonly string[] = [
  "accesskey",
  "anchor",
  "autocapitalize",
  "autocorrect",
  "autofocus",
  "class",
  "contenteditable",
  "dir",
  "draggable",
  "enterkeyhint",
  "exportparts",
  "hidden",
  "id",
  "inert",
  "inputmode",
  "is",
  "jsaction",
  "lang",
  "nonce",
  "part",
  "popover",
  "role",
  "slot",
  "spellcheck",
  "style",
  "tabindex",
  "title",
  "translate",
  "writingsuggestions",
  "xmlns",
];
/** The starts of attributes of listeners, of micro data, and of tools that write pages. */
const STARTS = /^(?:on|item|(?:aria|astro|data|hx|ng|react|svelte|v|wire|x)-)/;
/** A sign that only tools write into the name of an attribute: `@click`, `:class`, `v:bind`. */
const SIGN = /[^a-z\d-]/;

const isOfAny = (name: string): boolean =>
  OF_ANY.includes(name) || STARTS.test(name) || SIGN.test(name);

/** The tags with an attribute that the console has named, as `tag attribute`. */
const named = new Set<string>();

/** Names in the console, once for each tag, the attributes that an element does not know. */
export function nameUnknown(host: ReactiveElement, own: readonly string[] = OF_FIGURES): void {
  const known = [...(host.constructor as typeof ReactiveElement).observedAttributes, ...own];
  for (const name of host.getAttributeNames()) {
    const place = `${host.localName} ${name}`;
    if (known.includes(name) || isOfAny(name) || named.has(place)) continue;
    named.add(place);
    void warn(host.localName, name, known);
  }
}

/** Names an unknown attribute of a tag in the console, and the attributes that the tag has. */
async function warn(tag: string, name: string, known: readonly string[]): Promise<void> {
  // Without a network the sentence is missing.
  await loadSentences("notices").catch(() => undefined);
  const list = [...new Set(known)].toSorted().join(", ");
  // oxlint-disable-next-line no-console -- The author of the page reads it, and no reader.
  console.warn(message("embed.unknownAttribute", { tag: `<${tag}>`, name, known: list }));
}

/** The error of an attribute that cannot be read. */
export function unreadable({ form, written }: Unread): HeadscopeError {
  return refuse("attribute/unreadable", "Reading an attribute", form, written);
}
