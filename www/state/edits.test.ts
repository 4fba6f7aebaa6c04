import { describe, expect, it } from "vitest";
import type {
  At,
  AttentionEdit,
  BlockEdit,
  Cell,
  Edits,
  HeadEdit,
  HeadRef,
  MaskEdit,
  PositionEdit,
  Scope,
  Tensor,
} from "../data/index.js";
import { variantEdit, variantValues, type VariantValues } from "./attention-edits.js";
import { unusualStages } from "./edit-effects.js";
import { isOverridden } from "../session/overridden.js";
import {
  blockedCells,
  EDIT_LISTS,
  type EditLists,
  editLists,
  headsOf,
  isAblated,
  NO_EDITS,
  type Reach,
  REACHES,
  removeEdit,
  scopeAt,
} from "./edits.js";
import { reachOf } from "./experiment-edits.js";
import * as experiments from "./experiment-edits.js";
import * as heads from "./head-edits.js";
import { paintCells } from "./painted-cells.js";
import * as positions from "./position-edits.js";
import { togglePicked } from "./index.js";

const SIZES = { encoder: { layers: 3, heads: 4 }, cross: { layers: 2, heads: 4 } };
const { settingOf, withSetting } = experiments;
const { toggleHead, toggleSolo } = heads;
const at = (layer: number, head: number, stack: HeadRef["stack"] = "encoder"): HeadRef => ({
  stack,
  layer,
  head,
});
const HEAD = at(1, 2, "cross");
const CONTEXT: At = { stack: "encoder", layer: 1, step: "context", head: 2 };
const ROW: Scope = { stack: "encoder", layers: [0] };
const withHeads = (...list: HeadEdit[]): EditLists => editLists({ heads: list });

/** The heads that are ablated. */
const silent = (edits: EditLists): string[] =>
  headsOf({}, SIZES)
    .filter((head) => isAblated(edits, head))
    .map(({ stack, layer, head }) => `${stack} ${layer}.${head}`);

