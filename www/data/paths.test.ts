import { describe, expect, it } from "vitest";
import type { Stacks } from "./index.js";
import { type PatchReceiver, partsOf, sendingLayers } from "./paths.js";

const SIZE = { heads: 4, kvHeads: 4, headDim: 8 };
const TRANSLATOR: Stacks = {
  encoder: { layers: 3, ...SIZE },
  decoder: { layers: 2, ...SIZE },
  cross: { layers: 2, ...SIZE },
};

const at = (stack: "encoder" | "decoder" | "cross", layer: number): PatchReceiver => ({
  stack,
  layer,
  head: 0,
});

describe("the heads with a direct path to a receiver", () => {
  it.each([
    ["encoder", at("encoder", 2), 2],
    ["encoder", at("encoder", 0), 0],
    // The encoder's output is the memory of each block of the decoder.
    ["encoder", at("cross", 0), 3],
    ["encoder", at("decoder", 1), 0],
    ["encoder", "logits", 0],
    ["decoder", at("decoder", 1), 1],
    // Self-attention writes before cross-attention of the same block reads.
    ["decoder", at("cross", 1), 2],
    ["decoder", at("cross", 0), 1],
    ["decoder", at("encoder", 2), 0],
    ["decoder", "logits", 2],
    ["cross", at("cross", 1), 1],
    ["cross", at("decoder", 1), 1],
    ["cross", "logits", 2],
  ] as const)("of the stack %s to %j are those of %i layers", (sender, receiver, layers) => {
    expect(sendingLayers(TRANSLATOR, sender, receiver)).toBe(layers);
  });

  it("are those of all layers before the logits of a model without a decoder", () => {
    const { encoder } = TRANSLATOR;
    expect(sendingLayers(encoder ? { encoder } : {}, "encoder", "logits")).toBe(3);
  });

  it("lead to the parts that read the stream they write to", () => {
    const cross = { stack: "cross", layer: 1, head: 0 } as const;
    expect(partsOf("encoder", cross)).toEqual(["key", "value"]);
    expect(partsOf("decoder", cross)).toEqual(["query"]);
    expect(partsOf("encoder", { ...cross, part: "query" })).toEqual([]);
    expect(partsOf("encoder", { ...cross, stack: "encoder" })).toEqual(["query", "key", "value"]);
  });
});
