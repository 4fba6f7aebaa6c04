import { describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FakeModel, FakeRun } from "../../../tests/support/fake-model.js";
import type { Explanation, HeadRef, Step, Tensor } from "../../data/index.js";
import type { MatrixInputs, Rows } from "../../state/index.js";
import type { HeadFigures } from "../../session/run/head.js";
import { questionOf } from "./arithmetic.js";
import { readHeadInputs, residueOf, type ReadHead } from "./model-head.js";
import { matrix, workedOut } from "./testing/worked.js";

const HEAD: HeadRef = { stack: "decoder", layer: 0, head: 1 };
const TRAINED = {
  query: matrix("1 2 / 3 4"),
  key: matrix("1 0 / 0 2"),
  value: matrix("5 6 / 7 8"),
};
const BIAS = { query: [0.5, 0], key: [0, 0], value: [1, 1] };
const X = matrix("1 0 / 0 1 / 1 1");

const tensor = (of: Rows): Tensor => ({
  data: Float32Array.from(of.flat()),
  shape: [of.length, of[0]?.length ?? 0],
  axes: ["position", "model_dim"],
});

type Part = keyof typeof TRAINED;

/** A head of a model, and what a real block says of it, in so few numbers. */
interface Given {
  model: FakeModel;
  figures: HeadFigures;
}

async function given(
  of: { steps?: Step[]; own?: Partial<Record<Part, Rows>>; wide?: boolean; width?: number } = {},
): Promise<Given> {
  const { steps = ["input", "query"], own = {}, wide = false, width = 2 } = of;
  const model = new FakeModel({ ...FAKE_INFO, dModel: wide ? 300 : 2 });
  model.weights = ({ part }) => {
    const bias = part.replace("-bias", "") as Part;
    if (part === bias) return Promise.resolve(tensor(TRAINED[bias]));
    const data = width === 2 ? BIAS[bias] : new Array<number>(width).fill(0);
    return Promise.resolve({ data: Float32Array.from(data), shape: [width], axes: ["head_dim"] });
  };
  const run = await model.run({ text: "one two" });
  if (!(run instanceof FakeRun)) throw new Error("no fake");
  run.steps = () => Promise.resolve(steps.map((step) => ({ step, tensor: tensor(X) })));
  run.qkv = ({ part }) => Promise.resolve(tensor(own[part] ?? X));
  run.explain = (): Promise<Explanation> =>
    Promise.resolve({
      operation: { kind: "scale", factor: Math.fround(1 / Math.SQRT2), bias: null },
      lines: [],
      value: 0,
    });
  const tokens = model.tokenize("one two");
  const mask = tensor(INPUTS.mask);
  const figures: HeadFigures = {
    run,
    head: HEAD,
    mask,
    fullyMasked: [],
    patterns: [],
    vectors: null,
    stages: { raw: mask, scores: mask, masked: mask, weights: tensor(OWN) },
    queries: tokens,
    keys: tokens,
  };
  return { model, figures };
}

const INPUTS: MatrixInputs = {
  words: ["one", "two", "end"],
  output: null,
  heads: 1,
  divisor: "root",
  x: X.map((row) => [...row, 1]),
  query: matrix("1 2 / 3 4 / 0.5 0"),
  key: matrix("1 0 / 0 2 / 0 0"),
  value: matrix("5 6 / 7 8 / 1 1"),
  mask: matrix("0 -Infinity -Infinity / 0 0 -Infinity / 0 0 0"),
};
/** The weights of the inputs, by the loops that replace the engine's demo core. */
const OWN = workedOut(questionOf(INPUTS)).heads[0]?.weights ?? [];

async function read({ model, figures }: Given): Promise<ReadHead> {
  const found = await readHeadInputs(model, figures);
  if ("tooWide" in found) throw new Error("too wide");
  return found;
}

describe("a head of the model", () => {
  it("brings its own columns, its biases as a row, its mask and its divisor, and comes to the same weights", async () => {
    const found = await read(await given());
    expect(found.inputs).toEqual(INPUTS);
    expect(
      residueOf(found, workedOut(questionOf(found.inputs)).heads[0]?.weights ?? []),
    ).toBeLessThan(1e-6);
    const none = OWN.map((row) => row.map(() => 0));
    expect(residueOf(found, none)).toBe(1);
  });

  it("with rotary positions brings its queries and keys as they are rotated, with its values", async () => {
    const own = {
      query: matrix("1 0 / 0 1 / 2 1"),
      key: matrix("1 0 / 0 2 / 1 2"),
      value: matrix("5 6 / 7 8 / 1 1"),
    };
    const found = await read(await given({ steps: ["input", "query-rotated"], own }));
    expect(found.direct).toBe("rotary");
    expect(found.inputs.x).toEqual(matrix("1 0 1 0 5 6 / 0 1 0 2 7 8 / 2 1 1 2 1 1"));
    const { query, key, value } = workedOut(questionOf(found.inputs));
    expect([query, key, value]).toEqual(
      ["1 0 / 0 1 / 2 1", "1 0 / 0 2 / 1 2", "5 6 / 7 8 / 1 1"].map(matrix),
    );
  });

  it("whose parts side by side are wider than the calculator is refused with their width", async () => {
    const { model, figures } = await given({ wide: true, width: 100 });
    expect(await readHeadInputs(model, figures)).toEqual({ tooWide: 300 });
  });

  it("of a model that is too wide brings its queries, keys and values, of either text their own", async () => {
    const own = { query: matrix("1 0 / 0 1 / 1 1") };
    const { model, figures } = await given({ wide: true, own });
    const weights = vi.spyOn(model, "weights");
    const found = await read({ model, figures: { ...figures, head: { ...HEAD, stack: "cross" } } });
    expect([found.direct, found.width, found.firstKey]).toEqual(["wide", 300, 3]);
    expect(found.inputs.x).toEqual(
      matrix("1 0 0 0 0 0 / 0 1 0 0 0 0 / 1 1 0 0 0 0 / 0 0 1 0 1 0 / 0 0 0 1 0 1 / 0 0 1 1 1 1"),
    );
    expect(found.inputs.mask[0]).toEqual(
      matrix("-Infinity -Infinity -Infinity 0 -Infinity -Infinity")[0],
    );
    // The biases alone, no matrix.
    expect(weights.mock.calls.map(([{ part }]) => part)).toEqual([
      "query-bias",
      "key-bias",
      "value-bias",
    ]);
  });

  it("of cross-attention brings both texts as rows, the memory below what entered", async () => {
    const { model, figures } = await given({ steps: ["input", "memory", "query"] });
    const found = await read({ model, figures: { ...figures, head: { ...HEAD, stack: "cross" } } });
    expect([found.direct, found.biased, found.inputs.x.length]).toEqual([null, true, 6]);
  });
});
