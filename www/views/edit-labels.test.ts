import { describe, expect, it } from "vitest";
import type { MaskPreset, Token } from "../data/index.js";
import { setLanguage } from "../i18n/index.js";
import { NO_EDITS, type EditLists, type Limits } from "../state/index.js";
import { editChips, placesOf } from "./edit-labels.js";
import { refOf } from "./edit-ref.js";

const LIMITS: Limits = {
  cross: { layers: 3, heads: 8, queries: 4, keys: 4 },
  encoder: { layers: 3, heads: 8, queries: 4, keys: 4 },
};
const word = (text: string): Token => ({ id: 0, text, word: 0, special: false, role: null });
const tokens = (): { queries: Token[]; keys: Token[] } => ({
  queries: ["le", "chat"].map(word),
  keys: ["the", "cat"].map(word),
});

describe("edits as chips", () => {
  it("say what they do, with the words they are about", () => {
    const edits: EditLists = {
      ...NO_EDITS,
      positions: [
        { stack: "encoder", scheme: "t5", parameters: { buckets: 8 }, order: [1, 0] },
        { scheme: "none" },
      ],
      masks: [
        { stack: "cross", layers: [1], heads: [2], block: [[1, 0]] },
        {
          stack: "cross",
          layers: [1],
          heads: [2],
          block: [
            [0, 0],
            [1, 1],
          ],
        },
        { block: [[3, 1]] },
      ],
      heads: [
        { stack: "encoder", layers: [0, 1], gate: 0 },
        { heads: [4], gate: 0.5 },
      ],
    };
    expect(editChips(edits, LIMITS, tokens).map(({ label }) => label)).toEqual([
      "Cross-attention 2.3: chat may not look at the",
      "Cross-attention 2.3: 2 cells blocked",
      "Everywhere: token 4 may not look at cat",
      "Encoder, layers 1, 2 silenced",
      "Everywhere, head 5 of each layer × 0.5",
      "Encoder, positions: T5 buckets, buckets 8, untrained, other order",
      "Everywhere, positions: none",
    ]);
  });

  it("list the places of tokens as the field does that takes them, without marks inside a number", () => {
    const masks: EditLists["masks"] = [
      { preset: { kind: "global", tokens: [0, 39, 1040], width: 1 } },
    ];
    const label = (): string | undefined =>
      editChips({ ...NO_EDITS, masks }, LIMITS, tokens)[0]?.label;
    expect(placesOf([0, 39, 1040])).toBe("1, 40, 1041");
    expect(label()).toContain("tokens no. 1, 40, 1041");
    setLanguage("zh-CN");
    expect(placesOf([0, 39, 1040])).toBe("1、40、1041");
    setLanguage("en");
  });

  it("are kept and marked when they do not fit", () => {
    const edits: EditLists = { ...NO_EDITS, masks: [{ stack: "cross", block: [[9, 0]] }] };
    expect(editChips(edits, LIMITS, tokens)).toEqual([
      {
        id: "masks:0",
        label: "Cross-attention: token 10 may not look at the (does not fit this text)",
        inactive: true,
        note: "edit/not-in-text",
      },
    ]);
    const [partly] = editChips(
      {
        ...NO_EDITS,
        masks: [
          {
            stack: "cross",
            block: [
              [9, 0],
              [1, 1],
              [0, 2],
            ],
          },
        ],
      },
      LIMITS,
      tokens,
    );
    expect(partly).toMatchObject({
      label: "Cross-attention: 3 cells blocked",
      inactive: false,
      note: "2 of them in this text edit/not-in-text",
    });
    const elsewhere = editChips(
      {
        ...NO_EDITS,
        heads: [
          { stack: "decoder", gate: 0 },
          { stack: "encoder", layers: [7], gate: 0 },
          { stack: "encoder", heads: [8], gate: 0 },
        ],
      },
      LIMITS,
      tokens,
    );
    expect(elsewhere.map(({ label, note }) => [label, note])).toEqual([
      ["Decoder silenced (not in this model)", "edit/not-in-model"],
      ["Encoder, layer 8 silenced (not in this model)", "edit/not-in-model"],
      [expect.stringMatching(/head 9 .*\(not in this model\)$/), "edit/not-in-model"],
    ]);
  });

  it("say how far they fit, where that is not all of them", () => {
    const square = (size: number): number[][] =>
      Array.from({ length: size }, () => new Array<number>(size).fill(1));
    const note = (edits: Partial<EditLists>): string | undefined =>
      editChips({ ...NO_EDITS, ...edits }, LIMITS, tokens)[0]?.note;
    expect(note({ masks: [{ preset: { kind: "global", tokens: [0, 3, 8], width: 1 } }] })).toBe(
      "2 of its 3 tokens in this text edit/not-in-text",
    );
    expect(note({ masks: [{ preset: { kind: "random", tokens: [7], keys: 1, seed: 1 } }] })).toBe(
      "0 of its 1 tokens in this text edit/not-in-text",
    );
    expect(note({ masks: [{ preset: { kind: "padding", length: 5 } }] })).toBe(
      "longer than this text of 4 tokens edit/not-in-text",
    );
    expect(note({ masks: [{ stack: "encoder", preset: { kind: "prefix", length: 9 } }] })).toBe(
      "longer than this text of 4 tokens edit/not-in-text",
    );
    expect(note({ heads: [{ stack: "encoder", pattern: square(6) }] })).toBe(
      "4 of 6 rows and 4 of 6 columns in this text edit/not-in-text",
    );
    expect(
      note({ positions: [{ stack: "encoder", scheme: "none", order: [4, 3, 2, 1, 0] }] }),
    ).toBe("without its order, which is of 5 tokens edit/not-in-text");
    expect(note({ heads: [{ stack: "encoder", layers: [1, 7], pattern: "uniform" }] })).toBe(
      "only what this model has of it edit/not-in-model",
    );
    expect(note({ attention: [{ kind: "low-rank" }] })).toBe("only in: Encoder edit/not-possible");
    const whole: Partial<EditLists>[] = [
      { masks: [{ preset: { kind: "padding", length: 4 } }] },
      { heads: [{ pattern: square(3) }] },
      { positions: [{ stack: "encoder", order: [1, 0] }] },
      { attention: [{ kind: "cosine" }] },
    ];
    for (const edits of whole) expect(note(edits)).toBeUndefined();
  });

  describe("that are left out tell why by a code", () => {
    const DECODER: Limits = { decoder: { layers: 2, heads: 2, queries: 4, keys: 4, headDim: 3 } };
    it.each<[string, Partial<EditLists>, string, Limits]>([
      [
        "a layer that no stack has",
        { heads: [{ layers: [7], gate: 0 }] },
        "edit/not-in-model",
        LIMITS,
      ],
      [
        "heads that no stack has",
        { heads: [{ heads: [8, 9], gate: 0.5 }] },
        "edit/not-in-model",
        LIMITS,
      ],
      [
        "a layer of one stack and a head of another",
        { heads: [{ layers: [4], heads: [6], gate: 0 }] },
        "edit/not-in-model",
        {
          encoder: { layers: 5, heads: 2, queries: 4, keys: 4 },
          decoder: { layers: 3, heads: 8, queries: 4, keys: 4 },
        },
      ],
      [
        "a sublayer that the model lacks",
        { blocks: [{ sublayers: ["cross-attention"], residual: false }] },
        "edit/not-in-model",
        DECODER,
      ],
      [
        "cells outside, in a layer that is there beside one that is not",
        { masks: [{ stack: "encoder", layers: [0, 9], block: [[50, 50]] }] },
        "edit/not-in-text",
        LIMITS,
      ],
      [
        "cells outside of one stack",
        { masks: [{ block: [[50, 50]] }] },
        "edit/not-in-text",
        LIMITS,
      ],
      [
        "an order of more tokens",
        { positions: [{ order: [4, 3, 2, 1, 0] }] },
        "edit/not-in-text",
        LIMITS,
      ],
      [
        "a layer of one stack that another lacks",
        { heads: [{ layers: [4], gate: 0 }] },
        "edit/not-possible",
        { ...LIMITS, decoder: { layers: 5, heads: 8, queries: 4, keys: 4 } },
      ],
      [
        "gates beyond what the core takes",
        { heads: [{ gate: 1001 }] },
        "edit/not-possible",
        LIMITS,
      ],
      [
        "what would silence all heads of a smaller model",
        { heads: [{ heads: [0, 1, 2], gate: 0 }] },
        "edit/not-possible",
        DECODER,
      ],
      [
        "low rank where tokens are written one after another",
        { attention: [{ stack: "decoder", kind: "low-rank" }] },
        "edit/not-possible",
        DECODER,
      ],
      [
        "linformer in a model that is a decoder alone",
        { attention: [{ kind: "linformer" }] },
        "edit/not-possible",
        DECODER,
      ],
      [
        "rotary positions for heads of odd width",
        { positions: [{ scheme: "rotary" }] },
        "edit/not-possible",
        DECODER,
      ],
    ])("%s", (_, edits, code, limits) => {
      const [chip] = editChips({ ...NO_EDITS, ...edits }, limits, tokens);
      const words = {
        "edit/not-in-model": "(not in this model)",
        "edit/not-in-text": "(does not fit this text)",
        "edit/not-possible": "(cannot be applied here)",
      }[code];
      expect(chip).toMatchObject({
        inactive: true,
        note: code,
        label: expect.stringContaining(words ?? "?") as string,
      });
    });

    it("and only for the gate that goes too far", () => {
      const chips = editChips(
        { ...NO_EDITS, heads: [{ gate: 100 }, { gate: 100 }] },
        LIMITS,
        tokens,
      );
      expect(chips.map(({ note }) => note)).toEqual([undefined, "edit/not-possible"]);
    });
  });

  it("name what stands in the place of a head's weights, and how sublayers are joined", () => {
    const edits: EditLists = {
      ...NO_EDITS,
      heads: [
        { stack: "cross", layers: [1], heads: [2], pattern: "previous" },
        { stack: "encoder", pattern: [[1]] },
      ],
      blocks: [
        { stack: "encoder", layers: [1], sublayers: ["feed-forward"], residual: false },
        { norm: "pre" },
      ],
    };
    expect(
      editChips(edits, LIMITS, tokens).map(({ label, inactive }) => [label, inactive]),
    ).toEqual([
      ["Cross-attention 2.3: the token before", false],
      ["Encoder: drawn", false],
      ["Encoder, layer 2: feed-forward, without residual", false],
      ["Everywhere: norm before", false],
    ]);
    expect(
      editChips(
        { ...NO_EDITS, blocks: [{ stack: "encoder", layers: [7], residual: false }] },
        LIMITS,
        tokens,
      )[0]?.inactive,
    ).toBe(true);
    expect(refOf("blocks:2")).toEqual({ list: "blocks", index: 2 });
  });

  it("name a window's one side instead of each", () => {
    const label = (preset: MaskPreset): string | undefined =>
      editChips({ ...NO_EDITS, masks: [{ stack: "encoder", preset }] }, LIMITS, tokens)[0]?.label;
    expect(label({ kind: "window", width: 3 })).toContain("each side 3");
    expect(label({ kind: "window", width: 3, oneSided: true })).toMatch(/backwards 3$/);
    expect(label({ kind: "strided", stride: 2, oneSided: true })).toContain(
      "stride 2, only backwards",
    );
  });

  it("say that another one takes their effect, unless that one is left out", () => {
    const edits: EditLists = {
      ...NO_EDITS,
      heads: [
        { stack: "encoder", layers: [0], heads: [0], pattern: "uniform" },
        { stack: "encoder", layers: [0], heads: [0], pattern: "diagonal" },
      ],
      attention: [{ stack: "cross", kind: "linear" }, { kind: "low-rank" }],
    };
    expect(
      editChips(edits, LIMITS, tokens)
        .slice(0, 3)
        .map(({ note }) => note),
    ).toEqual(["has no effect: another edit says otherwise edit/overridden", undefined, undefined]);
    const elsewhere: EditLists = {
      ...NO_EDITS,
      heads: [
        { stack: "encoder", pattern: "uniform" },
        { pattern: "diagonal", layers: [7] },
      ],
    };
    expect(editChips(elsewhere, LIMITS, tokens)[0]?.note).toBeUndefined();
  });

  it("say where a GPU leaves the layers of a kind to the CPU, and only there", () => {
    const edits: EditLists = {
      ...NO_EDITS,
      heads: [{ stack: "encoder", layers: [1], gate: 0 }],
      attention: [
        { kind: "linformer" },
        { stack: "encoder", layers: [1], heads: [0], kind: "performer" },
        { kind: "cosine", stack: "encoder", layers: [0] },
      ],
    };
    const notes = editChips(edits, LIMITS, tokens, [{ stack: "encoder", layer: 1 }]).map(
      ({ note }) => note,
    );
    expect(notes).toEqual([undefined, "computed on the CPU", "computed on the CPU", undefined]);
    expect(editChips(edits, LIMITS, tokens).every(({ note }) => note === undefined)).toBe(true);
  });

  it("lead back to their edit", () => {
    expect([refOf("heads:1"), refOf("other:1")]).toEqual([{ list: "heads", index: 1 }, undefined]);
  });
});
