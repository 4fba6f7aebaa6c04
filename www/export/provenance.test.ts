import fc from "fast-check";
import { expect, it } from "vitest";
import { fileName, NO_HEAD, type Provenance, type Reading } from "./provenance.js";
import { PROVENANCE } from "./testing/labelled.js";

const named = (changes: Partial<Provenance>): string =>
  fileName({ ...PROVENANCE, ...changes }, "svg");
const bytes = (name: string): number => new TextEncoder().encode(name).length;

const START = "headscope_en-fr_cross_layer-2_head-3_weights";
const SAME: Reading = PROVENANCE;
const EDITS = { heads: [{ gate: 0 }] };
const PART = {
  region: { query: 40, key: 30, rows: 20, columns: 8 },
  whole: { rows: 61, columns: 61 },
};
it.each<[name: string, changes: Partial<Provenance>]>([
  [`${START}_she-gave-him.svg`, {}],
  [
    "headscope_en-fr_encoder_hidden-0_she-gave-him.svg",
    { ...NO_HEAD, quantity: "hidden", stack: "encoder", hiddenStates: 0 },
  ],
  [
    "headscope_en-fr_logits_edited_she-gave-him.svg",
    { ...NO_HEAD, quantity: "logits", edits: EDITS },
  ],
  [`${START}_edited_she-gave-him.svg`, { edits: { blocks: [{ residual: false }] } }],
  [`${START}_she-gave-him.svg`, { edits: { masks: [], blocks: [] } }],
  [`${START}_q41-60_k31-38_she-gave-him.svg`, { part: PART }],
  [`${START}_she-gave-him_vs-he-gave-her.svg`, { compared: { ...SAME, text: "He gave her" } }],
  [
    `${START}_she-gave-him_vs-tiny-bert_he-gave-her.svg`,
    { compared: { ...SAME, model: "tiny-bert", text: "He gave her" } },
  ],
  [`${START}_edited_she-gave-him_vs-original.svg`, { edits: EDITS, compared: SAME }],
  [`${START}_she-gave-him_vs-edited.svg`, { compared: { ...SAME, edits: EDITS } }],
  [`${START}_she-gave-him_vs-same-text.svg`, { compared: SAME }],
  [`${START}_lété-où.svg`, { text: "L’été, où?" }],
  [`${START}_她给了他那本书.svg`, { text: "她给了他那本书。" }],
  [`${START}_नमस्ते.svg`, { text: "नमस्ते" }],
  [`${START}_${"字".repeat(21)}.svg`, { text: "字".repeat(300) }],
  [`${START}_word${"-word".repeat(12)}.svg`, { text: "word ".repeat(100) }],
])("a file is named %s", (name, changes) => {
  expect(named(changes)).toBe(name);
});

it("a name suits every file system, whatever was typed and compared", () => {
  const long = { model: "m".repeat(90), text: "字".repeat(300) };
  const compared = { ...SAME, model: "n".repeat(90), text: "话".repeat(300) };
  const all = { ...long, part: PART, edits: EDITS, quantity: "weights-difference", compared };
  expect(bytes(named(all))).toBeLessThan(255);
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 150 }),
      fc.string({ maxLength: 60 }),
      (typed, folder) => {
        const name = named({ text: typed, model: folder });
        expect(name).not.toMatch(/[\\/:*?"<>|\s]|^\.|\p{C}/u);
        expect(bytes(name)).toBeLessThan(255);
        expect(name).toMatch(/^headscope_.*[^.]\.svg$/);
      },
    ),
    { numRuns: 50 },
  );
});
