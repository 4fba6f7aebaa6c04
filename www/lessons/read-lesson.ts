/**
 * Reads a lesson of unknown origin. Every field is known and has a value that it can have, or the
 * lesson is refused with a code and the place of the field.
 */
import { type Role, ROLES } from "../data/index.js";
import { isRecord, jsonIn } from "../data/shape.js";
import { HeadscopeError } from "../headscope.js";
import { LANGUAGES } from "../i18n/index.js";
import { fileFields } from "../state/file.js";
import { decodeFields, EDIT_LISTS, FIELDS, type State } from "../state/index.js";
import { decodeJson } from "../state/json.js";
import {
  CALCULATED,
  type Check,
  type Choice,
  type Guess,
  LESSON_VERSION,
  type Lesson,
  type LessonStep,
  LOOK_NAMES,
  type Reading,
  READ_STAGES,
  type Task,
  type Words,
} from "./format.js";

/** The field that says that a file is a lesson, with the version of the format. */
export const LESSON_FIELD = "headscope-lesson";

const MOST_STEPS = 40;
const MOST_CHOICES = 8;
const LONGEST_TITLE = 120;
const LONGEST_WORDS = 2000;

/** The codes of a lesson that cannot be read. */
export type LessonCode =
  "lesson/not-json" | "lesson/unknown-field" | "lesson/wrong-field" | "lesson/newer";

function refuse(code: LessonCode, at: string, expected: string, value?: unknown): never {
  const found = value === undefined ? "nothing" : JSON.stringify(value);
  const got = code === "lesson/wrong-field" ? `${at}: ${found.slice(0, 60)}` : at;
  const message = `Reading a lesson: ${got}; expected ${expected}.`;
  throw new HeadscopeError({ code, doing: "Reading a lesson", expected, got, message });
}

const wrong = (at: string, expected: string, value: unknown): never =>
  refuse("lesson/wrong-field", at, expected, value);

/** A value at a place of a lesson. */
class Place {
  constructor(
    readonly value: unknown,
    readonly at: string,
  ) {}

  /** The fields of an object that has no others than these. */
  fields<const Name extends string>(...names: readonly Name[]): Record<Name, Place> {
    const { value, at } = this;
    if (!isRecord(value)) return wrong(at || "lesson", `{ ${names.join(", ")} }`, value);
    const unknown = Object.keys(value).find((name) => !names.some((known) => known === name));
    const path = (name: string): string => (at === "" ? name : `${at}.${name}`);
    if (unknown !== undefined) refuse("lesson/unknown-field", path(unknown), names.join(", "));
    return Object.fromEntries(
      names.map((name) => [name, new Place(value[name], path(name))]),
    ) as Record<Name, Place>;
  }

  list(least: number, most: number): Place[] {
    const { value, at } = this;
    if (!Array.isArray(value) || value.length < least || value.length > most)
      return wrong(at, `a list of ${least} to ${most}`, value);
    return value.map((one: unknown, index) => new Place(one, `${at}[${index}]`));
  }

  oneOf<Value extends string>(values: readonly Value[]): Value {
    const found = values.find((one) => one === this.value);
    return found ?? wrong(this.at, values.join(" | "), this.value);
  }

  text(longest = LONGEST_WORDS): string {
    const { value, at } = this;
    return typeof value === "string" && value !== "" && value.length <= longest
      ? value
      : wrong(at, `a text of 1 to ${longest} letters`, value);
  }

  number(): number {
    const { value, at } = this;
    return typeof value === "number" && Number.isFinite(value)
      ? value
      : wrong(at, "a number", value);
  }

  /** A position, which files count from one. */
  index(): number {
    const { value, at } = this;
    return Number.isSafeInteger(value) && Number(value) >= 1
      ? Number(value) - 1
      : wrong(at, "1, 2, 3 …", value);
  }

  /** A text that stands for a value as in an address. */
  written<Value>({ form, decode }: { form: string; decode: (text: string) => Value | undefined }) {
    const { value, at } = this;
    const found = typeof value === "string" ? decode(value) : undefined;
    return found === undefined ? wrong(at, form, value) : (found as NonNullable<Value>);
  }

