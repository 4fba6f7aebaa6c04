import { describe, expect, it } from "vitest";
import { FAKE_READER, FakeModel } from "../../../tests/support/fake-model.js";
import { DEFAULT_STATE, NO_EDITS, type State, togglePicked } from "../../state/index.js";
import { samplesOf, stateOf } from "../samples.js";
import { backPatch, hiddenAfter, isOnlyWritten, switchPatch } from "./text-change.js";

it.each([
  ["move along in a masked language model", new FakeModel(FAKE_READER), [1]],
  ["are forgotten by another model", new FakeModel(), []],
  ["stay while there is no model", null, [1]],
])("masked tokens %s when the text changes", (_, model, hidden) => {
  const before = { text: "one two three", hidden: [1] };
  expect(hiddenAfter(before, "one two three four", model)).toEqual(hidden);
});

it.each<[Partial<State>, boolean]>([
  [{ text: "one", hidden: [], pairs: [] }, true],
  [{ target: "un" }, true],
  [{ otherText: "two" }, true],
  [{ bench: "masks" }, false],
  [{ edits: { ...NO_EDITS } }, false],
  [{ compare: "original" }, false],
  [{ locked: { query: 0, key: 0 } }, false],
  [{ text: "one", bench: "kinds" }, false],
])("%o is typing alone: %s", (change, typed) => {
  expect(isOnlyWritten({ ...DEFAULT_STATE, ...change }, DEFAULT_STATE)).toBe(typed);
});

const MOVED = { locked: null, picked: null, region: null, pairs: [] };

describe("another model", () => {
  it("has its own first sample where a sample was shown, with its head", () => {
    const [first] = samplesOf("models/tiny-gpt");
    expect(switchPatch(DEFAULT_STATE, "models/tiny-gpt")).toMatchObject({
      model: "models/tiny-gpt",
      ...(first && stateOf(first)),
    });
  });

  it("keeps a sample that it has itself", () => {
    const shared = samplesOf("models/tiny-bert").find(({ text }) =>
      samplesOf("models/en-fr").some((sample) => sample.text === text),
    );
    if (!shared) throw new Error("no text is a sample of both");
    expect(switchPatch({ ...DEFAULT_STATE, text: shared.text }, "models/tiny-bert")).toMatchObject(
      stateOf(shared),
    );
  });

  it.each([
    [{ text: "my own" }, "models/tiny-gpt"],
    [{ target: "la mienne" }, "models/tiny-gpt"],
    [{}, "opened/bert"],
  ] as const)("keeps what was typed, and no pair of the model before: %o in %s", (typed, model) => {
    expect(switchPatch({ ...DEFAULT_STATE, ...typed }, model)).toEqual({ model, ...MOVED });
  });
});

it("from a model that cannot be loaded one goes back to what was left, with what was typed since", () => {
  const left = {
    ...DEFAULT_STATE,
    locked: { query: 1, key: 2 },
    picked: togglePicked(null, "source", 1),
  };
  for (const before of [left, { ...left, text: "my own" }]) {
    const now = { ...before, ...switchPatch(before, "models/tiny-bert") };
    expect({ ...now, ...backPatch(before, now) }).toEqual(before);
    const typed = { ...now, text: "typed meanwhile" };
    expect({ ...typed, ...backPatch(before, typed) }).toMatchObject({
      model: left.model,
      text: "typed meanwhile",
      locked: null,
    });
  }
});
