import { describe, expect, it } from "vitest";
import type { Token } from "../../data/index.js";
import { hasTokensOf, targetIdsOf } from "./target-ids.js";

const token = (id: number): Token => ({ id, text: `w${id}`, word: id, special: false, role: null });

describe("what a translator's decoder read", () => {
  it("is what was written, but for a last token that has no position", () => {
    const targetTokens = [0, 5, 7, 9].map(token);
    expect(
      targetIdsOf({ targetTokens }, { architecture: "encoder-decoder", maxTokens: 8 }),
    ).toEqual([0, 5, 7, 9]);
    expect(
      targetIdsOf({ targetTokens }, { architecture: "encoder-decoder", maxTokens: 3 }),
    ).toEqual([0, 5, 7]);
    expect(
      targetIdsOf({ targetTokens }, { architecture: "decoder", maxTokens: 8 }),
    ).toBeUndefined();
  });

  it("tells whether another run read the same", () => {
    const info = { architecture: "encoder-decoder", maxTokens: 3 } as const;
    const run = (
      source: number[],
      target: number[],
    ): { tokens: Token[]; targetTokens: Token[] } => ({
      tokens: source.map(token),
      targetTokens: target.map(token),
    });
    const wanted = run([1, 2], [0, 5, 7, 9]);
    expect(hasTokensOf(run([1, 2], [0, 5, 7]), wanted, info)).toBe(true);
    for (const other of [
      run([1, 3], [0, 5, 7]),
      run([1], [0, 5, 7]),
      run([1, 2, 3], [0, 5, 7]),
      run([1, 2], [0, 5]),
      run([1, 2], [0, 6, 7]),
    ])
      expect(hasTokensOf(other, wanted, info)).toBe(false);
  });
});