describe("edits of heads", () => {
  it.each<[heads: HeadRef[], scopes: Scope[]]>([
    [
      [at(0, 1), at(1, 1), at(2, 0), at(0, 1), at(0, 3, "cross")],
      [
        { stack: "encoder", layers: [0, 1], heads: [1] },
        { stack: "encoder", layers: [2], heads: [0] },
        { stack: "cross", layers: [0], heads: [3] },
      ],
    ],
    [headsOf({ stack: "encoder" }, SIZES), [{ stack: "encoder" }]],
    [headsOf(ROW, SIZES), [ROW]],
    [[], []],
  ])("are as few scopes as cover exactly these heads", (list, scopes) => {
    const { heads: edits } = withSetting(NO_EDITS, list, "gate", 2, SIZES);
    expect(edits).toEqual(scopes.map((scope) => ({ ...scope, gate: 2 })));
  });

  it("replace earlier gates and patterns of these heads alone", () => {
    const half = withSetting(withHeads({ ...ROW, gate: 0 }), [at(0, 2)], "gate", 0.5, SIZES);
    expect(half.heads).toEqual([
      { ...ROW, heads: [0, 1, 3], gate: 0 },
      { ...ROW, heads: [2], gate: 0.5 },
    ]);
    const all = headsOf({ stack: "encoder" }, SIZES);
    expect(withSetting(half, all, "gate", 1, SIZES)).toEqual(NO_EDITS);
    const otherStack = withHeads({ stack: "decoder", gate: 0 });
    expect(withSetting(otherStack, [at(0, 0)], "gate", 1, SIZES)).toEqual(otherStack);
    const joint = withHeads({ ...ROW, gate: 2, pattern: "diagonal" });
    const apart = withSetting(joint, [at(0, 1)], "pattern", "uniform", SIZES);
    const settings = [0, 1].map((head) =>
      (["gate", "pattern"] as const).map((name) => settingOf(apart, at(0, head), name)),
    );
    expect(settings).toEqual([
      [2, "diagonal"],
      [2, "uniform"],
    ]);
  });

  it("draw a pattern from the weights, cell by cell", () => {
    const drawing = experiments.drawingOf({
      data: Float32Array.of(1, 0, 0.25, 0.75),
      shape: [2, 2],
    });
    expect(heads.painted(drawing, { query: 2, key: 1 }, 500)).toEqual([
      [1000, 0],
      [250, 750],
      [0, 500],
    ]);
  });

  it.each<HeadEdit>([
    { stack: "cross", layers: [1], gate: 0 },
    { stack: "cross", gate: 0 },
    { gate: 0 },
    { heads: [2], gate: 0 },
  ])("restore one head out of %j", (edit) => {
    const before = silent(withHeads(edit));
    const restored = toggleHead(withHeads(edit), HEAD, SIZES);
    expect(silent(restored)).toEqual(before.filter((name) => name !== "cross 1.2"));
    expect(silent(toggleHead(restored, HEAD, SIZES))).toEqual(before);
  });

  it("are removed by their place, and a restored head keeps its pattern", () => {
    const two = toggleHead(toggleHead(NO_EDITS, HEAD, SIZES), at(1, 3, "cross"), SIZES);
    expect(silent(removeEdit(two, { list: "heads", index: 0 }))).toEqual(["cross 1.3"]);
    const edits = withHeads({ stack: "cross", heads: [2], gate: 0, pattern: "uniform" });
    expect(toggleHead(edits, HEAD, SIZES).heads).toEqual([
      { stack: "cross", layers: [0], heads: [2], gate: 0, pattern: "uniform" },
      { stack: "cross", layers: [1], heads: [2], pattern: "uniform" },
    ]);
  });

  it("ablate all heads of a layer but one, and restore them", () => {
    const alone = toggleSolo(NO_EDITS, HEAD, SIZES);
    expect(alone.heads).toEqual([{ stack: "cross", layers: [1], heads: [0, 1, 3], gate: 0 }]);
    expect(heads.isSolo(alone, HEAD, SIZES)).toBe(true);
    expect(heads.isSolo(alone, at(1, 1, "cross"), SIZES)).toBe(false);
    expect(toggleSolo(alone, HEAD, SIZES)).toEqual(NO_EDITS);
    const other = toggleSolo(toggleSolo(NO_EDITS, { ...HEAD, head: 0 }, SIZES), HEAD, SIZES);
    expect(other).toEqual(alone);
    const single = { cross: { layers: 2, heads: 1 } };
    expect(toggleSolo(NO_EDITS, at(1, 0, "cross"), single)).toBe(NO_EDITS);
  });
});

it("edits of sublayers set one place of the norm and one residual each", () => {
  const size = { layers: 2, heads: 4 };
  const info = { encoder: size, decoder: size, cross: size };
  const cross = { stack: "decoder", layer: 0, sublayer: "cross-attention" } as const;
  const all = [0, 1].flatMap((layer) =>
    heads.sublayersOf("decoder", info).map((sublayer) => ({ ...cross, layer, sublayer })),
  );
  const none = withSetting(NO_EDITS, all, "norm", "none", info);
  expect(none.blocks).toEqual([{ stack: "decoder", norm: "none" }]);
  const pre = withSetting(none, [cross], "norm", "pre", info);
  expect(all.map((part) => settingOf(pre, part, "norm"))).toEqual(
    all.map(({ layer, sublayer }) => (layer === 0 && sublayer === cross.sublayer ? "pre" : "none")),
  );
  const both = withSetting(pre, [cross], "residual", false, info);
  expect(settingOf(both, cross, "residual")).toBe(false);
  expect(settingOf(both, cross, "norm")).toBe("pre");
  expect(withSetting(both, [cross], "residual", true, info).blocks).toEqual(pre.blocks);
});

