import { describe, expect, it } from "vitest";
import type { Token } from "../../data/index.js";
import { targetIdsOf } from "./target-ids.js";

const token = (id: number): Token => ({ id, text: `w${id}`, word: id, special: false, role: null });

describe("what a translator's decoder read", () => {
  it("is what was written, but for a last token that has no position", () => {
    const targetTokens = [0, 5, 7, 9].map(token);
    expect(targetIdsOf({ targetTokens }, { architecture: "encoder-decoder", maxTokens: 8 })).toEqual([0, 5, 7, 9]);
    expect(targetIdsOf({ targetTokens }, { architecture: "encoder-decoder", maxTokens: 3 })).toEqual([0, 5, 7]);
    expect(targetIdsOf({ targetTokens }, { architecture: "decoder", maxTokens: 8 })).toBeUndefined();
  });
});
