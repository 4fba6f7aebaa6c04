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

/** Those of each figure; the test beside it compares them with the fields of a State. */
export const OF_FIGURES: readonly string[] = [
  ...["src", "caption", "state", "computed-by", HEIGHT, THEME],
  ...(
    "model text chat masked target sampling stack layer head joined stage cell by specials sink " +
    "region mass beside number shade depth entry against edits demos compare other othertarget " +
    "othermodel otherhead aligned pairs backend colours"
  ).split(" "),
];

/** Attributes of any element, of the tools that write pages, and of listeners. */
const OF_ANY =
  /[^a-z\d-]|^(?:aria|astro|data|hx|ng|react|svelte|v|wire|x)-|^on|^(?:accesskey|anchor|auto\w+|class|contenteditable|dir|draggable|enterkeyhint|exportparts|hidden|id|inert|inputmode|is|item\w+|jsaction|lang|nonce|part|popover|role|slot|spellcheck|style|tabindex|title|translate|writingsuggestions|xmlns)$/;

/** What was told of tags and attributes of the page. */
const told = new Set<string>();

/** Tells once in the console of each attribute that an element does not know. */
export function nameUnknown(host: ReactiveElement, own: readonly string[] = OF_FIGURES): void {
  const known = [...(host.constructor as typeof ReactiveElement).observedAttributes, ...own];
  for (const name of host.getAttributeNames()) {
    if (known.includes(name) || OF_ANY.test(name) || told.has(`${host.localName} ${name}`))
      continue;
    told.add(`${host.localName} ${name}`);
    void warn(host.localName, name, known);
  }
}

/** Names such an attribute of a tag in the console, and those that it has. */
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
