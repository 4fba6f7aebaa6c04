import { describe, expect, it } from "vitest";
import type { Cell, HeadRef, MaskEdit, Scope, Tensor } from "../data/index.js";
import { blockedCells, editLists, reachOf, REACHES, scopeAt, type Reach } from "./edits.js";
import {
  addRule,
  changeRule,
  fillOf,
  NUMBER_RANGES,
  paintFor,
  PRESET_KINDS,
  presetOf,
  rulesOf,
  toggleCell,
  toggleCells,
  withFill,
} from "./mask-edits.js";
import { NO_EDITS, type EditLists } from "./index.js";

const HEAD: HeadRef = { stack: "decoder", layer: 1, head: 2 };
const LAYER: Scope = { stack: "decoder", layers: [1] };
const OWN: Scope = { ...LAYER, heads: [2] };
const CELL = { query: 4, key: 6 };
const WINDOW = presetOf({ kind: "window" });
const of = (...masks: MaskEdit[]): EditLists => editLists({ masks });
const masks = ({ masks: all }: EditLists): readonly MaskEdit[] => all;
const mask = (size: number, ...forbidden: number[]): Tensor => {
  const data = new Float32Array(size * size);
  for (const at of forbidden) data[at] = -Infinity;
  return { data, shape: [size, size], axes: ["query", "key"] };
};
const CAUSAL = mask(3, 1, 2, 5);

describe("rules of masks", () => {
  it("are edits like others, in the order in which they hold, beside painted cells", () => {
    const painted = toggleCell(NO_EDITS, HEAD, { query: 1, key: 0 });
    const rule = { mode: "and", invert: false, preset: WINDOW } as const;
    const edits = addRule(addRule(painted, { ...LAYER, ...rule }), {
      ...rule,
      mode: "or",
      invert: true,
    });
    const [first] = rulesOf(edits);
    if (!first) throw new Error("no rule");
    expect(rulesOf(edits).map(({ index, mode }) => [index, mode])).toEqual([
      [1, "and"],
      [2, "or"],
    ]);
    expect(masks(changeRule(edits, { ...first, mode: "replace" }))).toEqual([
      { ...OWN, block: [[1, 0]] },
      { ...LAYER, mode: "replace", preset: WINDOW },
      { mode: "or", invert: true, preset: WINDOW },
    ]);
  });

  it("know how far they reach from a head", () => {
    expect(REACHES.map((reach) => reachOf(scopeAt(reach, HEAD), HEAD))).toEqual([...REACHES]);
    expect(reachOf(scopeAt("head", HEAD), { ...HEAD, head: 0 })).toBeNull();
    expect(reachOf({ stack: "decoder", layers: [1, 2] }, HEAD)).toBeNull();
  });

  it("have numbers that the core takes, whatever was typed", () => {
    expect(presetOf({ kind: "dilated", width: -3, dilation: 0, oneSided: true })).toEqual({
      kind: "dilated",
      width: 0,
      dilation: 1,
      oneSided: true,
    });
    expect(presetOf({ kind: "random", keys: 1e6, seed: NaN, tokens: [5, 1, 5] })).toEqual({
      kind: "random",
      keys: 64,
      seed: 1,
      width: 2,
      tokens: [1, 5],
    });
    for (const kind of PRESET_KINDS)
      expect(presetOf(presetOf({ kind }))).toEqual(presetOf({ kind }));
    for (const { least, most, usual } of Object.values(NUMBER_RANGES))
      expect(least <= usual && usual <= most).toBe(true);
  });

  it("say one number for what is forbidden", () => {
    const large = withFill(of({ stack: "cross", fill: "-1e9" }), "-1e9");
    expect([fillOf(large), large.masks.length]).toEqual(["-1e9", 2]);
    expect(masks(withFill(large, "-inf"))).toEqual([{ stack: "cross", fill: "-1e9" }]);
    expect(fillOf(NO_EDITS)).toBe("-inf");
  });
});

