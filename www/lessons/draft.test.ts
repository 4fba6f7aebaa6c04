// @vitest-environment happy-dom
// Lessons that are being made: what is recorded of a page, the order of steps, and what is offered.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { matrixOf } from "../elements/testing/mount.js";
import { DEFAULT_STATE, NO_EDITS, type State } from "../state/index.js";
import { holds, read } from "./checks.js";
import {
  EMPTY_DRAFT,
  keepDraft,
  keptDraft,
  moved,
  recorded,
  removed,
  reshown,
  reworded,
} from "./draft.js";
import { checkOf, readingOf, readLesson } from "./read-lesson.js";
import { type Offering, readingsOn, statementsOn } from "./statements.js";
import { Progress, taskName } from "./progress.js";

const nameOf = ({ model }: State): string => model;
const at = (state: Partial<State>, title = "a"): typeof EMPTY_DRAFT =>
  recorded(EMPTY_DRAFT, { ...DEFAULT_STATE, ...state }, title, nameOf);

beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

describe("a step", () => {
  it("has what the page shows, without its looks and without a lesson around it", () => {
    const { steps } = at({
      model: "models/tiny-gpt",
      theme: "dark",
      language: "zh-CN",
      lesson: "dots.1",
      head: 2,
      edits: { ...NO_EDITS, heads: [{ gate: 0 }] },
    });
    expect(steps[0]?.state).toEqual({
      model: "models/tiny-gpt",
      head: "3",
      edits: { heads: [{ gate: 0 }] },
    });
    const draft = { ...EMPTY_DRAFT, title: "x", steps: [{ ...steps[0], words: "y" }] };
    expect(readLesson(draft).steps[0]?.state).toEqual({
      model: "models/tiny-gpt",
      head: 2,
      edits: { ...NO_EDITS, heads: [{ gate: 0 }] },
    });
  });

  it("names a model of its user's own, which no file holds", () => {
    const [step] = at({ model: "opened/mine" }).steps;
    expect([step?.needs, step?.state.model]).toEqual(["opened/mine", undefined]);
    const again = reshown(at({ model: "opened/mine" }), 0, DEFAULT_STATE, nameOf).steps[0];
    expect([again && "needs" in again, again?.title]).toEqual([false, "a"]);
  });

  it("is moved within the steps, and removed", () => {
    const draft = recorded(at({}, "a"), DEFAULT_STATE, "b", nameOf);
    const titles = ({ steps }: typeof draft): unknown[] => steps.map(({ title }) => title);
    expect(titles(moved(draft, 1, -1))).toEqual(["b", "a"]);
    expect(moved(draft, 1, 1)).toBe(draft);
    expect(moved(draft, 0, -1)).toBe(draft);
    expect(titles(removed(draft, 0))).toEqual(["b"]);
  });

  it("keeps its words in other languages", () => {
    expect(reworded("a", "b")).toBe("b");
    expect(reworded({ en: "a", "zh-CN": "甲" }, "b")).toEqual({ en: "b", "zh-CN": "甲" });
  });
});

describe("what the browser keeps", () => {
  it("is the draft, until another one is begun", () => {
    expect(keptDraft()).toBe(EMPTY_DRAFT);
    const draft = at({});
    expect(keepDraft(draft)).toBe(true);
    expect(keptDraft()).toEqual(draft);
    localStorage.setItem("headscope.lesson-draft", "{ broken");
    expect(keptDraft()).toBe(EMPTY_DRAFT);
    const setItem = (): never => {
      throw new Error("full");
    };
    vi.stubGlobal("localStorage", { setItem });
    expect(keepDraft(draft)).toBe(false);
    vi.unstubAllGlobals();
  });

  it("is what was guessed, of each lesson, until it is forgotten", () => {
    const mark = { guess: 1, right: true, found: 1 };
    const progress = new Progress();
    progress.set("dots.1", mark);
    progress.set("dots.2", { ...mark, right: false, found: null });
    expect([progress.count("dots"), progress.count("masks")]).toEqual([2, 0]);
    expect(new Progress().of("dots.1")).toEqual(mark);
    progress.set("dots.2", null);
    expect(new Progress().count("dots")).toBe(1);
    progress.clear();
    expect([new Progress().isEmpty, localStorage.getItem("headscope.lessons")]).toEqual([
      true,
      null,
    ]);
    localStorage.setItem("headscope.lessons", '{"dots.1":{"guess":"x"},"a":1}');
    expect(new Progress().isEmpty).toBe(true);
  });

  it("is named by the text of a lesson of one's own", () => {
    expect(taskName("dots", 1)).toBe("dots.2");
    expect(taskName("{'a':1}", 0)).toMatch(/^own-\w+\.1$/);
    expect(taskName("{'a':1}", 0)).not.toBe(taskName("{'a':2}", 0));
  });
});

it("what is offered as checks and readings can be read, and is so on the page", () => {
  const weights = matrixOf(2, [0.9, 0.1, 0.2, 0.8]);
  const page = {
    state: { ...DEFAULT_STATE, layer: 0, edits: { ...NO_EDITS, heads: [{ gate: 0 }] } },
    figures: { stages: { weights } },
    focused: { query: 1, key: 0 },
    expectation: { predictions: [{ text: " car", probability: 0.7 }] },
    measured: { entropy: 0.5 },
    chosen: { stack: "cross", layer: 0, head: 0 },
    knownRoles: { scores: [[{ induction: 0.9 }]] },
    computation: { output: { of: "a", words: "x" }, unedited: { of: "a", words: "y" } },
    demoAnswers: new Map(),
    settled: true,
  } as unknown as Offering;
  const statements = statementsOn(page);
  expect(statements.map(({ kind }) => kind)).toEqual([
    "strongest",
    "role",
    "predicted",
    "written",
    "edited",
    "changed",
    "shown",
  ]);
  for (const { json } of statements)
    expect(holds(checkOf(json), page), JSON.stringify(json)).toBe(true);
  const readings = readingsOn(page);
  const values = readings.map(({ json }) => read(readingOf(json), page)?.toFixed(1));
  expect(readings.map(({ kind }) => kind)).toEqual([
    "weight",
    "probability",
    "entropy",
    "role",
    "cells",
  ]);
  expect(values).toEqual(["0.2", "0.7", "0.5", "0.9", "4.0"]);
});
