import { describe, expect, it, vi } from "vitest";
import { FakeModel, FakeRun } from "../../../tests/support/fake-model.js";
import type { Explanation, HeadRef, Step, StepPlace, Tensor } from "../../data/index.js";
import type { MatrixInputs, Rows } from "../../state/index.js";
import type { HeadFigures } from "../../session/run/head.js";
import { questionOf } from "./arithmetic.js";
import { readHeadInputs, residueOf, type ReadHead } from "./model-head.js";
import { matrix, workedOut } from "./testing/worked.js";

const HEAD: HeadRef = { stack: "decoder", layer: 0, head: 1 };
/**
 * Two heads of two columns side by side; heads share keys and values, which have two columns in
 * all.
 */
const TRAINED = {
  query: matrix("9 9 1 2 / 9 9 3 4"),
  key: matrix("1 0 / 0 2"),
  value: matrix("5 6 / 7 8"),
};
const BIAS = { query: [9, 9, 0.5, 0], key: [0, 0], value: [1, 1] };
const X = matrix("1 0 / 0 1 / 1 1");

const tensor = (of: Rows): Tensor => ({
  data: Float32Array.from(of.flat()),
  shape: [of.length, of[0]?.length ?? 0],
  axes: ["position", "model_dim"],
});

type Steps = Partial<Record<Step, Rows>>;

/** What a head of a real block says of itself, in so few numbers. */
async function figures(
  of: { steps?: Steps; inner?: number; width?: number } = {},
): Promise<HeadFigures> {
  const { steps = { input: X, query: X }, inner, width = 2 } = of;
  const model = new FakeModel();
  const run = await model.run({ text: "one two" });
  if (!(run instanceof FakeRun)) throw new Error("no fake");
  const read = Object.entries(steps).map(([step, one]) => ({
    step: step as Step,
    tensor: tensor(one),
  }));
  run.steps = () => Promise.resolve(read);
  run.explain = ({ step, column, ...head }: StepPlace): Promise<Explanation> => {
    const line = (of: Step, first: number, count: number): Explanation["lines"][number] => ({
      source: { kind: "step", ...head, step: of, row: 0, column: first, along: "columns" },
      values: new Float32Array(count),
    });
    const product = { kind: "product", factor: 1, bias: null } as const;
    const answer = (operation: Explanation["operation"], ...lines: Explanation["lines"]) =>
      Promise.resolve({ operation, lines, value: 0 });
    if (step === "raw") return answer(product, line("query", 2, width), line("key", 0, width));
    if (step === "scores")
      return answer({ kind: "scale", factor: Math.fround(1 / Math.SQRT2), bias: null });
    const part = step === "query" || step === "key" ? step : "value";
    const own = inner
      ? Array.from({ length: inner }, () => 1)
      : TRAINED[part].map((row) => row[column] ?? NaN);
    return answer({ ...product, bias: BIAS[part][column] ?? null }, line("input", 0, 2), {
      source: { kind: "weight", weight: part, column },
      values: Float32Array.from(own),
    });
  };
  const tokens = model.tokenize("one two");
  const mask = tensor(INPUTS.mask);
  return {
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

async function read(of: HeadFigures): Promise<ReadHead> {
  const found = await readHeadInputs(of);
  if ("tooWide" in found) throw new Error("too wide");
  return found;
}

describe("a head of the model", () => {
  it("brings its own columns, its biases as a row, its mask and its divisor, and comes to the same weights", async () => {
    const found = await read(await figures());
    expect(found.inputs).toEqual(INPUTS);
    expect(
      residueOf(found, workedOut(questionOf(found.inputs)).heads[0]?.weights ?? []),
    ).toBeLessThan(1e-6);
    const none = OWN.map((row) => row.map(() => 0));
    expect(residueOf(found, none)).toBe(1);
  });

  it("with rotary positions brings its queries and keys as they are rotated, with its values", async () => {
    const steps = {
      input: X,
      "query-rotated": matrix("9 9 1 0 / 9 9 0 1 / 9 9 2 1"),
      "key-rotated": matrix("1 0 / 0 2 / 1 2"),
      value: matrix("5 6 / 7 8 / 1 1"),
    };
    const found = await read(await figures({ steps }));
    expect(found.direct).toBe("rotary");
    expect(found.inputs.x).toEqual(matrix("1 0 1 0 5 6 / 0 1 0 2 7 8 / 2 1 1 2 1 1"));
    const { query, key, value } = workedOut(questionOf(found.inputs));
    expect([query, key, value]).toEqual(
      ["1 0 / 0 1 / 2 1", "1 0 / 0 2 / 1 2", "5 6 / 7 8 / 1 1"].map(matrix),
    );
  });

  it("whose parts side by side are wider than the calculator is refused with their width", async () => {
    const wide = await figures({ inner: 300, width: 100 });
    expect(await readHeadInputs(wide)).toEqual({ tooWide: 300 });
  });

  it("of a model that is too wide brings its queries, keys and values, of either text their own", async () => {
    const steps = { query: matrix("9 9 1 0 / 9 9 0 1 / 9 9 1 1"), key: X, value: X };
    const whole = await figures({ inner: 300, steps });
    const crossed: HeadFigures = { ...whole, head: { ...HEAD, stack: "cross" } };
    const explain = vi.spyOn(crossed.run, "explain");
    const found = await read(crossed);
    expect([found.direct, found.width, found.firstKey]).toEqual(["wide", 300, 3]);
    expect(found.inputs.x).toEqual(
      matrix("1 0 0 0 0 0 / 0 1 0 0 0 0 / 1 1 0 0 0 0 / 0 0 1 0 1 0 / 0 0 0 1 0 1 / 0 0 1 1 1 1"),
    );
    expect(found.inputs.mask[0]).toEqual(
      matrix("-Infinity -Infinity -Infinity 0 -Infinity -Infinity")[0],
    );
    // A score, its factor and one column, not all columns of three matrices.
    expect(explain).toHaveBeenCalledTimes(3);
  });
});
