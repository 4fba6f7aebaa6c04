import { describe, expect, it } from "vitest";
import { decodeEdits, encodeEdits } from "./edit-codec.js";
import { fittingEdits, activeIn } from "./edits.js";
import type { Limits } from "./limits.js";
import { addKind, ATTENTION_KINDS, kindEdit, kindValues, MODEL_KIND } from "./kind-rules.js";
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

  it("stand in the address, each with its numbers", () => {
    for (const kind of ATTENTION_KINDS) {
      const edit = kindEdit(
        { ...kindValues({ kind }), scale: 0.7, temperature: 2.5, rate: 0.25, seed: 9 },
        { stack: "encoder", layers: [1], heads: [0, 2] },
      );
      const text = encodeEdits({ ...NO_EDITS, attention: [edit] });
      expect(text, kind).toMatch(/^e2\.1,3~kind-/);
      expect(decodeEdits(text)?.attention, text).toEqual([edit]);
    }
    expect(
      encodeEdits({
        ...NO_EDITS,
        attention: [{ kind: "sliding", parameters: { width: 3 }, scale: "none" }],
      }),
    ).toBe(".~kind-sliding(w3,xnone)");
  });

  it("are refused where an address says what no kind has", () => {
    for (const text of [
      ".~kind-quadratic",
      ".~kind-sliding(r3)",
      ".~kind-sliding(w)",
      ".~kind-sliding(wx)",
      ".~kind-softmax(t1",
      ".~kind-softmax(z1)",
      ".~kind-sliding(w1e9)",
      ".~kind-chunked(b0)",
      ".~kind-softmax(t1e9)",
      ".~kind-softmax(x-1)",
      ".~kind-softmax(p1,q1)",
      ".~kind-performer(f2.5,s1)",
      ".~kind-linear(t2)",
    ])
      expect(decodeEdits(text), text).toBeUndefined();
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
