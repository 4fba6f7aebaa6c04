import { describe, expect, it } from "vitest";
import type { Edits, HeadEdit } from "../data/index.js";
import { addKind } from "./attention-edits.js";
import { editLists } from "./edits.js";
import { fitsIn, fittingEdits, isOverridden } from "./fitting.js";
import { toggleSolo } from "./head-edits.js";
import { EDIT_LISTS, NO_EDITS, type Limits } from "./state.js";

const E = { stack: "encoder" } as const;
const D = { stack: "decoder" } as const;
const X = { stack: "cross" } as const;
const SIZE = { layers: 3, heads: 8, queries: 4, keys: 4 };
const ENCODER: Limits = { encoder: SIZE, cross: { ...SIZE, queries: 6 } };
const DECODER: Limits = { decoder: { layers: 2, heads: 2, queries: 4, keys: 4, headDim: 3 } };
const ALL: Limits = { encoder: SIZE, decoder: { ...SIZE, queries: 2, keys: 2 }, cross: SIZE };
const LONG = { ...SIZE, queries: 513, keys: 513 };
const square = (size: number): number[][] =>
  Array.from({ length: size }, () => new Array<number>(size).fill(1));

/** Of each edit, which sentence says what of it is left out; "" where it fits as it is. */
function misfits(some: Edits, limits: Limits): string[] {
  const edits = editLists(some);
  const fits = fitsIn(edits, limits);
  return EDIT_LISTS.flatMap((list) =>
    edits[list].map((_, index) => {
      const { active, misfit } = fits({ list, index });
      expect(active).toBe(!["otherModel", "inactive", "impossible"].includes(misfit?.says ?? ""));
      return misfit?.says ?? "";
    }),
  );
}

