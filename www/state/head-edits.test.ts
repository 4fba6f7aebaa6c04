import { describe, expect, it } from "vitest";
import type { BlockEdit, HeadEdit, HeadRef, Scope } from "../data/index.js";
import { editLists, headsOf, isSilenced, removeEdit, scopeIn } from "./edits.js";
import {
  drawingOf,
  gateOf,
  isSolo,
  joinedAs,
  painted,
  patternOf,
  sublayersOf,
  toggleHead,
  toggleSolo,
  withGate,
  withNorm,
  withPattern,
  withResidual,
  type Joint,
} from "./head-edits.js";
import { NO_EDITS, type EditLists } from "./index.js";

const SIZES = { encoder: { layers: 3, heads: 4 }, cross: { layers: 2, heads: 4 } };
const ROW: Scope = { stack: "encoder", layers: [0] };
const at = (layer: number, head: number, stack: HeadRef["stack"] = "encoder"): HeadRef => ({
  stack,
  layer,
  head,
});
const HEAD = at(1, 2, "cross");
const OTHERS: HeadEdit = { stack: "cross", layers: [1], heads: [0, 1, 3], gate: 0 };
const of = (...heads: HeadEdit[]): EditLists => editLists({ heads });

/** The heads that are silenced. */
const silent = (edits: EditLists): string[] =>
  headsOf({}, SIZES)
    .filter((head) => isSilenced(edits, head))
    .map(({ stack, layer, head }) => `${stack} ${layer}.${head}`);

describe("gates and patterns of heads", () => {
  it.each<[heads: HeadRef[], scopes: object[]]>([
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
  ])("are said in as few scopes as it takes, which cover exactly them", (heads, scopes) => {
    expect(withGate(NO_EDITS, heads, 2, SIZES).heads.map((edit) => scopeIn(edit))).toEqual(scopes);
  });

  it("take the place of what was said before, of these heads alone", () => {
    const half = withGate(of({ stack: "encoder", layers: [0], gate: 0 }), [at(0, 2)], 0.5, SIZES);
    expect(half.heads).toEqual([
      { ...ROW, heads: [0, 1, 3], gate: 0 },
      { ...ROW, heads: [2], gate: 0.5 },
    ]);
    expect([0, 1, 2, 3].map((head) => gateOf(half, at(0, head)))).toEqual([0, 0, 0.5, 0]);
    expect(withGate(half, headsOf({ stack: "encoder" }, SIZES), 1, SIZES)).toEqual(NO_EDITS);
    // Of a stack that this model has not nothing is said, so it stays.
    const elsewhere = of({ stack: "decoder", gate: 0 });
    expect(withGate(elsewhere, [at(0, 0)], 1, SIZES)).toEqual(elsewhere);
  });

  it("are kept apart", () => {
    const both = withPattern(
      withGate(NO_EDITS, [at(0, 0)], 2, SIZES),
      [at(0, 0)],
      "previous",
      SIZES,
    );
    expect([gateOf(both, at(0, 0)), patternOf(both, at(0, 0))]).toEqual([2, "previous"]);
    expect(patternOf(both, at(0, 1))).toBeNull();
    expect(withPattern(both, [at(0, 0)], null, SIZES).heads).toEqual([
      { ...ROW, heads: [0], gate: 2 },
    ]);
    const joint = of({ stack: "encoder", layers: [0], gate: 2, pattern: "diagonal" });
    const apart = withPattern(joint, [at(0, 1)], "uniform", SIZES);
    expect(
      [0, 1].map((head) => [gateOf(apart, at(0, head)), patternOf(apart, at(0, head))]),
    ).toEqual([
      [2, "diagonal"],
      [2, "uniform"],
    ]);
  });

  it("are drawn from the weights, cell by cell", () => {
    const drawing = drawingOf({ data: Float32Array.of(1, 0, 0.25, 0.75), shape: [2, 2] });
    expect(painted(drawing, { query: 2, key: 1 }, 500)).toEqual([
      [1000, 0],
      [250, 750],
      [0, 500],
    ]);
  });
});

describe("silenced heads", () => {
  it("are those whose gate is 0, and one edit is removed by its place", () => {
    const edits = toggleHead(NO_EDITS, HEAD, SIZES);
    expect([silent(edits), isSilenced(of({ gate: 0.5 }), HEAD)]).toEqual([["cross 1.2"], false]);
    expect(toggleHead(edits, HEAD, SIZES)).toEqual(NO_EDITS);
    const two = toggleHead(edits, at(1, 3, "cross"), SIZES);
    expect(silent(removeEdit(two, { list: "heads", index: 0 }))).toEqual(["cross 1.3"]);
  });

  it.each<[string, HeadEdit]>([
    ["all heads of a layer", { stack: "cross", layers: [1], gate: 0 }],
    ["all heads of a stack", { stack: "cross", gate: 0 }],
    ["all heads of the model", { gate: 0 }],
    ["a head of every layer of every stack", { heads: [2], gate: 0 }],
  ])("are restored one by one out of %s", (_, edit) => {
    const without = silent(of(edit)).filter((name) => name !== "cross 1.2");
    const restored = toggleHead(of(edit), HEAD, SIZES);
    expect(silent(restored)).toEqual(without);
    expect(silent(toggleHead(restored, HEAD, SIZES))).toEqual(silent(of(edit)));
  });

  it("have their pattern still when they are restored", () => {
    const edits = of({ stack: "cross", heads: [2], gate: 0, pattern: "uniform" });
    expect(toggleHead(edits, HEAD, SIZES).heads).toEqual([
      { stack: "cross", layers: [0], heads: [2], gate: 0, pattern: "uniform" },
      { stack: "cross", layers: [1], heads: [2], pattern: "uniform" },
    ]);
  });
});