const OWNER: HeadRef = { stack: "decoder", layer: 1, head: 2 };
const LAYER: Scope = { stack: "decoder", layers: [1] };
const OWN: Scope = { ...LAYER, heads: [2] };
const CELL = { query: 4, key: 6 };
const AHEAD = [{ query: 0, key: 1 }];
const withMasks = (...list: MaskEdit[]): EditLists => editLists({ masks: list });
const mask = (size: number, ...forbidden: number[]): Tensor => {
  const data = new Float32Array(size * size);
  for (const place of forbidden) data[place] = -Infinity;
  return { data, shape: [size, size], axes: ["query", "key"] };
};
const CAUSAL = mask(3, 1, 2, 5);
/** Pairs of numbers, such as `"4 6, 5 6"`. */
const pairs = (text: string): [number, number][] =>
  text.split(",").map((pair) => pair.trim().split(" ").map(Number) as [number, number]);
const cells = (text: string): Cell[] => pairs(text).map(([query, key]) => ({ query, key }));

describe("mask rules", () => {
  it("are changed in place and keep their order beside painted cells", () => {
    const preset = experiments.presetOf({ kind: "window" });
    const painted = paintCells(NO_EDITS, OWNER, [{ query: 1, key: 0 }], "toggle", null);
    const one = experiments.withRule(painted, { ...LAYER, preset });
    const two = experiments.withRule(one, { mode: "or", invert: true, preset });
    const [first] = experiments.rulesOf(two);
    if (!first) throw new Error("no rule");
    expect(experiments.withRule(two, { ...first, mode: "replace" }).masks).toEqual([
      { ...OWN, block: [[1, 0]] },
      { ...LAYER, mode: "replace", preset },
      { mode: "or", invert: true, preset },
    ]);
  });

  it("have a reach from a head", () => {
    expect(REACHES.map((reach) => reachOf(scopeAt(reach, OWNER), OWNER))).toEqual([...REACHES]);
    expect(reachOf(scopeAt("head", OWNER), { ...OWNER, head: 0 })).toBeNull();
  });

  it("have numbers in the core's range", () => {
    const typed = { kind: "random", keys: 1e6, seed: NaN, tokens: [5, 1, 5] } as const;
    const preset = { kind: "random", keys: 64, seed: 1, width: 2, tokens: [1, 5] };
    expect(experiments.presetOf(typed)).toEqual(preset);
    // None of a width is the query alone; what is divided by is at least one.
    const none = { width: 0, dilation: 0, stride: 0, size: 0 };
    expect(experiments.presetOf({ kind: "dilated", ...none })).toEqual({
      kind: "dilated",
      width: 0,
      dilation: 1,
    });
  });

  it("have one fill for all heads", () => {
    const large = experiments.withFill(withMasks({ stack: "cross", fill: "-1e9" }), "-1e9");
    expect([experiments.fillOf(large), large.masks.length]).toEqual(["-1e9", 2]);
    expect(experiments.withFill(large, "-inf").masks).toEqual([{ stack: "cross", fill: "-1e9" }]);
  });
});

