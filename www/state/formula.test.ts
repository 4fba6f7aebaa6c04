import { describe, expect, it } from "vitest";
import type { AttentionEdit } from "../data/index.js";
import { unusualStages } from "./fitting.js";
import { NO_EDITS } from "./state.js";

const HEAD = { stack: "encoder", layer: 1, head: 2 } as const;
const under = (edit: AttentionEdit): readonly string[] =>
  unusualStages({ ...NO_EDITS, attention: [edit] }, HEAD);

describe("stages that edits make other than the formula", () => {
  it("are those that a kind of attention changes, in the heads that it is for", () => {
    expect(
      [{}, { kind: "softmax" }, { kind: "sliding" }, { kind: "chunked" }].map((edit) =>
        under(edit as AttentionEdit),
      ),
    ).toEqual([[], [], [], []]);
    expect([under({ kind: "linear" }), under({ kind: "cosine" })]).toEqual([
      ["raw", "scores", "weights"],
      ["raw", "scores"],
    ]);
    expect([
      under({ scale: "none" }),
      under({ temperature: 2 }),
      under({ kind: "linformer" }),
    ]).toEqual([["scores"], ["scores"], ["scores", "weights"]]);
    expect([under({ kind: "low-rank" }), under({ dropout: { rate: 0.5, seed: 1 } })]).toEqual([
      ["weights"],
      ["weights"],
    ]);
    expect(under({ stack: "encoder", layers: [0], kind: "low-rank" })).toEqual([]);
  });

  it("are masked scores that are not minus infinity", () => {
    expect(
      unusualStages(
        { ...NO_EDITS, masks: [{ preset: { kind: "causal" } }, { fill: "-inf" }] },
        HEAD,
      ),
    ).toEqual([]);
    expect(unusualStages({ ...NO_EDITS, masks: [{ fill: "-1e9" }] }, HEAD)).toEqual(["masked"]);
    expect(
      unusualStages({ ...NO_EDITS, masks: [{ stack: "decoder", fill: "-1e9" }] }, HEAD),
    ).toEqual([]);
  });

  it("are the weights of a frozen head, and scores that relative positions join", () => {
    expect(unusualStages({ ...NO_EDITS, heads: [{ gate: 0 }] }, HEAD)).toEqual([]);
    expect(unusualStages({ ...NO_EDITS, heads: [{ pattern: "uniform" }] }, HEAD)).toEqual([
      "weights",
    ]);
    expect(
      unusualStages(
        {
          ...NO_EDITS,
          positions: [{ scheme: "sinusoidal" }, { stack: "decoder", scheme: "alibi" }],
        },
        HEAD,
      ),
    ).toEqual([]);
    expect(unusualStages({ ...NO_EDITS, positions: [{ scheme: "t5" }] }, HEAD)).toEqual(["scores"]);
  });
});
