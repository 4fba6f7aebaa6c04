import { describe, expect, it } from "vitest";
import {
  FAKE_READER,
  FAKE_WRITER,
  FakeModel,
  FakeRun,
} from "../../../../tests/support/fake-model.js";
import { HeadscopeError } from "../../../headscope.js";
import { fareOf, smoothed } from "./length-fare.js";
import { studyLengths, type LengthLine } from "./length-study.js";
import { anewOf, fittingOf, frameOf, heldOutText, ownText, wholeOf } from "./long-text.js";

const SENTENCES = [
  { text: "one two three", targets: ["a b"] },
  { text: "four five", targets: ["c d e"] },
  { text: "six", targets: ["f"] },
];

/** A writer of four positions whose logits say which row of which ids they belong to. */
function writer(): FakeModel {
  const model = new FakeModel({
    ...FAKE_WRITER,
    maxTokens: 4,
    vocabSize: 1 << 16,
    startToken: null,
  });
  const run = model.run.bind(model);
  model.run = async (input, options) => {
    const count = input.ids?.length ?? 0;
    if (count > 4 && !input.edits?.positions)
      throw new HeadscopeError({
        code: "input/too-long",
        message: "",
        doing: "",
        expected: "",
        got: "",
      });
    const begun = await run(input, options);
    if (begun instanceof FakeRun)
      begun.logits = (which) =>
        Promise.resolve({
          data: Float32Array.from(
            (which?.positions ?? []).flatMap((position) =>
              Array.from({ length: 40 }, (_, id) => (id === position ? 1000 + count : 0)),
            ),
          ),
          shape: [which?.positions?.length ?? 0, 40],
          axes: ["position", "vocabulary"],
        });
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
    expect(anewOf(text, 4).map(({ input, from, rows, at }) => [input.ids, from, rows, at])).toEqual(
      [
        [ids.slice(0, 4), 0, 4, 0],
        [ids.slice(2, 6), 2, 2, 4],
        [ids.slice(4, 8), 2, 2, 6],
      ],
    );
    expect(ownText(writer(), "one two three four", 2).wanted).toEqual([3, 4]);
  });

  it("of a translator is all sources and all translations, each in one; whole sentences have room or have not", () => {
    const model = new FakeModel();
    const { startToken, endToken } = model.info;
    const text = heldOutText(model, SENTENCES, 5);
    expect(text.wanted).toEqual([2, 3, 2, 3, 4]);
    expect(wholeOf(text).input).toEqual({
      ids: [2, 3, 4, 2, 3, 2, endToken],
      targetIds: [startToken, 2, 3, 2, 3],
    });
    expect(fittingOf(text, 4)).toEqual({
      input: { ids: [2, 3, 4, endToken], targetIds: [startToken, 2] },
      from: 0,
      rows: 2,
      at: 0,
    });
    expect(anewOf(text, 4).map(({ input, rows, at }) => [input.targetIds, rows, at])).toEqual([
      [[startToken, 2], 2, 0],
      [[startToken, 2, 3], 3, 2],
    ]);
  });

  it("is read under one scheme after the other; what the engine refuses ends where the positions do", async () => {
    const model = writer();
    const lines: LengthLine[] = [];
    const steps: number[][] = [];
    const text = heldOutText(model, SENTENCES, 9);
    await studyLengths(
      model,
      { text, schemes: ["model", "learned"] },
      {
        signal: new AbortController().signal,
        line: (line) => lines.push(line),
        progress: (done, all) => steps.push([done, all]),
      },
    );
    expect(lines.map(({ name, losses, refused }) => [name, losses.length, refused])).toEqual([
      ["anew", 8, false],
      ["model", 4, true],
      ["learned", 8, false],
    ]);
    // Of ids 3, 4, 1, 2, … row 4 of eight foresees 3 and the model is sure of 4; windows of four begin their rows anew.
    expect(lines[1]?.losses).toEqual([1004, 1004, 1004, 1004]);
    expect(lines[2]?.losses[4]).toBe(1008);
    expect(lines[0]?.losses[4]).toBe(1004);
    expect(steps.at(-1)).toEqual([24, 24]);
    expect(model.held.size).toBe(0);
    expect(model.inputs.at(-1)?.edits).toEqual({
      positions: [{ scheme: "learned", parameters: { seed: 1 } }],
    });
  });

  it("of a model that fills gaps is read in gaps: each token is hidden once, with what stands beside it in windows as in one", async () => {
    const model = new FakeModel({
      ...FAKE_READER,
      maxTokens: 6,
      vocabSize: 1 << 16,
      maskToken: 30,
    });
    const run = model.run.bind(model);
    model.run = async (input, options) => {
      const ids = input.ids ?? [];
      if (ids.length > 6 && !input.edits?.positions)
        throw new HeadscopeError({
          code: "input/too-long",
          message: "",
          doing: "",
          expected: "",
          got: "",
        });
      const begun = await run(input, options);
      // Sure of a wrong token where one is seen; in a gap the surer the more is missing beside it.
      const seen = (place: number): boolean =>
        ![undefined, 30, ...frameOf(model).before, ...frameOf(model).after].includes(ids[place]);
      const wrong = (place: number): number =>
        ids[place] === 30 ? 10 * [-1, 1].filter((away) => !seen(place + away)).length : 1000;
      if (begun instanceof FakeRun)
        begun.logits = (which) =>
          Promise.resolve({
            data: Float32Array.from(
              (which?.positions ?? []).flatMap((place) =>
                Array.from({ length: 40 }, (_, id) => (id === 39 ? wrong(place) : 0)),
              ),
            ),
            shape: [which?.positions?.length ?? 0, 40],
            axes: ["position", "vocabulary"],
          });
      return begun;
    };
    const sentences = [{ text: "one two three four five" }, { text: "six seven eight nine ten" }];
    const around = frameOf(model);
    expect(around.around).toBe(around.before.length + around.after.length);
    const text = heldOutText(model, sentences, 9 + around.around);
    expect(text.wanted).toHaveLength(9);
    expect(wholeOf(text).input.ids).toEqual([...around.before, ...text.wanted, ...around.after]);
    expect(fittingOf(text, 6).rows).toBe(6 - around.around);
    const lines: LengthLine[] = [];
    await studyLengths(
      model,
      { text, schemes: ["model", "none"] },
      {
        signal: new AbortController().signal,
        line: (line) => lines.push(line),
        progress: () => undefined,
      },
    );
    expect(lines.map(({ name, losses, refused }) => [name, losses.length, refused])).toEqual([
      ["anew", 9, false],
      ["model", 6 - around.around, true],
      ["none", 9, false],
    ]);
    // Every loss is of a gap, and only at the ends of the text is one side of it missing. What is seen would cost a thousand.
    const [middle, end] = [Math.log(40), Math.log(39 + Math.exp(10))];
    for (const name of ["anew", "none"]) {
      const losses = lines.find((line) => line.name === name)?.losses ?? [];
      for (const [row, loss] of losses.entries())
        expect(loss, `${name} ${row}`).toBeCloseTo(row === 0 || row === 8 ? end : middle, 5);
    }
    const hidden = model.inputs
      .filter(({ edits }) => edits?.positions)
      .flatMap(({ ids = [] }) =>
        ids.flatMap((id, place) => (id === 30 ? [place - around.before.length] : [])),
      );
    expect(hidden.toSorted((a, b) => a - b)).toEqual(text.wanted.map((_, row) => row));
    expect(model.held.size).toBe(0);
    expect(ownText(model, "one two three", 99).wanted).toEqual(
      ownText(model, "one two three", 3 + around.around).wanted,
    );
  });

  it("of a model that fills gaps is windows that overlap by half, of which the middle is read; the last ends with the text", () => {
    const model = new FakeModel({
      ...FAKE_READER,
      maxTokens: 9,
      vocabSize: 1 << 16,
      maskToken: 30,
    });
    const { before, after } = frameOf(model);
    const ids = Array.from({ length: 18 }, (_, at) => at + 2);
    const text = {
      passages: [{ ids, targetIds: [] }],
      ends: [],
      starts: [],
      wanted: ids,
      gaps: { mask: 30, before, after },
    };
    const read = (positions: number): unknown[] =>
      anewOf(text, positions).map(({ input, from, rows, at }) => [
        input.ids?.slice(before.length, input.ids.length - after.length),
        from - before.length,
        rows,
        at,
      ]);
    expect(read(8 + before.length + after.length)).toEqual([
      [ids.slice(0, 8), 0, 6, 0],
      [ids.slice(4, 12), 2, 4, 6],
      [ids.slice(8, 16), 2, 4, 10],
      [ids.slice(10, 18), 4, 4, 14],
    ]);
    expect(read(99)).toEqual([[ids, 0, 18, 0]]);
    expect(read(0)).toEqual(ids.map((id, at) => [[id], 0, 1, at]));
  });

  it("of a model that fills gaps hides every eighth token of a window too, not only of its middle, and each of the text once", async () => {
    const model = new FakeModel({
      ...FAKE_READER,
      maxTokens: 20,
      vocabSize: 1 << 16,
      maskToken: 99,
    });
    const { around, before, after } = frameOf(model);
    const ids = Array.from({ length: 40 }, (_, at) => at + 2);
    const text = {
      passages: [{ ids, targetIds: [] }],
      ends: [],
      starts: [],
      wanted: ids,
      gaps: { mask: 99, before, after },
    };
    const lines: LengthLine[] = [];
    await studyLengths(
      model,
      { text, schemes: [] },
      {
        signal: new AbortController().signal,
        line: (line) => lines.push(line),
        progress: () => undefined,
      },
    );
    for (const { ids: read = [] } of model.inputs) {
      const gaps = read.flatMap((id, place) => (id === 99 ? [place - before.length] : []));
      expect(gaps).toEqual(
        Array.from({ length: gaps.length }, (_, index) => (gaps[0] ?? 0) + 8 * index),
      );
      expect(gaps).toHaveLength(Math.ceil((20 - around - (gaps[0] ?? 0)) / 8));
      expect(gaps[0]).toBeLessThan(8);
    }
    expect(Object.keys(lines[0]?.losses ?? [])).toHaveLength(40);
  });

  it("stops where it is told to, and gives back its run", async () => {
    const model = writer();
    const stop = new AbortController();
    const text = heldOutText(model, SENTENCES, 9);
    await expect(
      studyLengths(
        model,
        { text, schemes: ["none"] },
        { signal: stop.signal, line: () => stop.abort(), progress: () => undefined },
      ),
    ).rejects.toThrow();
    expect(model.held.size).toBe(0);
  });

  it("is compared row by row with the same tokens read anew", () => {
    const anew: LengthLine = { name: "anew", losses: [1, 2, 5, 6], refused: false };
    expect(fareOf({ name: "none", losses: [2, 3, 7, 8], refused: false }, anew, 2)).toEqual({
      name: "none",
      within: 2.5,
      beyond: 7.5,
      rise: 1,
      cost: 1,
      rows: 4,
      refused: false,
    });
    expect(fareOf({ name: "model", losses: [1, 2], refused: true }, anew, 2)).toEqual({
      name: "model",
      within: 1.5,
      beyond: null,
      rise: null,
      cost: 0,
      rows: 2,
      refused: true,
    });
    expect(smoothed([1, 3, 5, 7, 9], 2)).toEqual([
      { x: 1.5, y: 2 },
      { x: 3.5, y: 6 },
      { x: 5, y: 9 },
    ]);
  });
});