describe("painted cells", () => {
  const toggleCells = (edits: EditLists, head: HeadRef, some: Cell[], known: Tensor | null) =>
    paintCells(edits, head, some, "toggle", known);
  const toggleCell = (edits: EditLists, head: HeadRef, cell: Cell): EditLists =>
    toggleCells(edits, head, [cell], null);

  it("are one edit per head, and are opened together, also in a wider edit", () => {
    const two = toggleCells(toggleCell(NO_EDITS, OWNER, CELL), OWNER, cells("4 6, 5 6"), null);
    expect(two.masks).toEqual([{ ...OWN, block: pairs("4 6, 5 6") }]);
    expect(toggleCells(two, OWNER, cells("4 6, 5 6"), null)).toEqual(NO_EDITS);
    const wide = withMasks({ block: pairs("4 6, 0 0") });
    expect(blockedCells(toggleCell(wide, OWNER, CELL), OWNER)).toEqual([{ query: 0, key: 0 }]);
    const ruled = withMasks({ ...OWN, preset: { kind: "causal" } });
    expect(toggleCell(toggleCell(ruled, OWNER, CELL), OWNER, CELL)).toEqual(ruled);
  });

  it("are opened where the model forbids them, and closed again before the next run", () => {
    const opened = toggleCells(NO_EDITS, OWNER, AHEAD, CAUSAL);
    expect(opened.masks).toEqual([{ ...OWN, allow: [[0, 1]] }]);
    for (const known of [mask(3), CAUSAL])
      expect(toggleCells(opened, OWNER, AHEAD, known)).toEqual(NO_EDITS);
  });

  it("that a later rule decides are blocked or opened after it", () => {
    const rule: MaskEdit = { mode: "replace", preset: { kind: "none" } };
    const ruled = withMasks({ ...OWN, block: [[4, 6]] }, rule);
    expect(blockedCells(ruled, OWNER, mask(7))).toEqual([]);
    const last = toggleCells(ruled, OWNER, [CELL], mask(7)).masks.at(-1);
    expect(last).toEqual({ ...OWN, block: [[4, 6]] });
    const closed = withMasks({ ...OWN, allow: [[0, 1]] }, { preset: { kind: "causal" } });
    const again = toggleCells(toggleCells(closed, OWNER, AHEAD, CAUSAL), OWNER, AHEAD, CAUSAL);
    expect(again.masks).toEqual([{ preset: { kind: "causal" } }, { ...OWN, allow: [[0, 1]] }]);
  });

  it("of a stroke are one edit in the order of the grid, without those that are so already", () => {
    const stroke = cells("2 0, 1 1, 2 0");
    const painted = paintCells(NO_EDITS, OWNER, stroke, "block", CAUSAL);
    expect(painted.masks).toEqual([{ ...OWN, block: pairs("1 1, 2 0") }]);
    expect(paintCells(painted, OWNER, stroke, "open", null).masks).toEqual([]);
    expect(paintCells(painted, OWNER, stroke, "block", null)).toBe(painted);
    expect(paintCells(NO_EDITS, OWNER, AHEAD, "block", CAUSAL)).toBe(NO_EDITS);
    expect(paintCells(NO_EDITS, OWNER, cells("2 2"), "open", CAUSAL)).toBe(NO_EDITS);
  });

  it.each<[Reach, Scope[]]>([
    ["layer", [LAYER]],
    ["stack", [{ stack: "decoder" }]],
    ["everywhere", [{ stack: "encoder" }, { stack: "decoder" }, { stack: "cross" }]],
  ])("are painted as far as “%s” reaches", (reach, scopes) => {
    const stacks = ["encoder", "decoder", "cross"] as const;
    const painted = paintCells(NO_EDITS, OWNER, cells("1 0"), "block", CAUSAL, reach, stacks);
    expect(painted.masks).toEqual(scopes.map((scope) => ({ ...scope, block: [[1, 0]] })));
  });

  it("of a wider stroke replace those of narrower edits", () => {
    const narrow = paintCells(NO_EDITS, OWNER, cells("2 1"), "block", CAUSAL);
    const wide = paintCells(narrow, { ...OWNER, head: 0 }, cells("2 1"), "open", null, "layer");
    expect(wide.masks).toEqual([{ ...LAYER, allow: [[2, 1]] }]);
    // Another rule may open the cell in the other heads of the layer.
    const allowed = paintCells(NO_EDITS, OWNER, AHEAD, "open", CAUSAL);
    const blocked = paintCells(allowed, OWNER, AHEAD, "block", null, "layer");
    expect(blocked.masks).toEqual([{ ...LAYER, block: [[0, 1]] }]);
  });
});

