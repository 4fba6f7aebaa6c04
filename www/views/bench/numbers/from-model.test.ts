// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FakeModel, FakeRun } from "../../../../tests/support/fake-model.js";
import type { Explanation, HeadRef, Step, StepPlace, Tensor } from "../../../data/index.js";
import { mount } from "../../../elements/testing/mount.js";
import { loadSentences } from "../../../i18n/index.js";
import type { BroughtNumbers, Rows } from "../../../state/index.js";
import type { HeadFigures } from "../../run/figures.js";
import { HeadscopeFromModel, residueOf, takeFromModel } from "./from-model.js";
import { asked, workedOut } from "./testing/worked.js";

const HEAD: HeadRef = { stack: "decoder", layer: 0, head: 1 };
/** Two heads of two columns side by side; heads share keys and values, which have two columns in all. */
const TRAINED = {
  query: [
    [9, 9, 1, 2],
    [9, 9, 3, 4],
  ],
  key: [
    [1, 0],
    [0, 2],
  ],
  value: [
    [5, 6],
    [7, 8],
  ],
};
const BIAS = { query: [9, 9, 0.5, 0], key: [0, 0], value: [1, 1] };
const X = [
  [1, 0],
  [0, 1],
  [1, 1],
];

const tensor = (rows: Rows): Tensor => ({
  data: Float32Array.from(rows.flat()),
  shape: [rows.length, rows[0]?.length ?? 0],
  axes: ["position", "model_dim"],
});

/** What a head of a real block says of itself, in so few numbers. */
async function figures(
  change: { steps?: Step[]; inner?: number; width?: number } = {},
): Promise<HeadFigures> {
  const model = new FakeModel();
  const run = await model.run({ text: "one two" });
  if (!(run instanceof FakeRun)) throw new Error("no fake");
  run.steps = () =>
    Promise.resolve(
      (change.steps ?? ["input", "query"]).map((step) => ({ step, tensor: tensor(X) })),
    );
  run.explain = ({ step, column, ...head }: StepPlace): Promise<Explanation> => {
    const cell = (of: Step, first: number): Explanation["lines"][number]["source"] => ({
      kind: "step",
      stack: head.stack,
      layer: head.layer,
      head: head.head,
      step: of,
      row: 0,
      column: first,
      along: "columns",
    });
    if (step === "raw")
      return Promise.resolve({
        operation: { kind: "product", factor: 1, bias: null },
        lines: [
          { source: cell("query", 2), values: new Float32Array(change.width ?? 2) },
          { source: cell("key", 0), values: new Float32Array(change.width ?? 2) },
        ],
        value: 0,
      });
    if (step === "scores")
      return Promise.resolve({
        operation: { kind: "scale", factor: Math.fround(1 / Math.SQRT2), bias: null },
        lines: [],
        value: 0,
      });
    const part = step === "query" || step === "key" ? step : "value";
    const own = change.inner
      ? Array.from({ length: change.inner }, () => 1)
      : TRAINED[part].map((row) => row[column] ?? NaN);
    return Promise.resolve({
      operation: { kind: "product", factor: 1, bias: BIAS[part][column] ?? null },
      lines: [
        { source: cell("input", 0), values: new Float32Array(2) },
        { source: { kind: "weight", weight: part, column }, values: Float32Array.from(own) },
      ],
      value: 0,
    });
  };
  const tokens = model.tokenize("one two");
  const mask = tensor([
    [0, -Infinity, -Infinity],
    [0, 0, -Infinity],
    [0, 0, 0],
  ]);
  return {
    run,
    head: HEAD,
    stages: { raw: mask, scores: mask, masked: mask, weights: tensor(OWN) },
    mask,
    fullyMasked: [],
    patterns: [],
    vectors: null,
    queries: tokens,
    keys: tokens,
  };
}

/** Its weights, by the same loops that stand for the engine's laboratory. */
const BROUGHT: BroughtNumbers = {
  words: ["one", "two", "end"],
  x: X.map((row) => [...row, 1]),
  query: [
    [1, 2],
    [3, 4],
    [0.5, 0],
  ],
  key: [
    [1, 0],
    [0, 2],
    [0, 0],
  ],
  value: [
    [5, 6],
    [7, 8],
    [1, 1],
  ],
  output: null,
  mask: [
    [0, -Infinity, -Infinity],
    [0, 0, -Infinity],
    [0, 0, 0],
  ],
  heads: 1,
  divisor: "root",
};
const OWN = workedOut(asked(BROUGHT)).heads[0]?.weights ?? [];

beforeAll(() => loadSentences("bench"));
afterEach(() => document.body.replaceChildren());