describe("a head alone in its layer", () => {
  it("silences the others in one edit, and restores them however they were silenced", () => {
    const alone = toggleSolo(NO_EDITS, HEAD, SIZES);
    expect(alone.heads).toEqual([OTHERS]);
    expect(
      [HEAD, at(1, 1, "cross"), at(0, 2, "cross")].map((one) => isSolo(alone, one, SIZES)),
    ).toEqual([true, false, false]);
    const one = [0, 1, 3].reduce(
      (edits, head) => toggleHead(edits, { ...HEAD, head }, SIZES),
      NO_EDITS,
    );
    for (const edits of [alone, one]) expect(toggleSolo(edits, HEAD, SIZES)).toEqual(NO_EDITS);
    const stack = of({ stack: "cross", heads: [0, 1, 3], gate: 0 });
    expect(silent(toggleSolo(stack, HEAD, SIZES))).toEqual(["cross 0.0", "cross 0.1", "cross 0.3"]);
  });

  it("takes over from another one, though it was silenced, and leaves other layers", () => {
    const elsewhere = toggleHead(toggleHead(NO_EDITS, HEAD, SIZES), { ...HEAD, layer: 0 }, SIZES);
    const alone = toggleSolo(toggleSolo(elsewhere, { ...HEAD, head: 0 }, SIZES), HEAD, SIZES);
    expect(silent(alone)).toEqual(["cross 0.2", "cross 1.0", "cross 1.1", "cross 1.3"]);
    expect(toggleHead(alone, { ...HEAD, head: 0 }, SIZES).heads.at(-1)).toEqual({
      ...OTHERS,
      heads: [1, 3],
    });
    const everywhere = of({ gate: 0 });
    expect(silent(toggleSolo(everywhere, HEAD, SIZES))).toEqual(
      silent(everywhere).filter((name) => name !== "cross 1.2"),
    );
  });

  it("needs others", () => {
    const single = { cross: { layers: 2, heads: 1 } };
    expect(toggleSolo(NO_EDITS, { ...HEAD, head: 0 }, single)).toBe(NO_EDITS);
    expect(isSolo(NO_EDITS, { ...HEAD, head: 0 }, single)).toBe(false);
  });
});

describe("how sublayers are joined to the residual stream", () => {
  const SIZE = { layers: 2, heads: 4, kvHeads: 4, headDim: 8 };
  const INFO = { stacks: { encoder: SIZE, decoder: SIZE, cross: SIZE } };
  const FEED: Joint = { stack: "encoder", layer: 1, sublayer: "feed-forward" };
  const CROSS: Joint = { stack: "decoder", layer: 0, sublayer: "cross-attention" };

  it("is said of those that are meant, and only of them", () => {
    const edits = withResidual(NO_EDITS, [FEED], false, INFO);
    expect(edits.blocks).toEqual<BlockEdit[]>([
      { stack: "encoder", layers: [1], sublayers: ["feed-forward"], residual: false },
    ]);
    expect(joinedAs(edits, FEED)).toEqual({ residual: false, norm: "model" });
    expect(joinedAs(edits, { ...FEED, layer: 0 })).toEqual({ residual: true, norm: "model" });
    expect(withResidual(edits, [FEED], true, INFO)).toEqual(NO_EDITS);
  });

  it("is said once: a part of what was said before is taken out of it", () => {
    const all = [0, 1].flatMap((layer) =>
      sublayersOf("decoder", INFO).map(
        (sublayer): Joint => ({ stack: "decoder", layer, sublayer }),
      ),
    );
    const none = withNorm(NO_EDITS, all, "none", INFO);
    expect(none.blocks).toEqual([{ stack: "decoder", norm: "none" }]);
    const pre = withNorm(none, [CROSS], "pre", INFO);
    expect(all.map((joint) => joinedAs(pre, joint).norm)).toEqual(
      all.map(({ layer, sublayer }) =>
        layer === 0 && sublayer === "cross-attention" ? "pre" : "none",
      ),
    );
    const both = withResidual(pre, [CROSS], false, INFO);
    expect(joinedAs(both, CROSS)).toEqual({ residual: false, norm: "pre" });
    expect(joinedAs(withNorm(both, [CROSS], "model", INFO), CROSS)).toEqual({
      residual: false,
      norm: "model",
    });
  });
});
