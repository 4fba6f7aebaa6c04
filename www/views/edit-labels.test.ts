import { describe, expect, it } from "vitest";
import type { EditMisfit, MaskPreset, Token } from "../data/index.js";
import { NO_EDITS, type EditLists } from "../state/index.js";
import { editChips, placesOf } from "./edit-labels.js";

const NONE = new Map<object, EditMisfit>();
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
    expect(editChips(edits, NONE, tokens).map(({ label }) => label)).toEqual([
      "Cross-attention 2.3: chat may not look at the",
      "Cross-attention 2.3: 2 cells blocked",
      "Everywhere: token 4 may not look at cat",
      "Encoder, layers 1, 2 silenced",
      "Everywhere, head 5 of each layer × 0.5",
      "Encoder, positions: T5 buckets, buckets 8, untrained, other order",
      "Everywhere, positions: none",
    ]);
  });

  it.each<[left: Partial<EditMisfit>, edits: Partial<EditLists>, label: string, note: string]>([
    [
      { says: "inactive", code: "edit/not-in-text" },
      { masks: [{ stack: "cross", block: [[9, 0]] }] },
      "Cross-attention: token 10 may not look at the (does not fit this text)",
      "edit/not-in-text",
    ],
    [
      { says: "otherModel", code: "edit/not-in-model" },
      { heads: [{ stack: "decoder", gate: 0 }] },
      "Decoder silenced (not in this model)",
      "edit/not-in-model",
    ],
    [
      { says: "impossible", code: "edit/not-possible" },
      { heads: [{ gate: 1001 }] },
      "Everywhere × 1,001 (cannot be applied here)",
      "edit/not-possible",
    ],
    [
      {
        says: "partlyTokens",
        code: "edit/not-in-text",
        values: [
          ["count", 1],
          ["all", 2],
        ],
      },
      { masks: [{ preset: { kind: "global", tokens: [0, 8], width: 1 } }] },
      "Everywhere: global tokens + window, each side 1, tokens no. 1, 9",
      "1 of its 2 tokens in this text edit/not-in-text",
    ],
    [
      { says: "partlyStacks", code: "edit/not-possible", stacks: ["encoder"] },
      { attention: [{ kind: "low-rank" }] },
      "Everywhere: low rank, rank 4",
      "only in: Encoder edit/not-possible",
    ],
  ])("say what the run leaves out: %j", (left, edits, label, note) => {
    const [edit = {}] = Object.values(edits).flat();
    const misfit = { list: "masks", index: 0, values: [], stacks: [], ...left } as EditMisfit;
    const [chip] = editChips({ ...NO_EDITS, ...edits }, new Map([[edit, misfit]]), tokens);
    expect(chip).toMatchObject({ label, note });
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
    expect(editChips(edits, NONE, tokens).map(({ label, inactive }) => [label, inactive])).toEqual([
      ["Cross-attention 2.3: the token before", false],
      ["Encoder: drawn", false],
      ["Encoder, layer 2: feed-forward, without residual", false],
      ["Everywhere: norm before", false],
    ]);
  });

  it("list places without marks inside a number, so that a field can read them again", () => {
    expect(placesOf([0, 39, 1040])).toBe("1, 40, 1041");
  });

  it("name a window's one side instead of each", () => {
    const label = (preset: MaskPreset): string | undefined =>
      editChips({ ...NO_EDITS, masks: [{ stack: "encoder", preset }] }, NONE, tokens)[0]?.label;
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
      editChips(edits, NONE, tokens)
        .slice(0, 3)
        .map(({ note }) => note),
    ).toEqual(["has no effect: another edit says otherwise edit/overridden", undefined, undefined]);
    const elsewhere: EditMisfit = {
      list: "heads",
      index: 1,
      code: "edit/not-in-model",
      says: "otherModel",
      values: [],
      stacks: [],
    };
    const left = new Map([[edits.heads[1] ?? {}, elsewhere]]);
    expect(editChips(edits, left, tokens)[0]?.note).toBeUndefined();
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
    const notes = editChips(edits, NONE, tokens, [{ stack: "encoder", layer: 1 }]).map(
      ({ note }) => note,
    );
    expect(notes).toEqual([undefined, "computed on the CPU", "computed on the CPU", undefined]);
    expect(editChips(edits, NONE, tokens).every(({ note }) => note === undefined)).toBe(true);
  });
});
