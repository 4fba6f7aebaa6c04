import { expect, it } from "vitest";
import type { At, EditMisfit, Step, Token } from "../data/index.js";
import { NO_EDITS, type EditLists } from "../state/index.js";
import { editChips, placesOf } from "./edit-labels.js";

const NONE = new Map<object, EditMisfit>();
const word = (text: string): Token => ({ id: 0, text, word: 0, special: false, role: null });
const tokens = (): { queries: Token[]; keys: Token[] } => ({
  queries: ["le", "chat"].map(word),
  keys: ["the", "cat"].map(word),
});
const at = { stack: "cross" as const, layers: [1], heads: [2] };
const cells: [number, number][] = [
  [0, 0],
  [1, 1],
];

it.each<[label: string, edits: Partial<EditLists>]>([
  [
    "Encoder, positions: T5 buckets, buckets 8, untrained, permuted positions",
    { positions: [{ stack: "encoder", scheme: "t5", parameters: { buckets: 8 }, order: [1, 0] }] },
  ],
  ["Everywhere, positions: none", { positions: [{ scheme: "none" }] }],
  ["Cross-attention 2.3: chat → the blocked", { masks: [{ ...at, block: [[1, 0]] }] }],
  ["Cross-attention 2.3: 2 cells blocked", { masks: [{ ...at, block: cells }] }],
  ["Everywhere: token 4 → cat blocked", { masks: [{ block: [[3, 1]] }] }],
  ["Encoder: sliding window, each side 3", { masks: [window(false)] }],
  ["Encoder: sliding window, past 3", { masks: [window(true)] }],
  [
    "Everywhere: strided, stride 2, past only",
    { masks: [{ preset: { kind: "strided", stride: 2, oneSided: true } }] },
  ],
  [
    "Everywhere: not replace by causal",
    { masks: [{ mode: "replace", invert: true, preset: { kind: "causal" } }] },
  ],
  [
    "Encoder: or also causal",
    { masks: [{ stack: "encoder", mode: "or", preset: { kind: "causal" } }] },
  ],
  ["Everywhere: mask value −10⁹", { masks: [{ fill: "-1e9" }] }],
  ["Cross-attention 2.3: le → cat unblocked", { masks: [{ ...at, allow: [[0, 1]] }] }],
  ["Cross-attention 2.3: 2 cells unblocked", { masks: [{ ...at, allow: cells }] }],
  ["Cross-attention 2.3: 0 cells blocked", { masks: [{ ...at, block: [] }] }],
  [
    "Encoder, layer 1 · heads 1, 3 × 2",
    { heads: [{ stack: "encoder", layers: [0], heads: [0, 2], gate: 2 }] },
  ],
  ["Everywhere, layers 1, 2 · head 3 × 1", { heads: [{ layers: [0, 1], heads: [2] }] }],
  ["Everywhere × 0.001", { heads: [{ gate: 0.001 }] }],
  [
    "Decoder: with residual, post-norm",
    { blocks: [{ stack: "decoder", residual: true, norm: "post" }] },
  ],
  [
    "Everywhere: softmax of q · k, unscaled, temperature 0.5, dropout 0.25, seed 3",
    {
      attention: [
        { kind: "softmax", scale: "none", temperature: 0.5, dropout: { rate: 0.25, seed: 3 } },
      ],
    },
  ],
  ["Everywhere: softmax of q · k, scale 0.125", { attention: [{ kind: "softmax", scale: 0.125 }] }],
  [
    "Cross-attention, layer 2: output of “a text that is too long to stan…”",
    {
      patches: [
        {
          at: patched("context"),
          from: { text: " a text that is too long to stand in one chip " },
        },
      ],
    },
  ],
  ["Encoder, layers 1, 2 ablated", { heads: [{ stack: "encoder", layers: [0, 1], gate: 0 }] }],
  ["Everywhere, head 5 of each layer × 0.5", { heads: [{ heads: [4], gate: 0.5 }] }],
  ["Cross-attention 2.3: previous token", { heads: [{ ...at, pattern: "previous" }] }],
  ["Encoder: hand-drawn", { heads: [{ stack: "encoder", pattern: [[1]] }] }],
  [
    "Encoder, layer 2: feed-forward, no residual",
    {
      blocks: [{ stack: "encoder", layers: [1], sublayers: ["feed-forward"], residual: false }],
    },
  ],
  ["Everywhere: pre-norm", { blocks: [{ norm: "pre" }] }],
  [
    "Cross-attention 2.3: output of “the dog”",
    { patches: [{ at: patched("context", 2), from: { text: "the dog" } }] },
  ],
  [
    "Cross-attention 2.3: output of “the dog” → Decoder 3.1: key",
    {
      patches: [
        {
          at: patched("context", 2),
          from: { text: "the dog" },
          to: { stack: "decoder", layer: 2, head: 0, part: "key" },
        },
      ],
    },
  ],
  [
    "Cross-attention 2.3: output of “the dog” → the logits",
    { patches: [{ at: patched("context", 2), from: { text: "the dog" }, to: "logits" }] },
  ],
  [
    "Cross-attention, layer 2: FFN down-projection, positions 1, 3 of other tokens",
    { patches: [{ at: { ...patched("ff-output"), positions: [0, 2] }, from: { ids: [7, 2] } }] },
  ],
])("the chip “%s” says what an edit does, with the words it is about", (label, edits) => {
  const [chip] = editChips({ ...NO_EDITS, ...edits }, NONE, tokens);
  expect(chip).toMatchObject({ label, inactive: false });
});

