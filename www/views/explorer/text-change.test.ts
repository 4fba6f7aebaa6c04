import { describe, expect, it } from "vitest";
import { FAKE_READER, FakeModel } from "../../../tests/support/fake-model.js";
import { hiddenAfter } from "./text-change.js";

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
