// The runs of two texts between which activations are patched.
import { describe, expect, it } from "vitest";
import { FAKE_INFO, FAKE_READER, FakeModel } from "../../../tests/support/fake-model.js";
import { DEFAULT_STATE } from "../../state/index.js";
import { type AskedTexts, readTextPair } from "./text-pair.js";

const { edits } = DEFAULT_STATE;
const asked = (more: Partial<AskedTexts>): AskedTexts => ({
  texts: { clean: "one two three", corrupted: "one four three" },
  masked: [],
  target: null,
  edits,
  reading: {},
  ...more,
});
const { signal } = new AbortController();

describe("the runs of two texts", () => {
  it("mask the same positions, as far as both have tokens there that can be masked", async () => {
    const model = new FakeModel(FAKE_READER);
    // The fourth token is the end of the text, the tenth is not there.
    await readTextPair(model, asked({ masked: [1, 3, 9] }), signal);
    expect(model.inputs.map(({ masked }) => masked)).toEqual([[1], [1]]);
    expect(model.held.size).toBe(0);
  });

  it("have the translation that was given for the clean text alone, and no patches", async () => {
    const model = new FakeModel(FAKE_INFO);
    const patch = { at: { stack: "encoder", layer: 0, step: "input" }, from: { text: "a" } };
    const patched = { ...edits, patches: [patch] } as unknown as AskedTexts["edits"];
    await readTextPair(model, asked({ target: "A B C", edits: patched }), signal);
    const [clean, corrupted] = model.inputs;
    expect([clean?.text, clean?.target]).toEqual(["one two three", "A B C"]);
    expect(corrupted).not.toHaveProperty("target", "A B C");
    for (const input of model.inputs) expect(input.edits?.patches ?? []).toEqual([]);
  });
});