  /** What `read` makes of the value; `absent` where there is none. */
  or<Value, Absent>(absent: Absent, read: (place: Place) => Value): Value | Absent {
    return this.value === undefined || this.value === null ? absent : read(this);
  }
}

/** A lesson of the text of a file, or of the JSON of a link. */
export function parseLesson(text: string): Lesson {
  const json = jsonIn(text) ?? decodeJson(text);
  if (json === undefined) refuse("lesson/not-json", "", "JSON");
  return readLesson(json);
}

export function readLesson(json: unknown): Lesson {
  const { title, steps, ...rest } = new Place(json, "").fields(LESSON_FIELD, "title", "steps");
  const version = rest[LESSON_FIELD];
  if (version.index() >= LESSON_VERSION)
    refuse("lesson/newer", String(version.value), String(LESSON_VERSION));
  return { title: words(title, LONGEST_TITLE), steps: steps.list(1, MOST_STEPS).map(step) };
}

function words(place: Place, longest = LONGEST_WORDS): Words {
  if (!isRecord(place.value)) return place.text(longest);
  const tags = LANGUAGES.map(({ code }) => code);
  const texts = Object.entries(place.fields(...tags)).flatMap(([tag, text]) =>
    text.or([], (given) => [[tag, given.text(longest)] as const]),
  );
  return texts.length > 0
    ? Object.fromEntries(texts)
    : wrong(place.at, tags.join(" | "), place.value);
}

function step(place: Place): LessonStep {
  const fields = place.fields("title", "words", "state", "look", "needs", "task");
  return {
    title: words(fields.title, LONGEST_TITLE),
    words: words(fields.words),
    state: stateFields(fields.state),
    look: fields.look.or("picture" as const, (given) => given.oneOf(LOOK_NAMES)),
    needs: fields.needs.or(null, (given) => given.text(LONGEST_TITLE)),
    task: fields.task.or(null, task),
  };
}

/** Fields that are no part of what a step shows: of the guide itself, and of the reader's page. */
const NOT_SHOWN = ["lesson", "tour", "backend", "theme", "language", "colours"] as const;

/** Fields of a State, written as in the file of a page. */
function stateFields(place: Place): Partial<State> {
  const { value, at } = place;
  if (!isRecord(value)) return wrong(at, "{ model, text, … }", value);
  const { state, named, unread } = decodeFields(fileFields(value));
  const [field] = [...unread, ...named.filter((key) => NOT_SHOWN.some((one) => one === key))];
  if (field !== undefined) {
    const known = Object.values(FIELDS).find(({ name }) => name === field);
    const isShown = known && !NOT_SHOWN.some((one) => FIELDS[one].name === field);
    if (!isShown) {
      const names = Object.values(FIELDS).map(({ name }) => name);
      refuse("lesson/unknown-field", `${at}.${field}`, names.join(", "));
    }
    wrong(`${at}.${field}`, known.form, value[field]);
  }
  return Object.fromEntries(named.map((key) => [key, state[key]]));
}

function task(place: Place): Task {
  const { ask, choices, number, act, then } = place.fields(
    "ask",
    "choices",
    "number",
    "act",
    "then",
  );
  return {
    ask: words(ask),
    guess: guess(choices, number),
    act: act.or(null, (given) => {
      const fields = given.fields("words", "check", "state");
      return {
        words: words(fields.words),
        check: check(fields.check),
        state: fields.state.or(null, stateFields),
      };
    }),
    then: then.or(null, words),
  };
}

/** A guess is one of some choices, or a number: one of both fields is there. */
function guess(choices: Place, number: Place): Guess {
  if ((choices.value === undefined) === (number.value === undefined))
    return wrong(choices.at, "either choices or number", choices.value);
  return (
    number.or<Guess, Guess | null>(null, (given) => {
      const { reading: of, within } = given.fields("reading", "within");
      return { kind: "number", reading: reading(of), within: within.number() };
    }) ?? { kind: "choices", choices: choices.list(2, MOST_CHOICES).map(choice) }
  );
}

function choice(place: Place): Choice {
  const fields = place.fields("words", "check");
  return { words: words(fields.words, LONGEST_TITLE), check: check(fields.check) };
}

