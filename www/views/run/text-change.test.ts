import { describe, expect, it } from "vitest";
import { FAKE_READER, FakeModel } from "../../../tests/support/fake-model.js";
import { DEFAULT_STATE, NO_EDITS, type State, togglePicked } from "../../state/index.js";

import { pairSamplesOf, samplesOf, stateOf } from "../samples.js";
import { backPatch, hiddenAfter, isOnlyWritten, switchPatch } from "./text-change.js";

const STATE = { text: "one two three", hidden: [1] };

describe("hidden tokens when the text changes", () => {
  it("move along in a model that fills gaps", () => {
    expect(hiddenAfter(STATE, "one two three four", new FakeModel(FAKE_READER))).toEqual([1]);
  });

  it("are forgotten by a model that does not, and kept while there is none", () => {
    expect(hiddenAfter(STATE, "one two", new FakeModel())).toEqual([]);
    expect(hiddenAfter(STATE, "one two", null)).toEqual([1]);
  });
});

describe("whether a text was only written", () => {
  const changed = (change: Partial<State>): boolean =>
    isOnlyWritten({ ...DEFAULT_STATE, ...change }, DEFAULT_STATE);

  it("is so of letters, with what moves along with them", () => {
    expect([
      changed({ text: "one", hidden: [], pairs: [] }),
      changed({ target: "un" }),
      changed({ otherText: "two" }),
    ]).toEqual([true, true, true]);
  });

  it("is not where something was opened, chosen or edited, with a text or without", () => {
    const others: Partial<State>[] = [
      { bench: "masks" },
      { edits: { ...NO_EDITS } },
      { compare: "original" },
      { layer: 3 },
      { locked: { query: 0, key: 0 } },
      { text: "one", bench: "kinds" },
    ];
    expect(others.map(changed)).toEqual(others.map(() => false));
  });
});

const [firstOfGpt] = samplesOf("models/tiny-gpt");

describe("another model", () => {
  it("brings its own first sample where a sample was shown, with where to look", () => {
    const patch = switchPatch(DEFAULT_STATE, "models/tiny-gpt");
    expect(patch).toMatchObject({
      model: "models/tiny-gpt",
      text: firstOfGpt?.text,
      ...firstOfGpt?.look,
      target: null,
    });
  });

  it("keeps a sample that it has itself", () => {
    const shared = samplesOf("models/tiny-bert").find(({ text }) =>
      samplesOf("models/en-fr").some((sample) => sample.text === text),
    );
    if (!shared) throw new Error("no text is a sample of both");
    const patch = switchPatch({ ...DEFAULT_STATE, text: shared.text }, "models/tiny-bert");
    expect(patch).toMatchObject({ text: shared.text, hidden: shared.hidden, ...shared.look });
  });

  it("keeps what a person typed, or translated, and looks at no pair of the model before", () => {
    expect(switchPatch({ ...DEFAULT_STATE, text: "my own" }, "models/tiny-gpt")).toEqual({
      model: "models/tiny-gpt",
      locked: null,
      picked: null,
      region: null,
      pairs: [],
    });
    expect(switchPatch({ ...DEFAULT_STATE, target: "la mienne" }, "models/tiny-gpt")).toEqual({
      model: "models/tiny-gpt",
      locked: null,
      picked: null,
      region: null,
      pairs: [],
    });
  });

  it("from a disk has no samples, so the text stays", () => {
    expect(switchPatch(DEFAULT_STATE, "opened/bert")).toEqual({
      model: "opened/bert",
      locked: null,
      picked: null,
      region: null,
      pairs: [],
    });
  });

  it("and a sample leave nothing of what was picked or paired in another text", () => {
    const [sample] = samplesOf("models/tiny-bert");
    const [pair] = pairSamplesOf("models/en-fr");
    if (!sample || !pair) throw new Error("no samples");
    for (const patch of [
      switchPatch(DEFAULT_STATE, "models/tiny-gpt"),
      stateOf(sample),
      stateOf(pair),
    ])
      expect(patch).toMatchObject({ picked: null, region: null, pairs: [] });
  });
});

describe("the way back from a model that could not be had", () => {
  const left = {
    ...DEFAULT_STATE,
    locked: { query: 1, key: 2 },
    picked: togglePicked(null, "source", 1),
  };
  const now = { ...left, ...switchPatch(left, "models/tiny-bert") };

  it("leads to what was left, with what was held and picked there", () => {
    expect({ ...now, ...backPatch(left, now) }).toEqual(left);
    const own = { ...left, text: "my own" };
    const there = { ...own, ...switchPatch(own, "models/tiny-bert") };
    expect({ ...there, ...backPatch(own, there) }).toEqual(own);
  });

  it("takes along what was typed meanwhile", () => {
    expect({ ...now, ...backPatch(left, { ...now, text: "typed meanwhile" }) }).toMatchObject({
      model: left.model,
      locked: null,
    });
    expect(backPatch(left, { ...now, text: "typed meanwhile" })).not.toHaveProperty("text");
  });
});
