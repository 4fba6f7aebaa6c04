import { describe, expect, it } from "vitest";
import { FAKE_WRITER, FakeModel, FakeRun } from "../../../../tests/support/fake-model.js";
import { HeadscopeError } from "../../../headscope.js";
import { fareOf, smoothed } from "./length-fare.js";
import { studyLengths, type LengthLine } from "./length-study.js";
import { anewOf, fittingOf, heldOutText, ownText, wholeOf } from "./long-text.js";

const SENTENCES = [
  { text: "one two three", targets: ["a b"] },
  { text: "four five", targets: ["c d e"] },
  { text: "six", targets: ["f"] },
];

/** A writer of four positions whose logits say which row of which ids they belong to. */
function writer(): FakeModel {
  const model = new FakeModel({ ...FAKE_WRITER, maxTokens: 4, vocabSize: 1 << 16, startToken: null });
  const run = model.run.bind(model);
  model.run = async (input, options) => {
    const count = input.ids?.length ?? 0;
    if (count > 4 && !input.edits?.positions) throw new HeadscopeError({ code: "input/too-long", message: "", doing: "", expected: "", got: "" });
    const begun = await run(input, options);
    if (begun instanceof FakeRun) begun.logits = (which) => Promise.resolve({ data: Float32Array.from((which?.positions ?? []).flatMap((position) => Array.from({ length: 40 }, (_, id) => (id === position ? 1000 + count : 0)))), shape: [which?.positions?.length ?? 0, 40], axes: ["position", "vocabulary"] });
    return begun;
  };
  return model;
}

describe("a text beyond the positions of a model", () => {
  it("of a writer is the sentences behind each other; windows overlap by half", () => {
    const text = heldOutText(writer(), SENTENCES, 9);
    const ids = text.passages.flatMap((passage) => passage.ids);
    // Each sentence has the token that the tokenizer gives every text.
    expect(ids).toEqual([2, 3, 4, 1, 2, 3, 1, 2, 1]);
    expect(text.wanted).toEqual(ids.slice(1));
    expect(wholeOf(text)).toEqual({ input: { ids: ids.slice(0, 8) }, from: 0, rows: 8, at: 0 });
    expect(fittingOf(text, 4).input).toEqual({ ids: ids.slice(0, 4) });
    expect(anewOf(text, 4).map(({ input, from, rows, at }) => [input.ids, from, rows, at])).toEqual([
      [ids.slice(0, 4), 0, 4, 0],
      [ids.slice(2, 6), 2, 2, 4],
      [ids.slice(4, 8), 2, 2, 6],
    ]);
    expect(ownText(writer(), "one two three four", 2).wanted).toEqual([3, 4]);
  });

  it("of a translator is all sources and all translations, each in one; whole sentences have room or have not", () => {
    const model = new FakeModel();
    const { startToken, endToken } = model.info;
    const text = heldOutText(model, SENTENCES, 5);
    expect(text.wanted).toEqual([2, 3, 2, 3, 4]);
    expect(wholeOf(text).input).toEqual({ ids: [2, 3, 4, 2, 3, 2, endToken], targetIds: [startToken, 2, 3, 2, 3] });
    expect(fittingOf(text, 4)).toEqual({ input: { ids: [2, 3, 4, endToken], targetIds: [startToken, 2] }, from: 0, rows: 2, at: 0 });
    expect(anewOf(text, 4).map(({ input, rows, at }) => [input.targetIds, rows, at])).toEqual([[[startToken, 2], 2, 0], [[startToken, 2, 3], 3, 2]]);
  });

  it("is read under one scheme after the other; what the engine refuses ends where the positions do", async () => {
    const model = writer();
    const lines: LengthLine[] = [];
    const steps: number[][] = [];
    const text = heldOutText(model, SENTENCES, 9);
    await studyLengths(model, { text, schemes: ["model", "learned"] }, { signal: new AbortController().signal, line: (line) => lines.push(line), progress: (done, all) => steps.push([done, all]) });
    expect(lines.map(({ name, losses, refused }) => [name, losses.length, refused])).toEqual([["anew", 8, false], ["model", 4, true], ["learned", 8, false]]);
    // Of ids 3, 4, 1, 2, … row 4 of eight foresees 3 and the model is sure of 4; windows of four begin their rows anew.
    expect(lines[1]?.losses).toEqual([1004, 1004, 1004, 1004]);
    expect(lines[2]?.losses[4]).toBe(1008);
    expect(lines[0]?.losses[4]).toBe(1004);
    expect(steps.at(-1)).toEqual([24, 24]);
    expect(model.held.size).toBe(0);
    expect(model.inputs.at(-1)?.edits).toEqual({ positions: [{ scheme: "learned", parameters: { seed: 1 } }] });
  });

  it("stops where it is told to, and gives back its run", async () => {
    const model = writer();
    const stop = new AbortController();
    const text = heldOutText(model, SENTENCES, 9);
    await expect(studyLengths(model, { text, schemes: ["none"] }, { signal: stop.signal, line: () => stop.abort(), progress: () => undefined })).rejects.toThrow();
    expect(model.held.size).toBe(0);
  });

  it("is compared row by row with the same tokens read anew", () => {
    const anew: LengthLine = { name: "anew", losses: [1, 2, 5, 6], refused: false };
    expect(fareOf({ name: "none", losses: [2, 3, 7, 8], refused: false }, anew, 2)).toEqual({ name: "none", within: 2.5, beyond: 7.5, rise: 1, cost: 1, rows: 4, refused: false });
    expect(fareOf({ name: "model", losses: [1, 2], refused: true }, anew, 2)).toEqual({ name: "model", within: 1.5, beyond: null, rise: null, cost: 0, rows: 2, refused: true });
    expect(smoothed([1, 3, 5, 7, 9], 2)).toEqual([{ x: 1.5, y: 2 }, { x: 3.5, y: 6 }, { x: 5, y: 9 }]);
  });
});
