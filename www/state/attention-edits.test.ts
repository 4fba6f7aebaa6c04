import { describe, expect, it } from "vitest";
import { fittingEdits, activeIn } from "./fitting.js";
import type { Limits } from "./state.js";
import { addKind, kindEdit, kindValues, MODEL_KIND } from "./attention-edits.js";
import { NO_EDITS } from "./state.js";

const SIZE = { layers: 2, heads: 4, queries: 9, keys: 9 };
const TRANSLATOR: Limits = { encoder: SIZE, decoder: SIZE, cross: SIZE };
const FULL = { scale: "model", temperature: 1, dropout: { rate: 0, seed: 1 } };

describe("kinds of attention", () => {
  it("are edits that say what is not as the model has it", () => {
    expect(kindEdit(MODEL_KIND, {})).toEqual({ kind: "softmax" });
    expect(
      kindEdit(
        {
          ...MODEL_KIND,
          kind: "sliding",
          parameters: { width: 3 },
          temperature: 0.5,
          rate: 0.2,
          seed: 7,
        },
        { stack: "encoder" },
      ),
    ).toEqual({
      stack: "encoder",
      kind: "sliding",
      parameters: { width: 3 },
      temperature: 0.5,
      dropout: { rate: 0.2, seed: 7 },
    });
  });

  it("have no part that makes no sense, and no number out of range", () => {
    expect(
      kindEdit({ ...MODEL_KIND, kind: "linear", temperature: 2, scale: "none", rate: 0.5 }, {}),
    ).toEqual({ kind: "linear" });
    expect(
      kindEdit(
        {
          ...MODEL_KIND,
          kind: "chunked",
          parameters: { size: 0, rank: 4 },
          temperature: NaN,
          rate: 0.5,
        },
        {},
      ),
    ).toEqual({ kind: "chunked", parameters: { size: 1 } });
    expect(kindValues({ kind: "performer", parameters: { features: 1e9 } }).parameters).toEqual({
      features: 1024,
      seed: 1,
    });
    expect(kindValues({ dropout: { rate: 1, seed: -3 }, scale: 1e9 })).toMatchObject({
      rate: 0.99,
      seed: 0,
      scale: 1000,
    });
  });

  it("are told whole, so that nothing is left of an edit before them", () => {
    const edits = addKind(addKind(NO_EDITS, { dropout: { rate: 0.5, seed: 3 } }), {
      stack: "cross",
      kind: "linear",
    });
    expect(fittingEdits(edits, TRANSLATOR).attention).toEqual([
      { kind: "softmax", parameters: {}, ...FULL, dropout: { rate: 0.5, seed: 3 } },
      { stack: "cross", kind: "linear", parameters: {}, ...FULL },
    ]);
  });

  it("hold only where they make sense and fit", () => {
    const everywhere = addKind(NO_EDITS, { kind: "linformer" });
    expect(fittingEdits(everywhere, TRANSLATOR).attention?.map(({ stack }) => stack)).toEqual([
      "encoder",
      "cross",
    ]);
    expect(fittingEdits(everywhere, { decoder: SIZE })).toEqual({});
    const [low, decoder] = [
      { ...NO_EDITS, attention: [{ kind: "low-rank" as const }] },
      addKind(NO_EDITS, { stack: "decoder", kind: "low-rank" }),
    ];
    expect(activeIn(low, TRANSLATOR)({ list: "attention", index: 0 })).toBe(true);
    expect(
      activeIn(low, { encoder: { ...SIZE, queries: 512, keys: 512 } })({
        list: "attention",
        index: 0,
      }),
    ).toBe(true);
    expect(
      activeIn(low, { encoder: { ...SIZE, queries: 513, keys: 513 } })({
        list: "attention",
        index: 0,
      }),
    ).toBe(false);
    expect(activeIn(decoder, TRANSLATOR)({ list: "attention", index: 0 })).toBe(false);
    expect(
      activeIn(
        addKind(NO_EDITS, { layers: [5], kind: "linear" }),
        TRANSLATOR,
      )({ list: "attention", index: 0 }),
    ).toBe(false);
  });
});
