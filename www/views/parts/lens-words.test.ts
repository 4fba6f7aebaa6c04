import { describe, expect, it } from "vitest";
import { stageHint } from "./lens-words.js";

const USUAL = { headDim: 32, unusual: [], fullyMasked: [] };

describe("what a stage is said to be", () => {
  it("is its formula, or that edits make it", () => {
    expect(stageHint("scores", USUAL)).toContain("√32");
    expect(stageHint("scores", { ...USUAL, unusual: ["scores"] })).toBe("As your edits make them.");
    expect(stageHint("weights", USUAL)).toBe("After softmax: every row adds up to 1.");
  });

  it("does not promise 1 of rows that may look nowhere, unless edits make the weights", () => {
    const empty = { ...USUAL, fullyMasked: [2] };
    expect(stageHint("weights", empty)).toContain("look nowhere, which are all 0");
    expect(stageHint("masked", empty)).toBe(stageHint("masked", USUAL));
    expect(stageHint("weights", { ...empty, unusual: ["weights"] })).toBe(
      "As your edits make them.",
    );
  });
});
