import { describe, expect, it } from "vitest";
import type { HeadRef } from "../data/index.js";
import { blockedCells, isSilenced, removeEdit } from "./edits.js";
import { activeIn, fittingEdits } from "./fitting.js";
import type { Limits } from "./state.js";
import { toggleCell, toggleCells } from "./mask-edits.js";
import { scopeOf } from "./edits.js";
import { NO_EDITS, type EditLists } from "./state.js";

const HEAD: HeadRef = { stack: "cross", layer: 1, head: 2 };
const OTHER: HeadRef = { stack: "cross", layer: 1, head: 3 };
const CELL = { query: 4, key: 6 };

describe("blocking cells", () => {
  it("gathers the cells of one head in one edit and leaves other heads alone", () => {
    const edits = toggleCell(toggleCell(NO_EDITS, HEAD, CELL), HEAD, { query: 5, key: 6 });
    expect(edits.masks).toEqual([
      {
        stack: "cross",
        layers: [1],
        heads: [2],
        block: [
          [4, 6],
          [5, 6],
        ],
      },
    ]);
    expect(blockedCells(edits, HEAD)).toEqual([CELL, { query: 5, key: 6 }]);
    expect(blockedCells(edits, OTHER)).toEqual([]);
  });

  it("a second time allows the cell and leaves no empty edit", () => {
    expect(toggleCell(toggleCell(NO_EDITS, HEAD, CELL), HEAD, CELL)).toEqual(NO_EDITS);
  });

  it("allows a cell that a wider edit blocks", () => {
    const wide: EditLists = {
      ...NO_EDITS,
      masks: [
        {
          block: [
            [4, 6],
            [0, 0],
          ],
        },
      ],
    };
    const edits = toggleCell(wide, HEAD, CELL);
    expect(blockedCells(edits, HEAD)).toEqual([{ query: 0, key: 0 }]);
    expect(wide.masks[0]?.block).toHaveLength(2);
  });
});

describe("silencing heads", () => {
  it("does not take a weakened head for a silenced one", () => {
    expect(isSilenced({ ...NO_EDITS, heads: [{ gate: 0.5 }] }, HEAD)).toBe(false);
  });

  it("removes one edit by its place", () => {
    const edits = {
      ...NO_EDITS,
      heads: [HEAD, OTHER].map((head) => ({ ...scopeOf(head), gate: 0 })),
    };
    expect(removeEdit(edits, { list: "heads", index: 0 }).heads).toEqual([
      { stack: "cross", layers: [1], heads: [3], gate: 0 },
    ]);
  });
});

describe("edits that do not fit", () => {
  const limits: Limits = {
    encoder: { layers: 3, heads: 8, queries: 6, keys: 6 },
    cross: { layers: 3, heads: 8, queries: 9, keys: 6 },
  };

  it("stay in the State but are not sent", () => {
    const edits: EditLists = {
      ...NO_EDITS,
      masks: [
        {
          stack: "cross",
          layers: [1],
          heads: [2],
          block: [
            [8, 5],
            [9, 5],
            [8, 6],
          ],
        },
        { stack: "cross", layers: [9], block: [[0, 0]] },
        { stack: "decoder", block: [[0, 0]] },
        {
          block: [
            [8, 5],
            [5, 5],
          ],
        },
      ],
      heads: [
        { stack: "cross", layers: [1, 9], heads: [2], gate: 0 },
        { heads: [8], gate: 0 },
      ],
    };
    expect(fittingEdits(edits, limits)).toEqual({
      masks: [{ stack: "cross", layers: [1], heads: [2], block: [[8, 5]] }, { block: [[5, 5]] }],
      heads: [{ stack: "cross", layers: [1], heads: [2], gate: 0 }],
    });
    const active = edits.masks.map((_, index) => activeIn(edits, limits)({ list: "masks", index }));
    expect(active).toEqual([true, false, false, true]);
    expect(activeIn(edits, limits)({ list: "heads", index: 1 })).toBe(false);
  });

  it("are those that take the gates of one head too far, and only those", () => {
    const heads = [
      { stack: "cross" as const, heads: [2], gate: 50 },
      { stack: "encoder" as const, gate: 1000 },
      { layers: [1], heads: [2, 3], gate: -30 },
      { stack: "cross" as const, layers: [1], gate: 20 },
      { stack: "cross" as const, heads: [2], gate: 1001 },
      { stack: "cross" as const, heads: [2], gate: 0.5 },
    ];
    const edits: EditLists = { ...NO_EDITS, heads };
    expect(fittingEdits(edits, limits).heads?.map(({ gate }) => gate)).toEqual([50, 1000, 20, 0.5]);
    expect(heads.map((_, index) => activeIn(edits, limits)({ list: "heads", index }))).toEqual([
      true,
      true,
      false,
      true,
      false,
      true,
    ]);
  });

  it("with nothing to send is an empty request", () => {
    expect(fittingEdits(NO_EDITS, limits)).toEqual({});
  });
});