describe("the part of the edits that a run is given", () => {
  it.each<[what: string, edits: Edits, limits: Limits, says: string[], sent: Edits]>([
    ["nothing of none", {}, ALL, [], {}],
    [
      "cells, layers and stacks that exist",
      {
        masks: [
          {
            ...X,
            layers: [1],
            block: [
              [5, 3],
              [6, 3],
              [5, 4],
            ],
          },
          { ...X, layers: [9], block: [[0, 0]] },
          { ...D, block: [[0, 0]] },
          {
            block: [
              [5, 3],
              [3, 3],
            ],
            allow: [[9, 9]],
          },
          { ...E, layers: [0, 9], block: [[50, 50]] },
        ],
      },
      ENCODER,
      ["partly", "otherModel", "otherModel", "partly", "inactive"],
      { masks: [{ ...X, layers: [1], block: [[5, 3]] }, { block: [[3, 3]] }] },
    ],
    [
      "global tokens that the text has, in cross-attention as query or key",
      {
        masks: [
          { ...E, preset: { kind: "global", tokens: [0, 3, 5], width: 1 } },
          { ...X, preset: { kind: "global", tokens: [0, 3, 5], width: 1 } },
          { preset: { kind: "random", tokens: [7], keys: 1, seed: 1 } },
        ],
      },
      ENCODER,
      ["partlyTokens", "", "partlyTokens"],
      {
        masks: [
          { ...E, preset: { kind: "global", tokens: [0, 3], width: 1 } },
          { ...X, preset: { kind: "global", tokens: [0, 3, 5], width: 1 } },
          { preset: { kind: "random", tokens: [], keys: 1, seed: 1 } },
        ],
      },
    ],
    [
      "lengths as they are",
      {
        masks: [
          { preset: { kind: "padding", length: 5 } },
          { ...E, preset: { kind: "prefix", length: 4 } },
        ],
      },
      ENCODER,
      ["partlyLength", ""],
      {
        masks: [
          { preset: { kind: "padding", length: 5 } },
          { ...E, preset: { kind: "prefix", length: 4 } },
        ],
      },
    ],
    [
      "heads that exist in all stacks that are meant",
      {
        heads: [
          { ...X, layers: [1, 9], heads: [2], gate: 0 },
          { heads: [8, 9], gate: 0.5 },
          { layers: [7], gate: 0 },
        ],
      },
      ENCODER,
      ["partlyModel", "otherModel", "otherModel"],
      { heads: [{ ...X, layers: [1], heads: [2], gate: 0 }] },
    ],
    [
      "nothing of a layer that one of the stacks lacks",
      { heads: [{ layers: [4], gate: 0 }] },
      { ...ENCODER, decoder: { ...SIZE, layers: 5 } },
      ["impossible"],
      {},
    ],
    [
      "nothing of a layer of one stack and a head of another",
      { heads: [{ layers: [4], heads: [6], gate: 0 }] },
      { encoder: { ...SIZE, layers: 5, heads: 2 }, decoder: SIZE },
      ["otherModel"],
      {},
    ],
    [
      "no gate that takes a head's product too far",
      {
        heads: [
          { ...X, heads: [2], gate: 50 },
          { ...E, gate: 1000 },
          { layers: [1], heads: [2, 3], gate: -30 },
          { ...X, layers: [1], gate: 20 },
          { ...X, heads: [2], gate: 1001 },
        ],
      },
      ENCODER,
      ["", "", "impossible", "", "impossible"],
      {
        heads: [
          { ...X, heads: [2], gate: 50 },
          { ...E, gate: 1000 },
          { ...X, layers: [1], gate: 20 },
        ],
      },
    ],
    [
      "nothing that would silence all heads of a smaller model",
      { heads: [{ heads: [0, 1, 2], gate: 0 }] },
      DECODER,
      ["impossible"],
      {},
    ],
    [
      "rows and columns of a drawing that the text has",
      { heads: [{ ...E, pattern: square(6) }, { pattern: square(3) }] },
      ENCODER,
      ["partlyDrawn", ""],
      { heads: [{ ...E, pattern: square(4) }, { pattern: square(3) }] },
    ],
    [
      "no drawing where there is no text",
      { heads: [{ ...E, pattern: square(2) }] },
      { encoder: { ...SIZE, queries: 0 } },
      ["inactive"],
      {},
    ],
    [
      "sublayers and layers that exist",
      {
        blocks: [
          { ...E, layers: [0, 9], residual: false },
          { ...D, residual: false },
          { sublayers: ["cross-attention", "feed-forward"], norm: "pre" },
          { sublayers: ["cross-attention"], norm: "pre" },
        ],
      },
      { encoder: SIZE },
      ["partlyModel", "otherModel", "partlyModel", "otherModel"],
      {
        blocks: [
          { ...E, layers: [0], residual: false },
          { sublayers: ["feed-forward"], norm: "pre" },
        ],
      },
    ],
    [
      "schemes without an order that the text is too short for",
      {
        positions: [
          { order: [2, 1, 0] },
          { ...D, scheme: "t5", order: [2, 1, 0] },
          { ...E, order: [2, 1, 0] },
        ],
      },
      ALL,
      ["inactive", "partlyOrder", ""],
      {
        positions: [
          { ...D, scheme: "t5" },
          { ...E, order: [2, 1, 0] },
        ],
      },
    ],
    [
      "no rotary positions for heads of odd width",
      { positions: [{ scheme: "rotary" }] },
      DECODER,
      ["impossible"],
      {},
    ],
    [
      "no positions of another stack",
      { positions: [{ ...E, scheme: "none" }] },
      DECODER,
      ["otherModel"],
      {},
    ],
  ])("is %s", (_, edits, limits, says, sent) => {
    expect(misfits(edits, limits)).toEqual(says);
    expect(fittingEdits(editLists(edits), limits)).toEqual(sent);
  });

  it.each<[what: string, edits: Edits, limits: Limits, stacks: (string | undefined)[]]>([
    ["everywhere", { attention: [{ kind: "cosine" }] }, ALL, [undefined]],
    [
      "in stacks that can have it",
      { attention: [{ kind: "linformer" }] },
      ALL,
      ["encoder", "cross"],
    ],
    ["in none that writes token after token", { attention: [{ ...D, kind: "low-rank" }] }, ALL, []],
    ["in none of a decoder", { attention: [{ kind: "linformer" }] }, DECODER, []],
    ["in a text that is not too long", { attention: [{ kind: "low-rank" }] }, ALL, ["encoder"]],
    ["in no longer text", { attention: [{ kind: "low-rank" }] }, { encoder: LONG }, []],
    ["in a layer that exists", { attention: [{ layers: [5], kind: "linear" }] }, ALL, []],
    [
      "where positions do not join scores that it never holds",
      { attention: [{ kind: "sliding" }], positions: [{ ...E, scheme: "alibi" }] },
      ALL,
      ["decoder", "cross"],
    ],
    [
      "beside positions that join no scores",
      { attention: [{ kind: "sliding" }], positions: [{ ...E, scheme: "rotary" }] },
      ALL,
      [undefined],
    ],
    [
      "beside positions whose scores it holds",
      { attention: [{ kind: "cosine" }], positions: [{ ...E, scheme: "alibi" }] },
      ALL,
      [undefined],
    ],
  ])("has a kind of attention %s", (_, edits, limits, stacks) => {
    const { attention = [] } = fittingEdits(editLists(edits), limits);
    expect(attention.map(({ stack }) => stack)).toEqual(stacks);
  });

  it("names the stacks that a kind is left in", () => {
    const fits = fitsIn(editLists({ attention: [{ kind: "low-rank" }] }), ALL);
    expect(fits({ list: "attention", index: 0 }).misfit).toEqual({
      code: "edit/not-possible",
      says: "partlyStacks",
      stacks: ["encoder"],
    });
  });

  it("has kinds of attention whole, so that nothing is left of an edit before them", () => {
    const full = { scale: "model", temperature: 1, parameters: {}, dropout: { rate: 0, seed: 1 } };
    const edits = addKind(addKind(NO_EDITS, { dropout: { rate: 0.5, seed: 3 } }), {
      ...X,
      kind: "linear",
    });
    expect(fittingEdits(edits, ALL).attention).toEqual([
      { ...full, kind: "softmax", dropout: { rate: 0.5, seed: 3 } },
      { ...full, ...X, kind: "linear" },
    ]);
  });

  it("does not silence a whole layer where one head of a larger model was left", () => {
    const solo = (head: number): Edits =>
      fittingEdits(
        toggleSolo(NO_EDITS, { ...X, layer: 1, head }, { cross: { layers: 2, heads: 8 } }),
        {
          cross: { ...SIZE, heads: 4 },
        },
      );
    expect([solo(6), solo(2).heads?.[0]?.heads]).toEqual([{}, [0, 1, 3]]);
  });
});

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
