import { describe, expect, it } from "vitest";
import type { Tensor } from "../data/index.js";
import { cellOfToken, strongestOf } from "./strongest.js";

const WEIGHTS: Tensor = {
  data: Float32Array.of(0.7, 0.2, 0.1, 0.1, 0.3, 0.6),
  shape: [2, 3],
  axes: ["query", "key"],
};

describe("a token", () => {
  it("stands for the strongest cell of its row or column", () => {
    expect(cellOfToken(WEIGHTS, "query", 1)).toEqual({ query: 1, key: 2 });
    expect(cellOfToken(WEIGHTS, "key", 0)).toEqual({ query: 0, key: 0 });
    expect(cellOfToken(WEIGHTS, "key", 3)).toBeNull();
    expect(cellOfToken(WEIGHTS, "query", 2)).toBeNull();
  });

  it("stands for its first cell where all are equal", () => {
    expect(cellOfToken({ ...WEIGHTS, data: new Float32Array(6) }, "query", 1)).toEqual({
      query: 1,
      key: 0,
    });
    expect(strongestOf(WEIGHTS, [])).toBeNull();
  });
});
