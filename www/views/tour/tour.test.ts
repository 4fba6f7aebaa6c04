import { afterEach, describe, expect, it } from "vitest";
import { LANGUAGES, message, setLanguage, type MessageKey } from "../../i18n/index.js";
import {
  type Decoded,
  DEFAULT_STATE,
  NO_EDITS,
  TOUR,
  type State,
  type TourStep,
} from "../../state/index.js";
import { arrivalAt, isElsewhere, stateOfAddress } from "./steps.js";

afterEach(() => {
  setLanguage("en");
});

const arrival = (step: TourStep): State => arrivalAt(step, DEFAULT_STATE);

describe.each(TOUR)("the step %s", (step) => {
  it("is what its address alone stands for, in the reader's own looks", () => {
    const looks = { theme: "dark", backend: "webgpu" } as const;
    const state = { ...DEFAULT_STATE, tour: step, ...looks };
    const named: Decoded["named"] = ["tour", "theme", "backend"];
    const expected = { ...arrival(step), ...looks };
    expect(stateOfAddress({ state, named, unread: [], newer: false })).toEqual(expected);
  });

  it.each<[boolean, Partial<State>]>([
    [false, {}],
    [false, { theme: "dark", language: "zh-CN", backend: "webgpu" }],
    [true, { head: 7 }],
    [true, { text: "typed" }],
    [true, { locked: { query: 0, key: 0 } }],
    [true, { edits: { ...NO_EDITS, heads: [{ gate: 0 }] } }],
    [true, { model: "opened/my-own" }],
  ])("is left (%s) by %o", (left, change) => {
    expect(isElsewhere({ ...arrival(step), ...change })).toBe(left);
  });
});

describe.each(LANGUAGES)("the words in $name", ({ code }) => {
  it.each<[TourStep, MessageKey]>([
    ["softmax", "stage.weights"],
    ["mask", "block.mode"],
    ["edit", "head.silence"],
    ["edit", "edits.undo"],
  ])("of the step %s call what is to be pressed as the page does: %s", (step, key) => {
    setLanguage(code);
    expect(message(`tour.${step}.words`)).toContain(`“${message(key)}”`);
  });
});

it("a step brings nothing along that a reader did on the way, except how the page looks", () => {
  const looks = { theme: "light", backend: "webgpu" } as const;
  const before = { ...DEFAULT_STATE, hidden: [2], target: "la mienne", ...looks };
  expect(arrivalAt("row", before)).toEqual({ ...arrival("row"), ...looks });
});