describe("cells", () => {
  it("of one head are gathered in one edit, and allowed by a second click, also in a wider edit", () => {
    const one = toggleCell(NO_EDITS, HEAD, CELL);
    const two = toggleCell(one, HEAD, { query: 5, key: 6 });
    expect(masks(two)).toEqual([
      {
        ...OWN,
        block: [
          [4, 6],
          [5, 6],
        ],
      },
    ]);
    expect(blockedCells(two, { ...HEAD, head: 0 })).toEqual([]);
    expect(toggleCell(one, HEAD, CELL)).toEqual(NO_EDITS);
    const wide = of({
      block: [
        [4, 6],
        [0, 0],
      ],
    });
    expect(blockedCells(toggleCell(wide, HEAD, CELL), HEAD)).toEqual([{ query: 0, key: 0 }]);
    const ruled = of({ ...OWN, preset: WINDOW });
    expect(toggleCell(toggleCell(ruled, HEAD, CELL), HEAD, CELL)).toEqual(ruled);
  });

  it("are blocked together, those that were not yet, and allowed together", () => {
    const cells = [CELL, { query: 5, key: 6 }];
    const both = toggleCells(toggleCell(NO_EDITS, HEAD, CELL), HEAD, cells, null);
    expect(blockedCells(both, HEAD)).toHaveLength(2);
    expect(toggleCells(both, HEAD, cells, null)).toEqual(NO_EDITS);
    expect(toggleCells(both, HEAD, [], null)).toBe(both);
  });

  it("are opened where the model forbids them, and left to it again before the run has followed", () => {
    const later = [{ query: 0, key: 1 }];
    const opened = toggleCells(NO_EDITS, HEAD, later, CAUSAL);
    expect([masks(opened), blockedCells(opened, HEAD)]).toEqual([
      [{ ...OWN, allow: [[0, 1]] }],
      [],
    ]);
    expect(toggleCells(opened, HEAD, later, mask(3))).toEqual(NO_EDITS);
    expect(toggleCells(opened, HEAD, later, CAUSAL)).toEqual(NO_EDITS);
  });

  it("that a later rule decides can be blocked or opened once more after it", () => {
    const open = mask(7);
    const ruled = of({ ...OWN, block: [[4, 6]] }, { mode: "replace", preset: { kind: "none" } });
    expect(blockedCells(ruled, HEAD, open)).toEqual([]);
    expect(masks(toggleCells(ruled, HEAD, [CELL], open)).at(-1)).toEqual({
      ...OWN,
      block: [[4, 6]],
    });
    const later = [{ query: 0, key: 1 }];
    const closed = of({ ...OWN, allow: [[0, 1]] }, { preset: { kind: "causal" } });
    const again = toggleCells(toggleCells(closed, HEAD, later, CAUSAL), HEAD, later, CAUSAL);
    expect(masks(again)).toEqual([{ preset: { kind: "causal" } }, { ...OWN, allow: [[0, 1]] }]);
  });

  it("of a stroke are one edit, each once and in the order of the grid", () => {
    const stroke: Cell[] = [
      { query: 2, key: 0 },
      { query: 1, key: 1 },
      { query: 2, key: 0 },
    ];
    const painted = paintFor(NO_EDITS, HEAD, stroke, "block", CAUSAL);
    expect(masks(painted)).toEqual([
      {
        ...OWN,
        block: [
          [1, 1],
          [2, 0],
        ],
      },
    ]);
    expect(masks(paintFor(painted, HEAD, stroke, "open", null))).toEqual([]);
    expect(paintFor(painted, HEAD, stroke, "block", null)).toBe(painted);
  });

  it.each<[Reach, Scope[]]>([
    ["head", [OWN]],
    ["layer", [LAYER]],
    ["stack", [{ stack: "decoder" }]],
    ["everywhere", [{ stack: "encoder" }, { stack: "decoder" }, { stack: "cross" }]],
  ])("are painted as far as “%s” reaches", (reach, scopes) => {
    const painted = paintFor(NO_EDITS, HEAD, [{ query: 1, key: 0 }], "block", CAUSAL, reach, [
      "encoder",
      "decoder",
      "cross",
    ]);
    expect(masks(painted)).toEqual(scopes.map((scope) => ({ ...scope, block: [[1, 0]] })));
  });

  it("are passed over where they are so already, and wider strokes take in narrower ones", () => {
    const ahead = [{ query: 0, key: 1 }];
    expect(paintFor(NO_EDITS, HEAD, ahead, "block", CAUSAL)).toBe(NO_EDITS);
    expect(paintFor(NO_EDITS, HEAD, [{ query: 2, key: 2 }], "open", CAUSAL)).toBe(NO_EDITS);
    const opened = paintFor(NO_EDITS, HEAD, ahead, "open", CAUSAL, "stack");
    expect(masks(opened)).toEqual([{ stack: "decoder", allow: [[0, 1]] }]);
    expect(masks(paintFor(opened, HEAD, ahead, "block", null, "stack"))).toEqual([]);
    const narrow = paintFor(NO_EDITS, HEAD, [{ query: 2, key: 1 }], "block", CAUSAL);
    const wide = paintFor(
      narrow,
      { ...HEAD, head: 0 },
      [{ query: 2, key: 1 }],
      "open",
      null,
      "layer",
    );
    expect(masks(wide)).toEqual([{ ...LAYER, allow: [[2, 1]] }]);
    // The others of the layer may be open there by another rule: they are blocked as was asked.
    const allowed = paintFor(NO_EDITS, HEAD, ahead, "open", CAUSAL);
    expect(masks(paintFor(allowed, HEAD, ahead, "block", null, "layer"))).toEqual([
      { ...LAYER, block: [[0, 1]] },
    ]);
  });

  it("of a whole mask of 512 tokens are painted in no time that is felt", () => {
    const all = Array.from({ length: 512 * 512 }, (_, place) => ({
      query: Math.floor(place / 512),
      key: place % 512,
    }));
    const from = performance.now();
    const painted = paintFor(NO_EDITS, HEAD, all, "block", null);
    const last = toggleCells(painted, HEAD, [{ query: 5, key: 5 }], null);
    expect(masks(last)[0]?.block).toHaveLength(512 * 512 - 1);
    expect(performance.now() - from).toBeLessThan(20_000);
  });
});
