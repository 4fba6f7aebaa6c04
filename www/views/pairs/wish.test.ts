import { describe, expect, it } from "vitest";
import { FAKE_INFO, FakeModel } from "../../../tests/support/fake-model.js";
import { DEFAULT_STATE, NO_EDITS, toggleHead, type State } from "../../state/index.js";
import { comparisonOf, wishOf } from "./wish.js";

const EDITS = toggleHead(NO_EDITS, { stack: "cross", layer: 0, head: 0 }, FAKE_INFO.stacks);
const state = (more: Partial<State>): State => ({ ...DEFAULT_STATE, text: "one two", ...more });

async function first(): Promise<{ model: FakeModel; run: Awaited<ReturnType<FakeModel["run"]>> }> {
  const model = new FakeModel();
  return { model, run: await model.run({ text: "one two" }) };
}

describe("the second run", () => {
  it("is none without edits or a comparison, and the original with edits that fit", async () => {
    const shown = await first();
    expect(comparisonOf(state({}), shown)).toBeNull();
    expect(comparisonOf(state({ edits: EDITS }), shown)).toBe("original");
    expect(
      comparisonOf(
        state({
          edits: toggleHead(NO_EDITS, { stack: "cross", layer: 99, head: 0 }, FAKE_INFO.stacks),
        }),
        shown,
      ),
    ).toBeNull();
    expect(wishOf(state({ compare: "other" }), { model: null, run: null })).toBeNull();
  });

  it("reads as the original the very tokens of the edited run, and no edits", async () => {
    const shown = await first();
    const wish = wishOf(state({ edits: EDITS, target: "un" }), shown);
    expect(wish?.input(shown.model)).toEqual({
      text: "one two",
      targetIds: shown.run.targetTokens.map(({ id }) => id),
    });
  });

  it("reads another text without the first one's translation and hidden tokens", async () => {
    const shown = await first();
    const wish = wishOf(
      state({ compare: "other", otherText: "three", target: "un", hidden: [0], edits: EDITS }),
      shown,
    );
    expect([wish?.model, wish?.input(shown.model)]).toEqual(["models/en-fr", { text: "three" }]);
    expect(wishOf(state({ compare: "other", otherText: " " }), shown)).toBeNull();
  });

  it("reads the same text with another model", async () => {
    const shown = await first();
    const wish = wishOf(state({ compare: "other", otherModel: "models/tiny-gpt" }), shown);
    expect([wish?.model, wish?.input(shown.model)]).toEqual([
      "models/tiny-gpt",
      { text: "one two" },
    ]);
  });
});
