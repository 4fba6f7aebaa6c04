/** Methods of texts as Python has them. Source: `str` of Python 3.11. */

import {
  type Given,
  isInteger,
  itemsOf,
  numberOf,
  TemplateError,
  Tuple,
  typeName,
  Unrendered,
  type Value,
} from "./values.js";

/** The characters that `strip` and `split` take for white space. */
const SPACE = String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;
const SPACES = new RegExp(`[${SPACE}]+`, "u");
const SPACE_ALONE = new RegExp(`^[${SPACE}]$`, "u");
/** The characters that end a line. */
const ENDS = String.raw`\n\r\v\f\x1c-\x1e\x85\u2028\u2029`;
const LINE_END = new RegExp(`\\r\\n|[${ENDS}]`, "gu");

/** A text without white space, or without some characters, at its sides. */
export function stripped(text: string, chars: Value, side: "both" | "left" | "right"): string {
  if (chars !== null && typeof chars !== "string")
    throw new TemplateError("strip arg must be None or str");
  const letters = Array.from(text);
  const removed = chars === null ? null : new Set(chars);
  const goes = (letter: string | undefined): boolean =>
    letter !== undefined && (removed?.has(letter) ?? SPACE_ALONE.test(letter));
  let start = 0;
  let end = letters.length;
  if (side !== "right") while (start < end && goes(letters[start])) start += 1;
  if (side !== "left") while (end > start && goes(letters[end - 1])) end -= 1;
  return letters.slice(start, end).join("");
}

/** The lines of a text without their ends. */
export function linesOf(text: string): string[] {
  const lines = text.split(LINE_END);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** A text with some of its parts replaced, at most `count` of them unless it is negative. */
export function replaced(text: string, old: string, by: string, count: number): string {
  const parts = old === "" ? ["", ...Array.from(text), ""] : text.split(old);
  const most = count < 0 ? parts.length - 1 : Math.min(count, parts.length - 1);
  const head = parts.slice(0, most + 1).join(by);
  return most === parts.length - 1 ? head : [head, ...parts.slice(most + 1)].join(old);
}

/** The parts of a text between separators, or between runs of white space. */
function parted(text: string, separator: Value, most: number): string[] {
  if (separator === null) return partedAtSpaces(stripped(text, null, "left"), most);
  if (typeof separator !== "string") throw new TemplateError("must be str or None");
  if (separator === "") throw new TemplateError("empty separator");
  const parts = text.split(separator);
  if (most < 0 || parts.length <= most + 1) return parts;
  return [...parts.slice(0, most), parts.slice(most).join(separator)];
}

function partedAtSpaces(text: string, most: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest !== "") {
    const gap = parts.length === most ? null : SPACES.exec(rest);
    if (gap === null) return [...parts, rest];
    parts.push(rest.slice(0, gap.index));
    rest = rest.slice(gap.index + gap[0].length);
  }
  return parts;
}

/** The parts of a text, of which the last `most` separators cut it. */
function partedFromEnd(text: string, separator: Value, most: number): string[] {
  if (most < 0) return parted(text, separator, most);
  if (typeof separator !== "string" || separator === "")
    throw new Unrendered("`rsplit` at white space");
  const parts = text.split(separator);
  const kept = Math.max(0, parts.length - most);
  return kept <= 1 ? parts : [parts.slice(0, kept).join(separator), ...parts.slice(kept)];
}

/** A text whose first letter is large and whose others are small. */
export function capitalized(text: string): string {
  const [first = "", ...others] = Array.from(text);
  return large(first) + others.join("").toLowerCase();
}

/** A letter as it begins a title; letters that change to several or to another kind are refused. */
function large(letter: string): string {
  const upper = letter.toUpperCase();
  if (upper.length > letter.length || /[\u01c4-\u01f3]/u.test(letter))
    throw new Unrendered(`the large form of ${letter}`);
  return upper;
}

/** A text whose words begin with a large letter, as `str.title` and not Jinja's filter has it. */
const titled = (text: string): string =>
  text.replace(/\p{L}[\p{L}\p{M}]*/gu, (word) => capitalized(word));

