import { describe, expect, it } from "vitest";
import type { HeadRef } from "../data/index.js";
import { headsOf, isSilenced } from "./edits.js";
import { fittingEdits } from "./fitting.js";
import { withGate } from "./head-edits.js";
import { isSolo, toggleHead, toggleSolo } from "./head-edits.js";
import { NO_EDITS, type EditLists } from "./state.js";

const SIZES = { encoder: { layers: 3, heads: 4 }, cross: { layers: 2, heads: 4 } };
const HEAD: HeadRef = { stack: "cross", layer: 1, head: 2 };
const OTHER: HeadRef = { stack: "cross", layer: 1, head: 3 };

/** The heads that are not heard. */
const silent = (edits: EditLists): string[] =>
  headsOf({}, SIZES)
    .filter((head) => isSilenced(edits, head))
    .map(({ stack, layer, head }) => `${stack} ${layer}.${head}`);

describe("silencing heads", () => {
  it("turns on and off", () => {
    const edits = toggleHead(NO_EDITS, HEAD, SIZES);
    expect([isSilenced(edits, HEAD), isSilenced(edits, OTHER)]).toEqual([true, false]);
    expect(toggleHead(edits, HEAD, SIZES)).toEqual(NO_EDITS);
  });

  it("wakes one of several that were silenced together, and no other", () => {
    const picked = headsOf({ heads: [2] }, SIZES);
    const group = withGate(NO_EDITS, picked, 0, SIZES);
    expect(silent(group)).toHaveLength(5);
    const woken = toggleHead(group, HEAD, SIZES);
    expect(silent(woken)).toEqual(silent(group).filter((name) => name !== "cross 1.2"));
    expect(silent(toggleHead(woken, HEAD, SIZES))).toEqual(silent(group));
  });

  it.each<[string, EditLists["heads"][number]]>([
    ["all heads of a layer", { stack: "cross", layers: [1], gate: 0 }],
    ["all heads of a stack", { stack: "cross", gate: 0 }],
    ["all heads of the model", { gate: 0 }],
    ["a head of every layer of every stack", { heads: [2], gate: 0 }],
  ])("wakes one of %s, and no other", (_, edit) => {
    const edits = { ...NO_EDITS, heads: [edit] };
    expect(silent(toggleHead(edits, HEAD, SIZES))).toEqual(
      silent(edits).filter((name) => name !== "cross 1.2"),
    );
  });

  it("leaves the pattern of a head that it wakes", () => {
    const edits: EditLists = {
      ...NO_EDITS,
      heads: [{ stack: "cross", heads: [2], gate: 0, pattern: "uniform" }],
    };
    expect(toggleHead(edits, HEAD, SIZES).heads).toEqual([
      { stack: "cross", layers: [0], heads: [2], gate: 0, pattern: "uniform" },
      { stack: "cross", layers: [1], heads: [2], pattern: "uniform" },
    ]);
  });
});

describe("a head that is heard alone", () => {
  const head = { stack: "cross", layer: 1, head: 2 } as const;

  it("silences the others of its layer in one edit, and lets them speak again", () => {
    const alone = toggleSolo(NO_EDITS, head, SIZES);
    expect(alone.heads).toEqual([{ stack: "cross", layers: [1], heads: [0, 1, 3], gate: 0 }]);
    expect(isSolo(alone, head, SIZES)).toBe(true);
    expect(isSolo(alone, { ...head, head: 1 }, SIZES)).toBe(false);
    expect(isSolo(alone, { ...head, layer: 0 }, SIZES)).toBe(false);
    expect(toggleSolo(alone, head, SIZES)).toEqual(NO_EDITS);
  });

  it("takes over from another one, and is heard though it was silenced", () => {
    const silenced = toggleHead(toggleHead(NO_EDITS, head, SIZES), { ...head, layer: 0 }, SIZES);
    const alone = toggleSolo(toggleSolo(silenced, { ...head, head: 0 }, SIZES), head, SIZES);
    expect(isSolo(alone, head, SIZES)).toBe(true);
    expect(alone.heads).toHaveLength(2);
    expect(isSilenced(alone, { ...head, layer: 0 })).toBe(true);
  });

  it("lets the others speak again, however they were silenced", () => {
    const one = [0, 1, 3].reduce(
      (edits, other) => toggleHead(edits, { ...head, head: other }, SIZES),
      NO_EDITS,
    );
    expect(isSolo(one, head, SIZES)).toBe(true);
    expect(toggleSolo(one, head, SIZES)).toEqual(NO_EDITS);
  });

  it("is joined by another one that is woken", () => {
    const two = toggleHead(toggleSolo(NO_EDITS, head, SIZES), { ...head, head: 0 }, SIZES);
    expect(two.heads).toEqual([{ stack: "cross", layers: [1], heads: [1, 3], gate: 0 }]);
  });

  it("of a larger model does not silence a whole layer of a smaller one", () => {
    const limits = { cross: { layers: 2, heads: 4, queries: 9, keys: 9 } };
    expect(
      fittingEdits(
        toggleSolo(NO_EDITS, { ...head, head: 6 }, { cross: { layers: 2, heads: 8 } }),
        limits,
      ),
    ).toEqual({});
    expect(
      fittingEdits(toggleSolo(NO_EDITS, head, { cross: { layers: 2, heads: 8 } }), limits)
        .heads?.[0]?.heads,
    ).toEqual([0, 1, 3]);
  });

  it("needs others", () => {
    expect(toggleSolo(NO_EDITS, { ...head, head: 0 }, { cross: { layers: 2, heads: 1 } })).toBe(
      NO_EDITS,
    );
    expect(isSolo(NO_EDITS, { ...head, head: 0 }, { cross: { layers: 2, heads: 1 } })).toBe(false);
  });

  it("is heard where edits of more than its layer silenced it, and they go on silencing elsewhere", () => {
    const everywhere: EditLists = { ...NO_EDITS, heads: [{ gate: 0 }] };
    const alone = toggleSolo(everywhere, head, SIZES);
    expect(isSolo(alone, head, SIZES)).toBe(true);
    expect(silent(alone)).toEqual(silent(everywhere).filter((name) => name !== "cross 1.2"));
  });

  it("lets its layer alone speak again where one edit silenced the others of several", () => {
    const group: EditLists = {
      ...NO_EDITS,
      heads: [{ stack: "cross", heads: [0, 1, 3], gate: 0 }],
    };
    expect(isSolo(group, head, SIZES)).toBe(true);
    expect(silent(toggleSolo(group, head, SIZES))).toEqual(["cross 0.0", "cross 0.1", "cross 0.3"]);
  });
});
