import { describe, expect, it } from "vitest";
import type { HeadRef } from "../data/index.js";
import { headsOf, scopeIn } from "./edits.js";
import { activeIn, fittingEdits } from "./fitting.js";
import type { Limits } from "./state.js";
import { drawingOf, gateOf, painted, patternOf, withGate, withPattern } from "./head-edits.js";
import { NO_EDITS } from "./state.js";

const SIZES = { encoder: { layers: 3, heads: 4 }, cross: { layers: 2, heads: 4 } };
const LIMITS: Limits = {
  encoder: { ...SIZES.encoder, queries: 3, keys: 3 },
  cross: { ...SIZES.cross, queries: 2, keys: 3 },
};
const at = (layer: number, head: number, stack: HeadRef["stack"] = "encoder"): HeadRef => ({
  stack,
  layer,
  head,
});

describe("heads as a person sets them", () => {
  it("are named in as few scopes as it takes, which cover exactly them", () => {
    const some = [at(0, 1), at(1, 1), at(2, 0), at(0, 1), at(0, 3, "cross")];
    const scopesOf = (heads: HeadRef[]): unknown =>
      withGate(NO_EDITS, heads, 2, SIZES).heads.map((edit) => scopeIn(edit));
    expect(scopesOf(some)).toEqual([
      { stack: "encoder", layers: [0, 1], heads: [1] },
      { stack: "encoder", layers: [2], heads: [0] },
      { stack: "cross", layers: [0], heads: [3] },
    ]);
    expect(scopesOf(headsOf({ stack: "encoder" }, SIZES))).toEqual([{ stack: "encoder" }]);
    expect(scopesOf(headsOf({ stack: "encoder", layers: [1] }, SIZES))).toEqual([
      { stack: "encoder", layers: [1] },
    ]);
    expect(scopesOf([])).toEqual([]);
  });

  it("have one factor: a new one takes the place of what was said before, of these heads alone", () => {
    const silent = withGate(NO_EDITS, headsOf({ stack: "encoder", layers: [0] }, SIZES), 0, SIZES);
    const half = withGate(silent, [at(0, 2)], 0.5, SIZES);
    expect(half.heads).toEqual([
      { stack: "encoder", layers: [0], heads: [0, 1, 3], gate: 0 },
      { stack: "encoder", layers: [0], heads: [2], gate: 0.5 },
    ]);
    expect([0, 1, 2, 3].map((head) => gateOf(half, at(0, head)))).toEqual([0, 0, 0.5, 0]);
    expect(withGate(half, headsOf({ stack: "encoder" }, SIZES), 1, SIZES)).toEqual(NO_EDITS);
    // Of a stack that this model has not nothing is said, so it stays.
    const elsewhere = { ...NO_EDITS, heads: [{ stack: "decoder" as const, gate: 0 }] };
    expect(withGate(elsewhere, [at(0, 0)], 1, SIZES)).toEqual(elsewhere);
  });

  it("keep factor and pattern apart", () => {
    const both = withPattern(
      withGate(NO_EDITS, [at(0, 0)], 2, SIZES),
      [at(0, 0)],
      "previous",
      SIZES,
    );
    expect([gateOf(both, at(0, 0)), patternOf(both, at(0, 0)), patternOf(both, at(0, 1))]).toEqual([
      2,
      "previous",
      null,
    ]);
    expect(withPattern(both, [at(0, 0)], null, SIZES).heads).toEqual([
      { stack: "encoder", layers: [0], heads: [0], gate: 2 },
    ]);
    const joint = {
      ...NO_EDITS,
      heads: [{ stack: "encoder" as const, layers: [0], gate: 2, pattern: "diagonal" as const }],
    };
    const apart = withPattern(joint, [at(0, 1)], "uniform", SIZES);
    expect(
      [0, 1].map((head) => [gateOf(apart, at(0, head)), patternOf(apart, at(0, head))]),
    ).toEqual([
      [2, "diagonal"],
      [2, "uniform"],
    ]);
  });

  it("are drawn from their weights, cell by cell", () => {
    const drawing = drawingOf({ data: Float32Array.of(1, 0, 0.25, 0.75), shape: [2, 2] });
    expect(drawing).toEqual([
      [1000, 0],
      [250, 750],
    ]);
    expect(painted(drawing, { query: 2, key: 1 }, 500)).toEqual([
      [1000, 0],
      [250, 750],
      [0, 500],
    ]);
  });

  it("are cut to the text that there is", () => {
    const drawing = Array.from({ length: 5 }, () => [1, 2, 3, 4]);
    expect(
      fittingEdits(withPattern(NO_EDITS, [at(0, 0)], drawing, SIZES), LIMITS).heads?.[0]?.pattern,
    ).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
    const empty = withPattern(NO_EDITS, [at(0, 0, "cross")], drawing, SIZES);
    expect(
      activeIn(empty, { ...LIMITS, cross: { layers: 2, heads: 4, queries: 0, keys: 3 } })({
        list: "heads",
        index: 0,
      }),
    ).toBe(false);
  });
});
