import { describe, expect, it } from "vitest";
import type { Edits, HeadEdit } from "../data/index.js";
import { editLists } from "./edits.js";
import { isOverridden } from "./fitting.js";
import { EDIT_LISTS } from "./state.js";

/** Those of some edits that do nothing beside the others, list by list in their order. */
function overridden(some: Edits): string[] {
  const edits = editLists(some);
  return EDIT_LISTS.flatMap((list) =>
    edits[list].flatMap((_, index) =>
      isOverridden(edits, { list, index }, () => true) ? [`${list} ${index}`] : [],
    ),
  );
}

const E = { stack: "encoder" } as const;
const D = { stack: "decoder" } as const;
const LAYER = { ...E, layers: [1] };
const HEAD = { ...LAYER, heads: [1] };
const heads = (...edits: HeadEdit[]): Edits => ({ heads: edits });
const UNIFORM = { ...HEAD, pattern: "uniform" } as const;
const PRE = { ...LAYER, norm: "pre" } as const;

describe("an edit that another one contradicts", () => {
  it.each<[what: string, edits: Edits, which: string]>([
    ["one pattern after another", heads(UNIFORM, { ...HEAD, pattern: "diagonal" }), "heads 0"],
    [
      "a factor beside silence, whichever comes first",
      heads({ ...HEAD, gate: 0 }, { ...HEAD, gate: 2 }),
      "heads 1",
    ],
    [
      "a factor of a head whose layer is silent",
      heads({ ...HEAD, gate: 2 }, { ...LAYER, gate: 0 }),
      "heads 0",
    ],
    ["a norm that is moved back", { blocks: [PRE, { ...LAYER, norm: "post" }] }, "blocks 0"],
    [
      "a norm of a sublayer, then of all",
      {
        blocks: [
          { ...PRE, sublayers: ["feed-forward"] },
          { ...LAYER, norm: "none" },
        ],
      },
      "blocks 0",
    ],
    [
      "a kind after another",
      {
        attention: [
          { ...HEAD, kind: "sliding" },
          { ...HEAD, kind: "linear" },
        ],
      },
      "attention 0",
    ],
    [
      "one scheme after another",
      {
        positions: [
          { ...E, scheme: "none" },
          { ...E, scheme: "alibi" },
        ],
      },
      "positions 0",
    ],
    [
      "cells opened and blocked again",
      {
        masks: [
          { ...D, allow: [[0, 8]] },
          { ...D, block: [[0, 8]] },
        ],
      },
      "masks 0",
    ],
    [
      "a rule before one that stands instead",
      {
        masks: [
          { ...E, preset: { kind: "window", width: 1 } },
          { ...E, mode: "replace", preset: { kind: "none" } },
        ],
      },
      "masks 0",
    ],
  ])("is %s", (_, edits, which) => {
    expect(overridden(edits)).toEqual([which]);
  });

  it.each<[what: string, edits: Edits]>([
    ["factors, which multiply", heads({ ...HEAD, gate: 2 }, { ...HEAD, gate: 3 })],
    ["a pattern of one head and of another", heads(UNIFORM, { ...UNIFORM, heads: [2] })],
    [
      "a pattern of a layer, then of one head of it",
      heads({ ...LAYER, pattern: "uniform" }, UNIFORM),
    ],
    ["a factor and a pattern of one head", heads({ ...HEAD, gate: 2 }, UNIFORM)],
    ["a residual and a norm", { blocks: [{ ...LAYER, residual: false }, PRE] }],
    [
      "norms of two sublayers",
      {
        blocks: [
          { ...PRE, sublayers: ["feed-forward"] },
          { ...PRE, sublayers: ["self-attention"] },
        ],
      },
    ],
    [
      "a dropout, then a kind",
      {
        attention: [
          { ...HEAD, kind: "softmax", dropout: { rate: 0.5, seed: 1 } },
          { ...HEAD, kind: "cosine" },
        ],
      },
    ],
    [
      "a kind of a decoder, then one that decoders cannot have",
      { attention: [{ ...D, kind: "linear" }, { kind: "linformer" }] },
    ],
    [
      "cells of which one is opened again",
      {
        masks: [
          {
            ...D,
            block: [
              [0, 8],
              [1, 8],
            ],
          },
          { ...D, allow: [[0, 8]] },
        ],
      },
    ],
    [
      "rules that narrow one another",
      {
        masks: [
          { ...E, preset: { kind: "window", width: 1 } },
          { ...E, preset: { kind: "causal" } },
        ],
      },
    ],
    [
      "schemes of two stacks",
      {
        positions: [
          { ...E, scheme: "none" },
          { ...D, scheme: "none" },
        ],
      },
    ],
  ])("is not %s", (_, edits) => {
    expect(overridden(edits)).toEqual([]);
  });

  it("is none beside one that is left out itself", () => {
    const edits = editLists(heads(UNIFORM, { ...HEAD, pattern: "diagonal" }));
    expect(isOverridden(edits, { list: "heads", index: 0 }, ({ index }) => index === 0)).toBe(
      false,
    );
  });
});