function patched(step: Step, head?: number): At {
  return { stack: "cross", layer: 1, step, ...(head !== undefined && { head }) };
}

function window(oneSided: boolean): EditLists["masks"][number] {
  return { stack: "encoder", preset: { kind: "window", width: 3, ...(oneSided && { oneSided }) } };
}

it.each<[left: Partial<EditMisfit>, edits: Partial<EditLists>, label: string, note: string]>([
  [
    { says: "inactive", code: "edit/not-in-text" },
    { masks: [{ stack: "cross", block: [[9, 0]] }] },
    "Cross-attention: token 10 → the blocked (does not fit this text)",
    "edit/not-in-text",
  ],
  [
    { says: "otherModel", code: "edit/not-in-model" },
    { heads: [{ stack: "decoder", gate: 0 }] },
    "Decoder ablated (not in this model)",
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
      values: Object.entries({ count: 1, all: 2 }),
    },
    { masks: [{ preset: { kind: "global", tokens: [0, 8], width: 1 } }] },
    "Everywhere: global tokens + window, each side 1, token positions 1, 9",
    "1 of its 2 tokens in this text edit/not-in-text",
  ],
  [
    { says: "partlyStacks", code: "edit/not-possible", stacks: ["encoder"] },
    { attention: [{ kind: "low-rank" }] },
    "Everywhere: low-rank (SVD), rank 4",
    "only in: Encoder edit/not-possible",
  ],
])("a chip says what the run leaves out: %j", (left, edits, label, note) => {
  const [edit = {}] = Object.values(edits).flat();
  const misfit = { list: "masks", index: 0, values: [], stacks: [], ...left } as EditMisfit;
  const [chip] = editChips({ ...NO_EDITS, ...edits }, new Map([[edit, misfit]]), tokens);
  expect(chip).toMatchObject({ label, note });
});

it("a chip says that another edit takes its effect, unless that one is left out", () => {
  const scope = { stack: "encoder" as const, layers: [0], heads: [0] };
  const heads: EditLists["heads"] = [
    { ...scope, pattern: "uniform" },
    { ...scope, pattern: "diagonal" },
  ];
  const misfit = {
    list: "heads",
    index: 1,
    code: "edit/not-in-model",
    says: "otherModel",
  } as const;
  const left = new Map([[heads[1] ?? {}, { ...misfit, values: [], stacks: [] }]]);
  const noteIn = (misfits: ReadonlyMap<object, EditMisfit>): string | undefined =>
    editChips({ ...NO_EDITS, heads }, misfits, tokens)[0]?.note;
  expect(noteIn(NONE)).toBe("no effect: overridden by another edit edit/overridden");
  expect(noteIn(left)).toBeUndefined();
});

it("a chip says where a GPU leaves the layers of a kind to the CPU, and only there", () => {
  const edits: EditLists = {
    ...NO_EDITS,
    heads: [{ stack: "encoder", layers: [1], gate: 0 }],
    attention: [{ kind: "linformer" }, { kind: "cosine", stack: "encoder", layers: [0] }],
  };
  const notes = editChips(edits, NONE, tokens, [{ stack: "encoder", layer: 1 }]).map(
    ({ note }) => note,
  );
  expect(notes).toEqual([undefined, "computed on the CPU", undefined]);
});

it("places have no marks inside a number, so that a field can read them again", () => {
  expect(placesOf([0, 39, 1040])).toBe("1, 40, 1041");
});
