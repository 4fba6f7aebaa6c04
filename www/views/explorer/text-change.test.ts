import { describe, expect, it } from "vitest";
import { FAKE_READER, FakeModel } from "../../../tests/support/fake-model.js";
import { DEFAULT_STATE, NO_EDITS, type State } from "../../state/index.js";
import { hiddenAfter, isOnlyWritten } from "./text-change.js";

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
