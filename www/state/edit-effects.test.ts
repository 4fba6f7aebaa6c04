import { describe, expect, it } from "vitest";
import type { AttentionEdit, Edits, HeadEdit } from "../data/index.js";
import { isOverridden, unusualStages } from "./edit-effects.js";
import { editLists } from "./edits.js";
import { EDIT_LISTS, NO_EDITS } from "./index.js";

const E = { stack: "encoder" } as const;
const D = { stack: "decoder" } as const;

/** Those of some edits that do nothing beside the others, list by list in their order. */
function overridden(some: Edits): string[] {
  const edits = editLists(some);
  return EDIT_LISTS.flatMap((list) =>
    edits[list].flatMap((_, index) =>
      isOverridden(edits, { list, index }, () => true) ? [`${list} ${index}`] : [],
    ),
  );
}

const LAYER = { ...E, layers: [1] };
const HEAD = { ...LAYER, heads: [1] };
const UNIFORM = { ...HEAD, pattern: "uniform" } as const;
const PRE = { ...LAYER, norm: "pre" } as const;
const heads = (...edits: HeadEdit[]): Edits => ({ heads: edits });

describe("edits that another one undoes", () => {
  it.each<[what: string, edits: Edits, which: string[]]>([
    ["one pattern after another", heads(UNIFORM, { ...HEAD, pattern: "diagonal" }), ["heads 0"]],
    ["a factor beside silence", heads({ ...HEAD, gate: 0 }, { ...HEAD, gate: 2 }), ["heads 1"]],
    ["a factor in a silent layer", heads({ ...HEAD, gate: 2 }, { ...LAYER, gate: 0 }), ["heads 0"]],
    ["factors, which multiply", heads({ ...HEAD, gate: 2 }, { ...HEAD, gate: 3 }), []],
    ["patterns of two heads", heads(UNIFORM, { ...UNIFORM, heads: [2] }), []],
    ["a pattern of a layer, then of a head", heads({ ...LAYER, pattern: "uniform" }, UNIFORM), []],
    ["a factor and a pattern", heads({ ...HEAD, gate: 2 }, UNIFORM), []],
    ["a norm that is moved back", { blocks: [PRE, { ...LAYER, norm: "post" }] }, ["blocks 0"]],
    [
      "a norm of a sublayer, then of all",
      {
        blocks: [
          { ...PRE, sublayers: ["feed-forward"] },
          { ...LAYER, norm: "none" },
        ],
      },
      ["blocks 0"],
    ],
    ["a residual and a norm", { blocks: [{ ...LAYER, residual: false }, PRE] }, []],
    [
      "norms of two sublayers",
      {
        blocks: [
          { ...PRE, sublayers: ["feed-forward"] },
          { ...PRE, sublayers: ["self-attention"] },
        ],
      },
      [],
    ],
    [
      "one kind after another",
      {
        attention: [
          { ...HEAD, kind: "sliding" },
          { ...HEAD, kind: "linear" },
        ],
      },
      ["attention 0"],
    ],
    [
      "a dropout, then a kind",
      {
        attention: [
          { ...HEAD, kind: "softmax", dropout: { rate: 0.5, seed: 1 } },
          { ...HEAD, kind: "cosine" },
        ],
      },
      [],
    ],
    [
      "a kind of a decoder, then one that decoders cannot have",
      { attention: [{ ...D, kind: "linear" }, { kind: "linformer" }] },
      [],
    ],
    [
      "one scheme after another",
      {
        positions: [
          { ...E, scheme: "none" },
          { ...E, scheme: "alibi" },
        ],
      },
      ["positions 0"],
    ],
    [
      "schemes of two stacks",
      {
        positions: [
          { ...E, scheme: "none" },
          { ...D, scheme: "none" },
        ],
      },
      [],
    ],
    [
      "cells opened and blocked again",
      {
        masks: [
          { ...D, allow: [[0, 8]] },
          { ...D, block: [[0, 8]] },
        ],
      },
      ["masks 0"],
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
      [],
    ],
    [
      "a rule before one that stands instead",
      {
        masks: [
          { ...E, preset: { kind: "causal" } },
          { ...E, mode: "replace", preset: { kind: "none" } },
        ],
      },
      ["masks 0"],
    ],
    [
      "rules that narrow one another",
      {
        masks: [
          { ...E, preset: { kind: "window", width: 1 } },
          { ...E, preset: { kind: "causal" } },
        ],
      },
      [],
    ],
  ])("among %s", (_, edits, which) => {
    expect(overridden(edits)).toEqual(which);
  });

  it("are none beside one that is left out itself", () => {
    const edits = editLists(heads(UNIFORM, { ...HEAD, pattern: "diagonal" }));
    const isActive = ({ index }: { index: number }): boolean => index === 0;
    expect(isOverridden(edits, { list: "heads", index: 0 }, isActive)).toBe(false);
  });
});

const SHOWN = { stack: "encoder", layer: 1, head: 2 } as const;
const under = (edit: AttentionEdit): readonly string[] =>
  unusualStages({ ...NO_EDITS, attention: [edit] }, SHOWN);

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
        SHOWN,
      ),
    ).toEqual([]);
    expect(unusualStages({ ...NO_EDITS, masks: [{ fill: "-1e9" }] }, SHOWN)).toEqual(["masked"]);
    expect(
      unusualStages({ ...NO_EDITS, masks: [{ stack: "decoder", fill: "-1e9" }] }, SHOWN),
    ).toEqual([]);
  });

  it("are the weights of a frozen head, and scores that relative positions join", () => {
    expect(unusualStages({ ...NO_EDITS, heads: [{ gate: 0 }] }, SHOWN)).toEqual([]);
    expect(unusualStages({ ...NO_EDITS, heads: [{ pattern: "uniform" }] }, SHOWN)).toEqual([
      "weights",
    ]);
    expect(
      unusualStages(
        {
          ...NO_EDITS,
          positions: [{ scheme: "sinusoidal" }, { stack: "decoder", scheme: "alibi" }],
        },
        SHOWN,
      ),
    ).toEqual([]);
    expect(unusualStages({ ...NO_EDITS, positions: [{ scheme: "t5" }] }, SHOWN)).toEqual([
      "scores",
    ]);
  });
});
