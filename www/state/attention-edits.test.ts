import { describe, expect, it } from "vitest";
import type { AttentionEdit } from "../data/index.js";
import { kindEdit, kindValues, MODEL_KIND, type KindValues } from "./attention-edits.js";

describe("attention variants", () => {
  it.each<[what: string, values: Partial<KindValues>, edit: AttentionEdit]>([
    ["what the model has", {}, { kind: "softmax" }],
    [
      "what it has not",
      { kind: "sliding", parameters: { width: 3 }, temperature: 0.5, rate: 0.2, seed: 7 },
      {
        kind: "sliding",
        parameters: { width: 3 },
        temperature: 0.5,
        dropout: { rate: 0.2, seed: 7 },
      },
    ],
    [
      "no part that makes no sense",
      { kind: "linear", temperature: 2, scale: "none", rate: 0.5 },
      { kind: "linear" },
    ],
    [
      "no number out of range, or of another kind",
      { kind: "chunked", parameters: { size: 0, rank: 4 }, temperature: NaN, rate: 0.5 },
      { kind: "chunked", parameters: { size: 1 } },
    ],
  ])("say %s", (_, values, edit) => {
    expect(kindEdit({ ...MODEL_KIND, ...values }, {})).toEqual(edit);
  });

  it("have numbers that the core takes", () => {
    const { parameters } = kindValues({ kind: "performer", parameters: { features: 1e9 } });
    expect(parameters).toEqual({ features: 1024, seed: 1 });
    expect(kindValues({ dropout: { rate: 1, seed: -3 }, scale: 1e9 })).toMatchObject({
      rate: 0.99,
      seed: 0,
      scale: 1000,
    });
  });
});
