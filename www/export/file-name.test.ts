import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileName } from "./file-name.js";
import { PROVENANCE } from "./testing/exhibit.js";

const named = (changes: Partial<typeof PROVENANCE>): string =>
  fileName({ ...PROVENANCE, ...changes }, "svg");

describe("fileName", () => {
  it("says model, stack, layer, head, what it is, and the text", () => {
    expect(named({})).toBe("headscope_en-fr_cross_layer-2_head-3_weights_she-gave-him.svg");
    expect(
      named({ quantity: "hidden", stack: "encoder", layer: null, head: null, hiddenStates: 0 }),
    ).toBe("headscope_en-fr_encoder_hidden-0_she-gave-him.svg");
    expect(
      named({
        quantity: "logits",
        stack: null,
        layer: null,
        head: null,
        edits: { heads: [{ gate: 0 }] },
      }),
    ).toBe("headscope_en-fr_logits_edited_she-gave-him.svg");
  });

  it("says that anything was edited, not masks and heads alone", () => {
    for (const edits of [
      { blocks: [{ residual: false }] },
      { attention: [{ kind: "linear" }] },
      { positions: [{ stack: "encoder", order: [1, 0] }] },
    ] as const) {
      expect(
        named({ edits: structuredClone(edits) as unknown as typeof PROVENANCE.edits }),
      ).toContain("_edited_");
    }
    expect(named({ edits: { masks: [], blocks: [] } })).not.toContain("edited");
  });

  it("says of two runs what sets the other apart", () => {
    const { model, text, target, hidden, stack, layer, head, edits: none } = PROVENANCE;
    const reading = { model, text, target, hidden, stack, layer, head, edits: none };
    const edits = { heads: [{ gate: 0 }] };
    const start = "headscope_en-fr_cross_layer-2_head-3_weights";
    expect(named({ compared: { ...reading, text: "He gave her" } })).toBe(
      `${start}_she-gave-him_vs-he-gave-her.svg`,
    );
    expect(named({ compared: { ...reading, model: "tiny-bert", text: "He gave her" } })).toBe(
      `${start}_she-gave-him_vs-tiny-bert_he-gave-her.svg`,
    );
    expect(named({ edits, compared: reading })).toBe(
      `${start}_edited_she-gave-him_vs-original.svg`,
    );
    expect(named({ compared: { ...reading, edits } })).toBe(`${start}_she-gave-him_vs-edited.svg`);
    expect(named({ compared: reading })).toBe(`${start}_she-gave-him_vs-same-text.svg`);
    const long = { ...reading, model: "m".repeat(90), text: "字".repeat(300) };
    const part = {
      region: { query: 1010, key: 1010, rows: 100, columns: 100 },
      whole: { rows: 2048, columns: 2048 },
    };
    const longest = fileName(
      {
        ...PROVENANCE,
        ...long,
        part,
        model: "n".repeat(90),
        edits,
        quantity: "weights-difference",
        compared: { ...long, text: "话".repeat(300) },
      },
      "json",
    );
    expect(new TextEncoder().encode(longest).length).toBeLessThan(255);
  });

  it("says which rows and columns it holds, where those are not all", () => {
    const part = {
      region: { query: 40, key: 30, rows: 20, columns: 8 },
      whole: { rows: 61, columns: 61 },
    };
    expect(named({ part })).toBe(
      "headscope_en-fr_cross_layer-2_head-3_weights_q41-60_k31-38_she-gave-him.svg",
    );
  });

  it("keeps letters of every script and cuts a long text between words", () => {
    expect(named({ text: "L’été, où?" })).toContain("_lété-où.svg");
    expect(named({ text: "她给了他那本书。" })).toContain("_她给了他那本书.svg");
    expect(named({ text: "नमस्ते" })).toContain("_नमस्ते.svg");
    const long = named({ text: "word ".repeat(100) });
    expect(long).toMatch(/weights_word(-word)+\.svg$/);
    expect(named({ text: "字".repeat(300) })).toMatch(/_字{21}\.svg$/);
  });

  it("suits every file system, whatever was typed", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 150 }),
        fc.string({ maxLength: 60 }),
        (text, model) => {
          const name = named({ text, model });
          expect(name).not.toMatch(/[\\/:*?"<>|\s]|^\.|\p{C}/u);
          expect(new TextEncoder().encode(name).length).toBeLessThan(255);
          expect(name).toMatch(/^headscope_.*[^.]\.svg$/);
        },
      ),
      { numRuns: 50 },
    );
  });
});