const ROLE_NAMES = ROLES.map(({ role }): Role => role);

/** The fields of each reading beside `of`, and how they are read. */
const READINGS = {
  weight: (place) => {
    const { cell, stage } = place.fields("of", "cell", "stage");
    return {
      of: "weight",
      cell: cell.written(FIELDS.locked),
      stage: stage.or("weights", (given) => given.oneOf(READ_STAGES)),
    };
  },
  number: (place) => ({
    of: "number",
    number: place.fields("of", "number").number.written(FIELDS.number),
  }),
  probability: (place) => ({
    of: "probability",
    token: place.fields("of", "token").token.text(),
  }),
  entropy: (place) => {
    place.fields("of");
    return { of: "entropy" };
  },
  role: (place) => ({ of: "role", role: place.fields("of", "role").role.oneOf(ROLE_NAMES) }),
  adds: (place) => ({ of: "adds", key: place.fields("of", "key").key.index() }),
  cells: (place) => {
    place.fields("of");
    return { of: "cells" };
  },
  calculated: (place) => {
    const { matrix, cell } = place.fields("of", "matrix", "cell");
    return {
      of: "calculated",
      matrix: matrix.oneOf(CALCULATED),
      cell: cell.written(FIELDS.locked),
    };
  },
  answer: (place) => {
    const { demo, name } = place.fields("of", "demo", "name");
    return { of: "answer", demo: demo.text(), name: name.text() };
  },
} as const satisfies Readonly<Record<Reading["of"], (place: Place) => Reading>>;

/** The fields of each check beside `is`, and how they are read. */
const CHECKS = {
  between: (place) => {
    const { reading: of, least, most } = place.fields("is", "reading", "least", "most");
    if (least.value === undefined && most.value === undefined)
      return wrong(place.at, "least or most", place.value);
    return {
      is: "between",
      reading: reading(of),
      least: least.or(-Infinity, (given) => given.number()),
      most: most.or(Infinity, (given) => given.number()),
    };
  },
  strongest: (place) => {
    const { query, key } = place.fields("is", "query", "key");
    return { is: "strongest", query: query.index(), key: key.index() };
  },
  role: (place) => ({ is: "role", role: place.fields("is", "role").role.oneOf(ROLE_NAMES) }),
  edited: (place) => ({ is: "edited", list: place.fields("is", "list").list.oneOf(EDIT_LISTS) }),
  ablated: (place) => ({
    is: "ablated",
    head: place.fields("is", "head").head.written(FIELDS.otherHead),
  }),
  predicted: (place) => ({ is: "predicted", token: place.fields("is", "token").token.text() }),
  written: (place) => ({ is: "written", text: place.fields("is", "text").text.text() }),
  changed: (place) => {
    place.fields("is");
    return { is: "changed" };
  },
  shown: (place) => ({ is: "shown", state: stateFields(place.fields("is", "state").state) }),
  answered: (place) => ({ is: "answered", demo: place.fields("is", "demo").demo.text() }),
  not: (place) => ({ is: "not", check: check(place.fields("is", "check").check) }),
} as const satisfies Readonly<Record<Check["is"], (place: Place) => Check>>;

export const READING_NAMES = Object.keys(READINGS) as Reading["of"][];
export const CHECK_NAMES = Object.keys(CHECKS) as Check["is"][];

function reading(place: Place): Reading {
  return READINGS[named(place, "of", READING_NAMES)](place);
}

function check(place: Place): Check {
  return CHECKS[named(place, "is", CHECK_NAMES)](place);
}

/** The name of the kind of an object, which decides its other fields. */
function named<Name extends string>(
  { value, at }: Place,
  field: string,
  names: readonly Name[],
): Name {
  if (!isRecord(value)) return wrong(at, `{ ${field}, … }`, value);
  return new Place(value[field], `${at}.${field}`).oneOf(names);
}

/** A check or a reading that stands alone, as the builder of lessons has it. */
export const checkOf = (json: object): Check => check(new Place(json, "check"));
export const readingOf = (json: object): Reading => reading(new Place(json, "reading"));
