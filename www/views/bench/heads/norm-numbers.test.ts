import { describe, expect, it } from "vitest";
import { FakeModel, FAKE_READER } from "../../../../tests/support/fake-model.js";
import type { Explanation, Tensor } from "../../../data/index.js";
import type { Run } from "../../../headscope.js";
import {
  batchesOf,
  normed,
  normsOf,
  readNorm,
  secondText,
  type NormNumber,
} from "./norm-numbers.js";

const EPSILON = 1e-5;
const operation = {
  kind: "norm" as const,
  mean: 2,
  variance: 1,
  epsilon: EPSILON,
  gain: 3,
  bias: 0.5,
  term: 1,
};

/** A run whose one norm reads the step `sum`, `[token, 2]`. */
async function planted(rows: readonly [number, number][]): Promise<Run> {
  const run = await new FakeModel().run({ text: "one two" });
  const sum: Tensor = {
    data: Float32Array.from(rows.flat()),
    shape: [rows.length, 2],
    axes: ["position", "model_dim"],
  };
  run.steps = () =>
    Promise.resolve([
      { step: "sum", tensor: sum },
      { step: "normed", tensor: sum },
    ]);
  run.explain = ({ row }): Promise<Explanation> =>
    Promise.resolve({
      operation,
      lines: [
        {
          source: {
            kind: "step",
            stack: "encoder",
            layer: 0,
            head: 0,
            step: "sum",
            row,
            column: 0,
            along: "columns",
          },
          values: Float32Array.from(rows[row] ?? []),
        },
      ],
      value: 3.5,
    });
  return run;
}

describe("a norm by hand", () => {
  it("is read from the run with all that it is made of, and from the other text's run", async () => {
    const [run, other] = [
      await planted([
        [1, 3],
        [5, 7],
      ]),
      await planted([[9, 11]]),
    ];
    expect(await normsOf(run, { stack: "encoder", layer: 0 })).toEqual(["normed"]);
    const place = {
      stack: "encoder" as const,
      layer: 0,
      step: "normed" as const,
      token: 0,
      column: 1,
    };
    expect(await readNorm(run, other, place)).toEqual({
      operation,
      own: 3,
      column: [3, 7],
      other: [11],
      value: 3.5,
    });
    expect((await readNorm(run, null, place))?.other).toBeNull();
  });

  it("is none where the step only stands in another block", async () => {
    const run = await planted([[1, 2]]);
    run.explain = (): Promise<Explanation> =>
      Promise.resolve({ operation: { kind: "same" }, lines: [], value: 0 });
    expect(
      await readNorm(run, null, {
        stack: "encoder",
        layer: 0,
        step: "normed",
        token: 0,
        column: 0,
      }),
    ).toBeNull();
  });

  it("has another value in every batch, while the layer's stays", () => {
    const number: NormNumber = { operation, own: 3, column: [3, 7], other: [11], value: 3.5 };
    const batches = batchesOf(number);
    expect(
      batches.map(({ kind, tokens, mean, variance }) => [
        kind,
        tokens,
        mean,
        Math.round(variance * 1e6) / 1e6,
      ]),
    ).toEqual([
      ["alone", 2, 5, 4],
      ["second", 3, 7, 10.666667],
      // Both are filled up with zeros to four rows.
      ["padded", 8, 21 / 8, Math.round(((9 + 49 + 121) / 8 - (21 / 8) ** 2) * 1e6) / 1e6],
    ]);
    for (const { mean, variance, normed: value } of batches)
      expect(value).toBeCloseTo((3 - mean) / Math.sqrt(variance + EPSILON), 9);
    expect(normed(3, operation.mean, operation.variance, EPSILON)).toBeCloseTo(1, 4);
    expect(batchesOf({ ...number, other: null }).map(({ kind, tokens }) => [kind, tokens])).toEqual(
      [
        ["alone", 2],
        ["padded", 4],
      ],
    );
  });

  it("takes a sentence that the model brings along as the second text, or the text's first word", () => {
    const model = new FakeModel(FAKE_READER);
    expect(secondText(model, "one two")).toEqual({ text: "one" });
    model.notes = {
      version: 1,
      heldOut: { sentences: 1, seed: 1, note: "" },
      roles: {},
      unigrams: [],
      sentences: [{ text: "one two" }, { text: "three" }],
    };
    expect(secondText(model, "one two")).toEqual({ text: "three" });
    model.notes.sentences[1] = { text: "three", targets: ["drei"] };
    expect(secondText(model, "one two")).toEqual({ text: "three" });
    const translator = new FakeModel();
    translator.notes = model.notes;
    expect(secondText(translator, "one two")).toEqual({ text: "three", target: "drei" });
  });
});