describe("several cells at once", () => {
  const cells = [CELL, { query: 5, key: 6 }];

  it("are blocked together, those that were not yet, and allowed together", () => {
    const one = toggleCell(NO_EDITS, HEAD, CELL);
    const both = toggleCells(one, HEAD, cells, null);
    expect(blockedCells(both, HEAD)).toHaveLength(2);
    expect(toggleCells(both, HEAD, cells, null)).toEqual(NO_EDITS);
    expect(toggleCells(both, HEAD, [], null)).toBe(both);
  });

  it("are opened where the model forbids them, and left to it again", () => {
    const mask = {
      data: Float32Array.from([0, -Infinity, 0, 0]),
      shape: [2, 2],
      axes: ["query", "key"],
    };
    const later = [{ query: 0, key: 1 }];
    const opened = toggleCells(NO_EDITS, HEAD, later, mask);
    expect(opened.masks).toEqual([{ stack: "cross", layers: [1], heads: [2], allow: [[0, 1]] }]);
    expect(blockedCells(opened, HEAD)).toEqual([]);
    const open = { ...mask, data: new Float32Array(4) };
    expect(toggleCells(opened, HEAD, later, open)).toEqual(NO_EDITS);
    // A second click that comes before the run has followed the first.
    expect(toggleCells(opened, HEAD, later, mask)).toEqual(NO_EDITS);
  });

  it("that a later rule opens again are not blocked any more, and can be blocked once more", () => {
    const open = { data: new Float32Array(49), shape: [7, 7], axes: ["query", "key"] };
    const ruled: EditLists = {
      ...NO_EDITS,
      masks: [
        ...toggleCell(NO_EDITS, HEAD, CELL).masks,
        { mode: "replace", preset: { kind: "none" } },
      ],
    };
    expect(blockedCells(ruled, HEAD, open)).toEqual([]);
    const again = toggleCells(ruled, HEAD, [CELL], open);
    expect(again.masks.map(({ block, preset }) => block ?? preset?.kind)).toEqual([
      [[4, 6]],
      "none",
      [[4, 6]],
    ]);
  });

  it("have the last word over the rules that stand", () => {
    const mask = { data: Float32Array.from([0, -Infinity]), shape: [1, 2], axes: ["query", "key"] };
    const opened = toggleCells(NO_EDITS, HEAD, [{ query: 0, key: 1 }], mask);
    const ruled: EditLists = {
      ...opened,
      masks: [...opened.masks, { preset: { kind: "causal" } }],
    };
    const again = toggleCells(
      toggleCells(ruled, HEAD, [{ query: 0, key: 1 }], mask),
      HEAD,
      [{ query: 0, key: 1 }],
      mask,
    );
    expect(again.masks.map(({ allow, preset }) => allow ?? preset?.kind)).toEqual([
      "causal",
      [[0, 1]],
    ]);
  });
});

describe("kinds of attention and positions", () => {
  const limits = {
    encoder: { layers: 2, heads: 4, queries: 9, keys: 9 },
    decoder: { layers: 2, heads: 4, queries: 7, keys: 7 },
    cross: { layers: 2, heads: 4, queries: 7, keys: 9 },
  };
  const edits = (kind: "sliding" | "cosine", scheme: "alibi" | "rotary"): EditLists => ({
    ...NO_EDITS,
    attention: [{ kind }],
    positions: [{ stack: "encoder", scheme }],
  });

  it("leave out where the one joins scores that the other never holds, which the core refuses", () => {
    const { attention, positions } = fittingEdits(edits("sliding", "alibi"), limits);
    expect(positions).toEqual([{ stack: "encoder", scheme: "alibi" }]);
    expect(attention?.map(({ stack }) => stack)).toEqual(["decoder", "cross"]);
    const alone = {
      ...edits("sliding", "alibi"),
      attention: [{ stack: "encoder" as const, kind: "sliding" as const }],
    };
    expect(fittingEdits(alone, limits).attention).toBeUndefined();
    expect(activeIn(alone, limits)({ list: "attention", index: 0 })).toBe(false);
  });

  it("go together otherwise", () => {
    expect(
      fittingEdits(edits("sliding", "rotary"), limits).attention?.map(({ stack }) => stack),
    ).toEqual([undefined]);
    expect(
      fittingEdits(edits("cosine", "alibi"), limits).attention?.map(({ stack }) => stack),
    ).toEqual([undefined]);
  });
});