describe("positions", () => {
  const { withPlacement } = experiments;

  it("are one edit per stack, and none where they are the model's", () => {
    const one = withPlacement(NO_EDITS, "encoder", { scheme: "rotary", parameters: { base: 50 } });
    const two = withPlacement(one, "encoder", { scheme: "alibi", order: [1, 0] });
    expect(two.positions).toEqual([{ stack: "encoder", scheme: "alibi", order: [1, 0] }]);
    expect(positions.placementOf(two, "decoder")).toEqual({ stack: "decoder" });
    expect(withPlacement(two, "encoder", { scheme: "model", order: [0, 1] })).toEqual(NO_EDITS);
    const all = editLists({ positions: [{ scheme: "none", order: [1, 0] }] });
    expect(withPlacement(all, "decoder", { scheme: "model", order: [] }).positions).toEqual([
      ...all.positions,
      { stack: "decoder", scheme: "model", order: [] },
    ]);
  });

  it.each<[own: string, edit: PositionEdit, origin: string]>([
    ["sinusoidal (interleaved)", { order: [1, 0] }, "wave"],
    ["learned", {}, "learnt"],
    ["learned", { scheme: "sinusoidal" }, "wave"],
    ["learned", { stack: "decoder", scheme: "sinusoidal" }, "learnt"],
    ["learned", { scheme: "learned" }, "learnt"],
    ["learned", { scheme: "learned", parameters: { seed: 3 } }, "drawn"],
    ["sinusoidal (interleaved)", { scheme: "learned" }, "drawn"],
  ])("of a %s model under %j are %s", (own, edit, origin) => {
    const edits = editLists({ positions: [edit] });
    expect(positions.positionOrigin(own, edits, "encoder")).toBe(origin);
  });

  it("move with a token, and shift those between", () => {
    expect(experiments.movedTo([0, 1, 2, 3], 3, 0)).toEqual([1, 2, 3, 0]);
    expect(positions.standing([1, 2, 3, 0])).toEqual([3, 0, 1, 2]);
    expect(experiments.wholeOrder([1, 0], 4)).toEqual([1, 0, 2, 3]);
    expect(experiments.wholeOrder([4, 0, 1, 2, 3], 3)).toEqual([0, 1, 2]);
  });

  it("have buckets for no more than the largest distance", () => {
    const buckets = [{}, { buckets: 512 }, { maxDistance: 16 }, { maxDistance: 17 }];
    expect(buckets.map(experiments.areBuckets)).toEqual([true, false, false, true]);
  });
});

it.each<[values: Partial<VariantValues>, edit: AttentionEdit]>([
  [{}, { kind: "softmax" }],
  [
    { kind: "sliding", parameters: { width: 3 }, temperature: 0.5, rate: 0.2, seed: 7 },
    {
      kind: "sliding",
      parameters: { width: 3 },
      temperature: 0.5,
      dropout: { rate: 0.2, seed: 7 },
    },
  ],
  [{ kind: "linear", temperature: 2, scale: "none", rate: 0.5 }, { kind: "linear" }],
  [
    { kind: "chunked", parameters: { size: 0, rank: 4 }, temperature: NaN, rate: 0.5 },
    { kind: "chunked", parameters: { size: 1 } },
  ],
  [
    { rate: 1, seed: -3, scale: 1e9 },
    { kind: "softmax", scale: 1000, dropout: { rate: 0.99, seed: 0 } },
  ],
])("attention variants of %j have only possible parts, in their range", (values, edit) => {
  expect(variantEdit({ ...variantValues({}), ...values }, {})).toEqual(edit);
});

const E = { stack: "encoder" } as const;
const D = { stack: "decoder" } as const;
const ONE = { ...E, layers: [1] };
const UNIFORM: HeadEdit = { ...ONE, heads: [1], pattern: "uniform" };
const GATE = { ...ONE, heads: [1], gate: 2 };
const PRE: BlockEdit = { ...ONE, norm: "pre" };
const FEED: BlockEdit = { ...PRE, sublayers: ["feed-forward"] };
const OFTEN: AttentionEdit = { ...ONE, kind: "softmax", dropout: { rate: 0.5, seed: 1 } };
const CAUSAL_RULE: MaskEdit = { preset: { kind: "causal" } };
const BLOCKED: MaskEdit = { block: [[0, 8]] };
const OPENED: MaskEdit = { allow: [[0, 8]] };
const MIXED: MaskEdit = { block: [[0, 8]], allow: [[1, 8]] };
const BACK: MaskEdit = { allow: [[0, 8]], block: [[1, 8]] };
const headEdits = (...list: HeadEdit[]): Edits => ({ heads: list });

