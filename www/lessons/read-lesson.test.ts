// Lessons of unknown origin: what is read of them, and why others are refused.
import { describe, expect, it } from "vitest";
import { HeadscopeError } from "../headscope.js";
import { encodeJson } from "../state/json.js";
import { wordsOf } from "./format.js";
import type { Check, Reading } from "./format.js";
import { LESSON_FILES, lessonOf, ownLesson, placeOf, textOf } from "./list.js";
import {
  CHECK_NAMES,
  checkOf,
  parseLesson,
  READING_NAMES,
  readingOf,
  readLesson,
} from "./read-lesson.js";

const STEP = { title: "One", words: "Look.", state: { model: "models/tiny-gpt", head: "2" } };
const CHOICES = [
  { words: "yes", check: { is: "edited", list: "masks" } },
  { words: "no", check: { is: "not", check: { is: "edited", list: "masks" } } },
];
const TASK = { ask: "Is it?", choices: CHOICES };
const lesson = (step: object = {}, more: object = {}): object => ({
  "headscope-lesson": 1,
  title: "Mine",
  steps: [{ ...STEP, ...step }],
  ...more,
});

function refusal(read: () => unknown): [code: string, got: string, expected: string] {
  try {
    read();
  } catch (thrown) {
    if (thrown instanceof HeadscopeError) return [thrown.code, thrown.got, thrown.expected];
  }
  throw new Error("the lesson was read");
}

it("is read with the fields of its States, and what it does not say is usual", () => {
  const { title, steps } = readLesson(lesson({ task: TASK }));
  expect(title).toBe("Mine");
  expect(steps).toEqual([
    {
      title: "One",
      words: "Look.",
      state: { model: "models/tiny-gpt", head: 1 },
      look: "picture",
      needs: null,
      task: {
        ask: "Is it?",
        guess: { kind: "choices", choices: CHOICES },
        act: null,
        then: null,
      },
    },
  ]);
});

it("has edits and places of a State as the file of a page has them", () => {
  const edits = { heads: [{ stack: "decoder", layers: [0], heads: [1], gate: 0 }] };
  const [step] = readLesson(lesson({ state: { edits, cell: "3-5" } })).steps;
  expect(step?.state.edits?.heads).toEqual(edits.heads);
  expect(step?.state.locked).toEqual({ query: 2, key: 4 });
});

it("has its texts in the present language, or in one that it has", () => {
  expect(wordsOf({ en: "two", "zh-CN": "二" })).toBe("two");
  expect(wordsOf({ "zh-CN": "二" })).toBe("二");
  expect(wordsOf("as written")).toBe("as written");
});

it("is the same from a file and from a link", () => {
  const json = lesson({ words: '“It’s” so, he said: "yes".' });
  expect(parseLesson(encodeJson(json))).toEqual(parseLesson(JSON.stringify(json)));
  const place = placeOf(ownLesson(json));
  expect(lessonOf(place)).toEqual(readLesson(json));
  expect(textOf({ ...place, step: 3 })).toMatch(/\}\.4$/);
});

const check = (one: object): object => ({
  task: { ask: "?", choices: [CHOICES[0], { words: "x", check: one }] },
});
const number = (reading: object): object => ({
  task: { ask: "?", number: { reading, within: 0.1 } },
});
const AT = "steps[0].task.choices[1].check";