describe("a head of the model", () => {
  it("brings its own columns, its biases as a row, its mask and its divisor, and comes to the same weights", async () => {
    const taken = await takeFromModel(await figures());
    if ("why" in taken) throw new Error(taken.why);
    expect(taken.numbers).toEqual(BROUGHT);
    expect(residueOf(taken, workedOut(asked(taken.numbers)).heads[0]?.weights ?? [])).toBeLessThan(
      1e-6,
    );
    expect(
      residueOf(
        taken,
        OWN.map((row) => row.map(() => 0)),
      ),
    ).toBe(1);
  });

  it("that turns its queries and keys brings them as they are turned, with its values, and comes to the same weights", async () => {
    const read = await figures({ steps: ["input", "query-rotated", "key-rotated", "value"] });
    const rotated: Record<string, Rows> = {
      "query-rotated": [
        [9, 9, 1, 0],
        [9, 9, 0, 1],
        [9, 9, 2, 1],
      ],
      "key-rotated": [
        [1, 0],
        [0, 2],
        [1, 2],
      ],
      value: [
        [5, 6],
        [7, 8],
        [1, 1],
      ],
    };
    read.run.steps = () =>
      Promise.resolve(
        Object.entries(rotated).map(([step, rows]) => ({
          step: step as Step,
          tensor: tensor(rows),
        })),
      );
    const taken = await takeFromModel(read);
    if ("why" in taken) throw new Error(taken.why);
    expect(taken.direct).toBe("rotary");
    expect(taken.numbers.x).toEqual([
      [1, 0, 1, 0, 5, 6],
      [0, 1, 0, 2, 7, 8],
      [2, 1, 1, 2, 1, 1],
    ]);
    const worked = workedOut(asked(taken.numbers));
    expect([worked.query, worked.key, worked.value]).toEqual([
      [
        [1, 0],
        [0, 1],
        [2, 1],
      ],
      rotated["key-rotated"],
      rotated.value,
    ]);
    // Its model may know nothing of it: an edit of positions turns them too.
    const element = await mount(new HeadscopeFromModel(), { figures: read });
    element.addEventListener("headscope-taken", ({ detail }) => (element.numbers = detail));
    element.renderRoot.querySelector<HTMLElement>("#take")?.click();
    await expect
      .poll(() => element.renderRoot.querySelector("[role=status]")?.textContent.trim())
      .toMatch(/^This head turns queries and keys by their places here \(rotary positions\)/);
  });

  it("of a model that is too wide brings its queries, keys and values, of either text their own", async () => {
    const read = {
      ...(await figures({ inner: 300, steps: ["query", "key", "value"] })),
      head: { ...HEAD, stack: "cross" as const },
    };
    const explain = vi.spyOn(read.run, "explain");
    const four = tensor([
      [9, 9, 1, 0],
      [9, 9, 0, 1],
      [9, 9, 1, 1],
    ]);
    read.run.steps = () =>
      Promise.resolve([
        { step: "query" as const, tensor: four },
        ...(["key", "value"] as const).map((step) => ({ step, tensor: tensor(X) })),
      ]);
    const taken = await takeFromModel(read);
    if ("why" in taken) throw new Error(taken.why);
    expect([taken.direct, taken.width, taken.firstKey]).toEqual(["wide", 300, 3]);
    expect(taken.numbers.x).toEqual([
      [1, 0, 0, 0, 0, 0],
      [0, 1, 0, 0, 0, 0],
      [1, 1, 0, 0, 0, 0],
      [0, 0, 1, 0, 1, 0],
      [0, 0, 0, 1, 0, 1],
      [0, 0, 1, 1, 1, 1],
    ]);
    expect(taken.numbers.mask[0]).toEqual([
      -Infinity,
      -Infinity,
      -Infinity,
      0,
      -Infinity,
      -Infinity,
    ]);
    // A score, its factor and one column, not all columns of three matrices.
    expect(explain).toHaveBeenCalledTimes(3);
  });
});

describe("<headscope-from-model>", () => {
  it("tells the numbers, then how near the weights are while these numbers are on the workbench", async () => {
    const element = await mount(new HeadscopeFromModel(), { figures: await figures() });
    let told: BroughtNumbers | null = null;
    element.addEventListener("headscope-taken", ({ detail }) => (told = detail));
    element.renderRoot.querySelector<HTMLElement>("#take")?.click();
    await expect.poll(() => told).toEqual(BROUGHT);
    element.numbers = told;
    element.worked = workedOut(asked(BROUGHT));
    await element.updateComplete;
    expect(element.renderRoot.querySelector("[data-residue]")?.textContent).toContain(
      "The weights below are the model’s",
    );
    element.worked = workedOut(asked({ ...BROUGHT, divisor: 1 }));
    await element.updateComplete;
    expect(element.renderRoot.querySelector("[data-residue]")?.textContent).toMatch(
      /^The weights below are not the model’s: the largest difference is [\d.]+\.$/,
    );
    element.edited = true;
    await element.updateComplete;
    expect(element.renderRoot.querySelector("[data-residue]")?.textContent).toContain(
      "an edit gives this head",
    );
    element.numbers = { ...BROUGHT };
    await element.updateComplete;
    expect(element.renderRoot.querySelector("[data-residue]")).toBeNull();
  });

  it("says why a head cannot be taken, and that it failed, in the page's words", async () => {
    const element = await mount(new HeadscopeFromModel(), {
      figures: await figures({ inner: 300, width: 100 }),
    });
    const status = (): string =>
      element.renderRoot.querySelector("[role=status]")?.textContent ?? "";
    element.renderRoot.querySelector<HTMLElement>("#take")?.click();
    await expect.poll(status).toContain("are 300 numbers side by side");
    element.figures = await figures({ steps: [] });
    await element.updateComplete;
    expect(status().trim()).toBe("");
    element.renderRoot.querySelector<HTMLElement>("#take")?.click();
    await expect
      .poll(() => status().trim())
      .toMatch(/^This head could not be taken\..* unexpected$/);
  });
});
