import { describe, expect, it } from "vitest";
import { fittingEdits } from "./fitting.js";
import type { Limits } from "./state.js";
import { joinedAs, sublayersOf, withNorm, withResidual, type Joint } from "./head-edits.js";
import { NO_EDITS } from "./state.js";

const SIZE = { layers: 2, heads: 4, kvHeads: 4, headDim: 8 };
const INFO = { stacks: { encoder: SIZE, decoder: SIZE, cross: SIZE } };
const all = (stack: Joint["stack"]): Joint[] =>
  [0, 1].flatMap((layer) =>
    sublayersOf(stack, INFO).map((sublayer) => ({ stack, layer, sublayer })),
  );
const FEED: Joint = { stack: "encoder", layer: 1, sublayer: "feed-forward" };

describe("how sublayers are joined to the stream", () => {
  it("is said of those that are meant, and only of them", () => {
    const edits = withResidual(NO_EDITS, [FEED], false, INFO);
    expect(edits.blocks).toEqual([
      { stack: "encoder", layers: [1], sublayers: ["feed-forward"], residual: false },
    ]);
    expect(joinedAs(edits, FEED)).toEqual({ residual: false, norm: "model" });
    expect(joinedAs(edits, { ...FEED, layer: 0 })).toEqual({ residual: true, norm: "model" });
    expect(withResidual(edits, [FEED], true, INFO)).toEqual(NO_EDITS);
  });

  it("is said once: a part of what was said before is taken out of it", () => {
    const none = withNorm(NO_EDITS, all("decoder"), "none", INFO);
    expect(none.blocks).toEqual([{ stack: "decoder", norm: "none" }]);
    const cross: Joint = { stack: "decoder", layer: 0, sublayer: "cross-attention" };
    const pre = withNorm(none, [cross], "pre", INFO);
    expect(joinedAs(pre, cross).norm).toBe("pre");
    for (const joint of all("decoder").filter(
      ({ layer, sublayer }) => layer !== 0 || sublayer !== "cross-attention",
    ))
      expect(joinedAs(pre, joint).norm).toBe("none");
    const both = withResidual(pre, [cross], false, INFO);
    expect(joinedAs(both, cross)).toEqual({ residual: false, norm: "pre" });
    expect(joinedAs(withNorm(both, [cross], "model", INFO), cross)).toEqual({
      residual: false,
      norm: "model",
    });
  });

  it("leaves out what a model has not", () => {
    const limits: Limits = { encoder: { layers: 1, heads: 4, queries: 3, keys: 3 } };
    const blocks = [
      { stack: "encoder" as const, layers: [0, 1], residual: false },
      { stack: "decoder" as const, residual: false },
      { sublayers: ["cross-attention" as const, "feed-forward" as const], norm: "pre" as const },
      { sublayers: ["cross-attention" as const], norm: "pre" as const },
    ];
    expect(fittingEdits({ ...NO_EDITS, blocks }, limits).blocks).toEqual([
      { stack: "encoder", layers: [0], residual: false },
      { sublayers: ["feed-forward"], norm: "pre" },
    ]);
  });
});