describe("edits that another one undoes", () => {
  it.each<[what: string, edits: Edits, which: string]>([
    ["a later pattern", headEdits(UNIFORM, { ...UNIFORM, pattern: "diagonal" }), "heads 0"],
    ["a factor beside an ablation", headEdits({ ...GATE, gate: 0 }, GATE), "heads 1"],
    ["a factor in a silent layer", headEdits(GATE, { ...ONE, gate: 0 }), "heads 0"],
    ["factors, which multiply", headEdits(GATE, { ...GATE, gate: 3 }), ""],
    ["a factor and a pattern", headEdits(GATE, UNIFORM), ""],
    ["a later norm", { blocks: [PRE, { ...ONE, norm: "post" }] }, "blocks 0"],
    ["a sublayer's norm, then all", { blocks: [FEED, { ...ONE, norm: "none" }] }, "blocks 0"],
    ["a residual and a norm", { blocks: [{ ...ONE, residual: false }, PRE] }, ""],
    ["a later kind", { attention: [OFTEN, { ...OFTEN, kind: "cosine" }] }, "attention 0"],
    ["a dropout, then a kind", { attention: [OFTEN, { ...ONE, kind: "cosine" }] }, ""],
    ["a kind no decoder has", { attention: [{ ...D, kind: "linear" }, { kind: "linformer" }] }, ""],
    ["a later scheme", { positions: [{ scheme: "none" }, { scheme: "alibi" }] }, "positions 0"],
    [
      "two stacks",
      { positions: [E, D].map((stack) => ({ ...stack, scheme: "none" as const })) },
      "",
    ],
    ["cells blocked again", { masks: [{ allow: [[0, 8]] }, { block: [[0, 8]] }] }, "masks 0"],
    ["one cell opened again", { masks: [{ block: pairs("0 8, 1 8") }, { allow: [[0, 8]] }] }, ""],
    [
      "a rule that replaces",
      { masks: [CAUSAL_RULE, { ...CAUSAL_RULE, mode: "replace" }] },
      "masks 0",
    ],
    ["a rule that only adds", { masks: [CAUSAL_RULE, CAUSAL_RULE] }, ""],
    [
      "cells under a later rule",
      { masks: [BLOCKED, { ...CAUSAL_RULE, mode: "replace" }] },
      "masks 0",
    ],
    ["a rule, then cells", { masks: [CAUSAL_RULE, BLOCKED] }, ""],
    ["a number for masked cells", { masks: [{ ...BLOCKED, fill: "-1e9" }, OPENED] }, ""],
    ["cells opened again", { masks: [BLOCKED, OPENED] }, "masks 0"],
    [
      "cells of which some are opened again",
      {
        masks: [
          {
            block: [
              [0, 8],
              [1, 8],
            ],
          },
          OPENED,
        ],
      },
      "",
    ],
    ["cells blocked and opened, of which one half comes back", { masks: [MIXED, OPENED] }, ""],
    ["cells blocked and opened, which both come back", { masks: [MIXED, BACK] }, "masks 0"],
    ["no cells", { masks: [{ block: [] }, OPENED] }, ""],
    ["an earlier opening of cells", { masks: [OPENED, BLOCKED] }, "masks 0"],
    [
      "a scale of all stacks, then a kind",
      { attention: [{ scale: "none" }, { kind: "cosine" }] },
      "",
    ],
    [
      "a kind, then one of its stack alone",
      {
        attention: [
          { ...E, kind: "linear" },
          { ...E, kind: "linformer" },
        ],
      },
      "attention 0",
    ],
    ["a pattern under a silent layer", headEdits(UNIFORM, { ...ONE, gate: 0 }), ""],
    [
      "a gate and a pattern, then both",
      headEdits({ ...UNIFORM, gate: 2 }, { ...UNIFORM, gate: 0 }),
      "heads 0",
    ],
    ["a pattern before rows alone", headEdits(UNIFORM, { ...UNIFORM, pattern: [[0, 1]] }), ""],
    [
      "patches of one activation",
      {
        patches: [
          { at: CONTEXT, from: { text: "a" } },
          { at: CONTEXT, from: { text: "b" } },
        ],
      },
      "patches 0",
    ],
    [
      "a patch and a path of one head",
      {
        patches: [
          { at: CONTEXT, from: { text: "a" } },
          { at: CONTEXT, from: { text: "b" }, to: "logits" },
        ],
      },
      "",
    ],
    [
      "nothing that a head edit could change",
      headEdits({ ...ONE, heads: [1] }, { ...ONE, gate: 0 }),
      "",
    ],
  ])("among %s", (_, some, which) => {
    const edits = editLists(some);
    const found = EDIT_LISTS.flatMap((list) =>
      edits[list].flatMap((__, index) =>
        isOverridden(edits, { list, index }, () => true) ? [`${list} ${index}`] : [],
      ),
    );
    expect(found.join()).toBe(which);
  });

  it("are none beside one that the run leaves out", () => {
    const edits = editLists(headEdits(UNIFORM, { ...UNIFORM, pattern: "diagonal" }));
    const isActive = ({ index }: { index: number }): boolean => index === 0;
    expect(isOverridden(edits, { list: "heads", index: 0 }, isActive)).toBe(false);
  });
});