/** A text whose words begin with a large letter, as Jinja's filter `title` has it. */
export const titledByFilter = (text: string): string =>
  text
    .split(/([-\s({[<]+)/u)
    .map((word) => (word === "" ? "" : capitalized(word)))
    .join("");

/** Reads the arguments of a call by place or by name. */
export class Reader {
  /** @throws TemplateError for an argument without a name in `names` */
  constructor(
    private readonly of: string,
    private readonly given: Given,
    private readonly names: readonly string[],
  ) {
    const { args, named } = given;
    const unknown = [...named.keys()].find((name) => names.indexOf(name) < args.length);
    if (args.length <= names.length && unknown === undefined) return;
    throw new TemplateError(`${of}() takes no ${unknown ?? `${args.length} arguments`}`);
  }

  /** An argument; undefined if it is absent. */
  value(name: string): Value | undefined {
    const { args, named } = this.given;
    const place = this.names.indexOf(name);
    return place < args.length ? args[place] : named.get(name);
  }

  text(name: string): string {
    const value = this.value(name);
    if (typeof value === "string") return value;
    throw new TemplateError(`${this.of}() takes a text as ${name}`);
  }

  integer(name: string, otherwise: number): number {
    const value = this.value(name) ?? otherwise;
    if (isInteger(value)) return numberOf(value);
    throw new TemplateError(`${this.of}() takes an integer as ${name}`);
  }
}

type Method = (text: string, given: Given) => Value;

const strip =
  (name: string, side: "both" | "left" | "right"): Method =>
  (text, given) =>
    stripped(text, new Reader(name, given, ["chars"]).value("chars") ?? null, side);

const isAt =
  (name: string, test: (text: string, part: string) => boolean): Method =>
  (text, given) => {
    if (given.args.length !== 1) throw new Unrendered(`\`${name}\` of a part of a text`);
    const [part = null] = given.args;
    const parts = part instanceof Tuple ? part.items : [part];
    return parts.some((one) => {
      if (typeof one === "string") return test(text, one);
      throw new TemplateError(`${name} first arg must be str or a tuple of str`);
    });
  };

const plain =
  (change: (text: string) => Value): Method =>
  (text, { args, named }) => {
    if (args.length + named.size > 0) throw new Unrendered("arguments of a method of a text");
    return change(text);
  };

const METHODS = new Map<string, Method>([
  ["strip", strip("strip", "both")],
  ["lstrip", strip("lstrip", "left")],
  ["rstrip", strip("rstrip", "right")],
  ["upper", plain((text) => text.toUpperCase())],
  ["lower", plain((text) => text.toLowerCase())],
  ["title", plain(titled)],
  ["capitalize", plain(capitalized)],
  ["splitlines", plain(linesOf)],
  ["startswith", isAt("startswith", (text, part) => text.startsWith(part))],
  ["endswith", isAt("endswith", (text, part) => text.endsWith(part))],
  [
    "split",
    (text, given) => {
      const read = new Reader("split", given, ["sep", "maxsplit"]);
      return parted(text, read.value("sep") ?? null, read.integer("maxsplit", -1));
    },
  ],
  [
    "rsplit",
    (text, given) => {
      const read = new Reader("rsplit", given, ["sep", "maxsplit"]);
      return partedFromEnd(text, read.value("sep") ?? null, read.integer("maxsplit", -1));
    },
  ],
  [
    "replace",
    (text, given) => {
      const read = new Reader("replace", given, ["old", "new", "count"]);
      return replaced(text, read.text("old"), read.text("new"), read.integer("count", -1));
    },
  ],
  [
    "join",
    (text, given) => {
      const parts = itemsOf(new Reader("join", given, ["items"]).value("items") ?? null);
      const texts = parts.map((part) => {
        if (typeof part === "string") return part;
        throw new TemplateError(`join() expects texts, found ${typeName(part)}`);
      });
      return texts.join(text);
    },
  ],
  [
    "find",
    (text, given) => {
      const place = text.indexOf(new Reader("find", given, ["sub"]).text("sub"));
      return place < 0 ? -1 : Array.from(text.slice(0, place)).length;
    },
  ],
  [
    "count",
    (text, given) => {
      const part = new Reader("count", given, ["sub"]).text("sub");
      return part === "" ? Array.from(text).length + 1 : text.split(part).length - 1;
    },
  ],
  [
    "removeprefix",
    (text, given) => {
      const part = new Reader("removeprefix", given, ["prefix"]).text("prefix");
      return text.startsWith(part) ? text.slice(part.length) : text;
    },
  ],
  [
    "removesuffix",
    (text, given) => {
      const part = new Reader("removesuffix", given, ["suffix"]).text("suffix");
      return part !== "" && text.endsWith(part) ? text.slice(0, -part.length) : text;
    },
  ],
]);

/** The methods of a text in Python that are not built here. */
const OTHERS = new Set(
  "casefold center encode expandtabs format format_map index isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper ljust maketrans partition rfind rindex rjust rpartition swapcase translate zfill".split(
    " ",
  ),
);

/** A method of a text; undefined for a name that Python's texts do not have. */
export function textMethod(text: string, name: string): ((given: Given) => Value) | undefined {
  const method = METHODS.get(name);
  if (OTHERS.has(name)) throw new Unrendered(`the method \`${name}\` of a text`);
  return method && ((given) => method(text, given));
}