describe("a lesson with a wrong field is refused, with its place", () => {
  it.each<[json: unknown, code: string, got: string, expected: string | RegExp]>([
    [[], "wrong-field", "lesson: []", /headscope-lesson, title, steps/],
    [lesson({}, { colour: 1 }), "unknown-field", "colour", /title, steps/],
    [lesson({ heading: 1 }), "unknown-field", "steps[0].heading", /title, words, state/],
    [lesson({ title: 5 }), "wrong-field", "steps[0].title: 5", /a text of 1 to 120/],
    [lesson({ words: {} }), "wrong-field", "steps[0].words: {}", "en | zh-CN"],
    [lesson({ words: { fr: "a" } }), "unknown-field", "steps[0].words.fr", "en, zh-CN"],
    [lesson({}, { steps: [] }), "wrong-field", "steps: []", "a list of 1 to 40"],
    [lesson({}, { "headscope-lesson": 2 }), "newer", "2", "1"],
    [lesson({}, { "headscope-lesson": "1" }), "wrong-field", 'headscope-lesson: "1"', "1, 2, 3 …"],
    [lesson({ look: "sky" }), "wrong-field", 'steps[0].look: "sky"', /text \| heads/],
    [lesson({ state: { hed: "2" } }), "unknown-field", "steps[0].state.hed", /model, text/],
    [lesson({ state: { theme: "dark" } }), "unknown-field", "steps[0].state.theme", /model/],
    [lesson({ state: { head: 2 } }), "wrong-field", "steps[0].state.head: 2", "1, 2, 3 …"],
    [lesson({ state: { model: "gpt2" } }), "wrong-field", /model: "gpt2"$/.source, /en-fr/],
    [lesson({ task: { ask: "?" } }), "wrong-field", /choices: nothing$/.source, /either/],
    [lesson(check({ is: "nice" })), "wrong-field", `${AT}.is: "nice"`, /between \| strongest/],
    [lesson(check({ is: "edited", list: "x" })), "wrong-field", `${AT}.list: "x"`, /masks/],
    [lesson(check({ is: "role" })), "wrong-field", `${AT}.role: nothing`, /induction/],
    [lesson(check({ is: "ablated", head: "1" })), "wrong-field", `${AT}.head: "1"`, "cross.2-5"],
    [lesson(check({ is: "changed", by: 1 })), "unknown-field", `${AT}.by`, "is"],
    [lesson(check({ is: "strongest", query: 0, key: 1 })), "wrong-field", `${AT}.query: 0`, /1, 2/],
    [
      lesson(check({ is: "between", reading: { of: "entropy" } })),
      "wrong-field",
      `${AT}: {"is":"between","reading":{"of":"entropy"}}`,
      "least or most",
    ],
    [lesson(number({ of: "luck" })), "wrong-field", /of: "luck"$/.source, /weight \| number/],
    [lesson(number({ of: "weight", cell: "3" })), "wrong-field", /cell: "3"$/.source, "3-5"],
  ])("%j: %s", (json, code, got, expected) => {
    const [foundCode, foundGot, foundExpected] = refusal(() => readLesson(json));
    expect(foundCode).toBe(`lesson/${code}`);
    if (got.endsWith("$")) expect(foundGot).toMatch(new RegExp(got));
    else expect(foundGot).toBe(got);
    expect(foundExpected).toMatch(expected);
  });

  it("and one that is no JSON, or does not exist", () => {
    expect(refusal(() => parseLesson("{ steps"))[0]).toBe("lesson/not-json");
    expect(refusal(() => lessonOf(placeOf("nowhere.1"))).slice(0, 2)).toEqual([
      "lesson/unknown",
      "nowhere",
    ]);
    expect(refusal(() => lessonOf(placeOf("dots.39"))).slice(0, 2)).toEqual([
      "lesson/unknown",
      "dots.39",
    ]);
    const count = lessonOf(placeOf("dots.1")).steps.length;
    expect(lessonOf(placeOf(`dots.${count}`)).steps).toHaveLength(count);
    expect(refusal(() => lessonOf(placeOf(`dots.${count + 1}`)))).toEqual([
      "lesson/unknown",
      `dots.${count + 1}`,
      `1 … ${count}`,
    ]);
    const own = ownLesson(lesson()).replace(/1$/, "2");
    expect(refusal(() => lessonOf(placeOf(own))).slice(1)).toEqual(["{…}.2", "1 … 1"]);
  });
});

/** Each reading and each check as a lesson has it, with its fields in order, and what is read. */
const READINGS: readonly [json: Record<"of", string>, read: Reading][] = [
  [
    { of: "weight", cell: "2-3", stage: "raw" },
    { of: "weight", cell: { query: 1, key: 2 }, stage: "raw" },
  ],
  [
    { of: "number", number: "context.2-3" },
    { of: "number", number: { step: "context", row: 1, column: 2 } },
  ],
  [
    { of: "probability", token: "dog" },
    { of: "probability", token: "dog" },
  ],
  [{ of: "entropy" }, { of: "entropy" }],
  [
    { of: "role", role: "induction" },
    { of: "role", role: "induction" },
  ],
  [
    { of: "adds", key: 4 },
    { of: "adds", key: 3 },
  ],
  [{ of: "cells" }, { of: "cells" }],
  [
    { of: "calculated", matrix: "scores", cell: "1-2" },
    { of: "calculated", matrix: "scores", cell: { query: 0, key: 1 } },
  ],
  [
    { of: "answer", demo: "waves", name: "length" },
    { of: "answer", demo: "waves", name: "length" },
  ],
] as [Record<"of", string>, Reading][];
const CHECKS = [
  [
    { is: "between", reading: { of: "cells" }, least: 2, most: 5 },
    { is: "between", reading: { of: "cells" }, least: 2, most: 5 },
  ],
  [
    { is: "strongest", query: 1, key: 4 },
    { is: "strongest", query: 0, key: 3 },
  ],
  [
    { is: "role", role: "self" },
    { is: "role", role: "self" },
  ],
  [
    { is: "edited", list: "blocks" },
    { is: "edited", list: "blocks" },
  ],
  [
    { is: "ablated", head: "cross.2-5" },
    { is: "ablated", head: { stack: "cross", layer: 1, head: 4 } },
  ],
  [
    { is: "predicted", token: "cat" },
    { is: "predicted", token: "cat" },
  ],
  [
    { is: "written", text: "le chat" },
    { is: "written", text: "le chat" },
  ],
  [{ is: "changed" }, { is: "changed" }],
  [
    { is: "shown", state: { layer: "3" } },
    { is: "shown", state: { layer: 2 } },
  ],
  [
    { is: "answered", demo: "waves" },
    { is: "answered", demo: "waves" },
  ],
  [
    { is: "not", check: { is: "changed" } },
    { is: "not", check: { is: "changed" } },
  ],
] as [Record<"is", string>, Check][];