it.each<[edits: Edits, stages: string]>([
  [{ attention: [{ kind: "linear" }] }, "raw,scores,weights"],
  [{ attention: [{ kind: "cosine" }] }, "raw,scores"],
  [{ attention: [{ scale: "none" }] }, "scores"],
  [{ attention: [{ kind: "linformer" }] }, "scores,weights"],
  [{ attention: [OFTEN] }, "weights"],
  [{ attention: [{ ...E, layers: [0], kind: "low-rank" }] }, ""],
  [{ masks: [{ fill: "-1e9" }] }, "masked"],
  [{ masks: [{ ...D, fill: "-1e9" }] }, ""],
  [{ heads: [{ pattern: "uniform" }] }, "weights"],
  [{ positions: [{ scheme: "sinusoidal" }, { ...D, scheme: "alibi" }] }, ""],
  [{ positions: [{ scheme: "t5" }] }, "scores"],
])("%j make other than the formula: %s", (edits, stages) => {
  expect(unusualStages(editLists(edits), at(1, 2)).join()).toBe(stages);
  expect(unusualStages(editLists(edits), at(1, 2), { usualScores: false })).toContain("scores");
});

it("picked tokens are added and removed one by one; the other text's replace them", () => {
  const one = togglePicked(null, "source", 4);
  expect(one).toEqual({ side: "source", tokens: [4], pool: "sum", looking: "from" });
  expect(togglePicked(one, "source", 1)).toEqual({ ...one, tokens: [4, 1] });
  expect(togglePicked(one, "target", 0)).toEqual({ ...one, side: "target", tokens: [0] });
  expect(togglePicked(one, "source", 4)).toBeNull();
});

it("a block has cross-attention in the decoder of a model with two texts", () => {
  const cross = { layers: 2, heads: 4 };
  const own = ["self-attention", "feed-forward"];
  expect(heads.sublayersOf("decoder", { decoder: cross, cross })).toContain("cross-attention");
  expect(heads.sublayersOf("decoder", { decoder: cross })).toEqual(own);
  expect(heads.sublayersOf("encoder", { encoder: cross, cross })).toEqual(own);
});
