import { describe, expect, it } from "vitest";
import type { Cell, HeadRef, Tensor } from "../data/index.js";
import { paintFor, toggleCells } from "./mask-edits.js";
import { NO_EDITS, type EditLists } from "./state.js";

const HEAD: HeadRef = { stack: "decoder", layer: 1, head: 2 };
const STROKE: Cell[] = [
  { query: 2, key: 0 },
  { query: 1, key: 1 },
  { query: 2, key: 0 },
];
/** A causal mask of three tokens. */
const CAUSAL: Tensor = {
  data: Float32Array.from([0, -Infinity, -Infinity, 0, 0, -Infinity, 0, 0, 0]),
  shape: [3, 3],
  axes: ["query", "key"],
};

const masks = (edits: EditLists): EditLists["masks"] => edits.masks;

describe("paintFor", () => {
  it("blocks the cells of a stroke in one edit, each once and in the order of the grid, and opens them again", () => {
    const painted = paintFor(NO_EDITS, HEAD, STROKE, "block", CAUSAL);
    expect(masks(painted)).toEqual([
      {
        stack: "decoder",
        layers: [1],
        heads: [2],
        block: [
          [1, 1],
          [2, 0],
        ],
      },
    ]);
    expect(masks(paintFor(painted, HEAD, STROKE, "open", null))).toEqual([]);
    expect(paintFor(painted, HEAD, STROKE, "block", null)).toBe(painted);
  });

  it("reaches as far as it is asked to, a stack at a time where that is everywhere", () => {
    const scopes = (reach: "head" | "layer" | "stack" | "everywhere"): unknown[] =>
      masks(
        paintFor(NO_EDITS, HEAD, [{ query: 1, key: 0 }], "block", CAUSAL, reach, [
          "encoder",
          "decoder",
          "cross",
        ]),
      ).map(({ stack, layers, heads }) => ({
        ...(stack && { stack }),
        ...(layers && { layers }),
        ...(heads && { heads }),
      }));
    expect(scopes("head")).toEqual([{ stack: "decoder", layers: [1], heads: [2] }]);
    expect(scopes("layer")).toEqual([{ stack: "decoder", layers: [1] }]);
    expect(scopes("stack")).toEqual([{ stack: "decoder" }]);
    expect(scopes("everywhere")).toEqual([
      { stack: "encoder" },
      { stack: "decoder" },
      { stack: "cross" },
    ]);
  });

  it("passes over what is so already, and opens what the model closes", () => {
    const ahead = [
      { query: 0, key: 1 },
      { query: 0, key: 2 },
    ];
    expect(paintFor(NO_EDITS, HEAD, ahead, "block", CAUSAL)).toBe(NO_EDITS);
    expect(paintFor(NO_EDITS, HEAD, [{ query: 2, key: 2 }], "open", CAUSAL)).toBe(NO_EDITS);
    const opened = paintFor(NO_EDITS, HEAD, ahead, "open", CAUSAL, "stack");
    expect(masks(opened)).toEqual([
      {
        stack: "decoder",
        allow: [
          [0, 1],
          [0, 2],
        ],
      },
    ]);
    expect(masks(paintFor(opened, HEAD, ahead, "block", null, "stack"))).toEqual([]);
  });

  it("takes the cells of narrower strokes into a wider one", () => {
    const cell = [{ query: 2, key: 1 }];
    const narrow = paintFor(NO_EDITS, HEAD, cell, "block", CAUSAL);
    expect(masks(paintFor(narrow, { ...HEAD, head: 0 }, cell, "open", null, "layer"))).toEqual([
      { stack: "decoder", layers: [1], allow: [[2, 1]] },
    ]);
    const allowed = paintFor(NO_EDITS, HEAD, [{ query: 0, key: 1 }], "open", CAUSAL);
    // The others of the layer may be open there by another rule: they are blocked as was asked.
    expect(masks(paintFor(allowed, HEAD, [{ query: 0, key: 1 }], "block", null, "layer"))).toEqual([
      { stack: "decoder", layers: [1], block: [[0, 1]] },
    ]);
  });

  it("paints a whole mask of 512 tokens in no time that is felt", () => {
    const all = Array.from({ length: 512 * 512 }, (_, place) => ({
      query: Math.floor(place / 512),
      key: place % 512,
    }));
    const from = performance.now();
    const painted = paintFor(NO_EDITS, HEAD, all, "block", null);
    const last = toggleCells(painted, HEAD, [{ query: 5, key: 5 }], null);
    expect(masks(last)[0]?.block).toHaveLength(512 * 512 - 1);
    expect(performance.now() - from).toBeLessThan(5000);
  });
});
