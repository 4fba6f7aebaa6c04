import { describe, expect, it } from "vitest";
import type { HeadRef, MaskEdit } from "../data/index.js";
import { blockedCells, reachOf, scopeAt } from "./edits.js";
import { activeIn, fittingEdits } from "./fitting.js";
import { toggleCell } from "./mask-edits.js";
import {
  addRule,
  changeRule,
  fillOf,
  NUMBER_RANGES,
  PRESET_KINDS,
  presetOf,
  rulesOf,
  withFill,
} from "./mask-edits.js";
import { NO_EDITS, type EditLists } from "./state.js";

const HEAD: HeadRef = { stack: "decoder", layer: 2, head: 4 };
const WINDOW = presetOf({ kind: "window" });
const of = (...masks: MaskEdit[]): EditLists => ({ ...NO_EDITS, masks });

describe("rules of who may look at whom", () => {
  it("are edits like others, in the order in which they hold", () => {
    const painted = toggleCell(NO_EDITS, HEAD, { query: 1, key: 0 });
    const one = addRule(painted, {
      ...scopeAt("layer", HEAD),
      mode: "and",
      invert: false,
      preset: WINDOW,
    });
    const two = addRule(one, {
      ...scopeAt("everywhere", HEAD),
      mode: "or",
      invert: true,
      preset: presetOf({ kind: "causal" }),
    });
    expect(two.masks.slice(1)).toEqual([
      { stack: "decoder", layers: [2], preset: { kind: "window", width: 2 } },
      { mode: "or", invert: true, preset: { kind: "causal" } },
    ]);
    expect(rulesOf(two).map(({ index, mode }) => [index, mode])).toEqual([
      [1, "and"],
      [2, "or"],
    ]);
    const [first] = rulesOf(two);
    if (!first) throw new Error("no rule");
    expect(changeRule(two, { ...first, mode: "replace" }).masks[1]).toEqual({
      stack: "decoder",
      layers: [2],
      mode: "replace",
      preset: { kind: "window", width: 2 },
    });
  });

  it("know how far they reach from a head", () => {
    expect(
      (["head", "layer", "stack", "everywhere"] as const).map((reach) =>
        reachOf(scopeAt(reach, HEAD), HEAD),
      ),
    ).toEqual(["head", "layer", "stack", "everywhere"]);
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

  it("leave painted cells alone, and are left by them", () => {
    const ruled = of({ ...scopeAt("head", HEAD), preset: WINDOW });
    const painted = toggleCell(ruled, HEAD, { query: 3, key: 1 });
    expect(painted.masks).toHaveLength(2);
    expect(blockedCells(painted, HEAD)).toEqual([{ query: 3, key: 1 }]);
    expect(toggleCell(painted, HEAD, { query: 3, key: 1 })).toEqual(ruled);
  });

  it("are sent without the tokens that a text does not have", () => {
    const limits = {
      decoder: { layers: 3, heads: 8, queries: 5, keys: 5 },
      cross: { layers: 3, heads: 8, queries: 5, keys: 9 },
    };
    const global = (stack: "decoder" | "cross"): EditLists =>
      of({ stack, preset: presetOf({ kind: "global", tokens: [0, 4, 7, 20] }) });
    expect(fittingEdits(global("decoder"), limits).masks?.[0]?.preset).toMatchObject({
      tokens: [0, 4],
    });
    expect(fittingEdits(global("cross"), limits).masks?.[0]?.preset).toMatchObject({
      tokens: [0, 4, 7],
    });
    expect(
      activeIn(of({ stack: "encoder", preset: WINDOW }), limits)({ list: "masks", index: 0 }),
    ).toBe(false);
  });

  it("say one number for what is forbidden", () => {
    const large = withFill(of({ stack: "cross", fill: "-1e9" }), "-1e9");
    expect([fillOf(large), large.masks.length]).toEqual(["-1e9", 2]);
    expect(withFill(large, "-inf").masks).toEqual([{ stack: "cross", fill: "-1e9" }]);
    expect(fillOf(NO_EDITS)).toBe("-inf");
  });
});