describe("what a task reads and checks", () => {
  it("is all in this table", () => {
    expect(READINGS.map(([{ of }]) => of)).toEqual(READING_NAMES);
    expect(CHECKS.map(([{ is }]) => is)).toEqual(CHECK_NAMES);
  });

  const ALL: [json: object, read: object, of: (json: object) => object][] = [
    ...READINGS.map(([json, read]): [object, object, typeof readingOf] => [json, read, readingOf]),
    ...CHECKS.map(([json, read]): [object, object, typeof checkOf] => [json, read, checkOf]),
  ];

  it.each(ALL)("%j is read, and has these fields alone", (json, read, of) => {
    expect(of(json)).toEqual(read);
    const [code, got, expected] = refusal(() => of({ ...json, colour: 1 }));
    expect([code, expected]).toEqual(["lesson/unknown-field", Object.keys(json).join(", ")]);
    expect(got).toMatch(/\.colour$/);
    // Each field but these is needed, and none takes an empty value of another type.
    const usual = ["stage", "least", "most"];
    for (const name of Object.keys(json).filter((one) => !usual.includes(one))) {
      const [, at] = refusal(() => of({ ...json, [name]: undefined }));
      expect(at).toMatch(new RegExp(`\\.${name}: nothing$`));
      expect(refusal(() => of({ ...json, [name]: [] }))[0]).toBe("lesson/wrong-field");
    }
  });

  it("has usual bounds and a usual stage where none is given", () => {
    const between = { is: "between", reading: { of: "cells" } };
    expect(checkOf({ ...between, least: 0 })).toEqual({ ...between, least: 0, most: Infinity });
    expect(checkOf({ ...between, most: 0 })).toEqual({ ...between, least: -Infinity, most: 0 });
    expect(readingOf({ of: "weight", cell: "1-1" })).toMatchObject({ stage: "weights" });
  });
});

describe("the sizes of a lesson", () => {
  const many = (count: number): object[] => Array.from({ length: count }, () => STEP);
  const choices = (count: number): object => ({
    task: { ask: "?", choices: Array.from({ length: count }, () => CHOICES[0]) },
  });
  const refused = (json: object): string => refusal(() => readLesson(json))[2];

  it("have bounds, which it may reach", () => {
    expect(readLesson(lesson({}, { steps: many(40) })).steps).toHaveLength(40);
    expect(refused(lesson({}, { steps: many(41) }))).toBe("a list of 1 to 40");
    expect(readLesson(lesson({ title: "a".repeat(120) })).steps).toHaveLength(1);
    expect(refused(lesson({ title: "a".repeat(121) }))).toBe("a text of 1 to 120 letters");
    expect(readLesson(lesson({ words: "a".repeat(2000) })).steps).toHaveLength(1);
    expect(refused(lesson({ words: "a".repeat(2001) }))).toBe("a text of 1 to 2000 letters");
    expect(readLesson(lesson(choices(2))).steps).toHaveLength(1);
    expect(readLesson(lesson(choices(8))).steps).toHaveLength(1);
    for (const count of [1, 9]) expect(refused(lesson(choices(count)))).toBe("a list of 2 to 8");
  });

  it("of a value that is refused only the beginning is said", () => {
    const [, got] = refusal(() => readLesson(lesson({ look: "sky".repeat(100) })));
    expect(got).toHaveLength("steps[0].look: ".length + 60);
  });
});

it.each(Object.keys(LESSON_FILES))("the lesson %s is read, in both languages", (name) => {
  const { title, steps } = lessonOf({ lesson: name, step: 0 });
  const texts = steps.flatMap(({ title: heading, words, task }) => [
    heading,
    words,
    ...(task ? [task.ask, ...(task.act ? [task.act.words] : []), task.then ?? title] : []),
  ]);
  for (const text of [title, ...texts])
    expect(Object.keys(text), JSON.stringify(text)).toEqual(["en", "zh-CN"]);
  expect(steps.some(({ task }) => task !== null)).toBe(true);
});
