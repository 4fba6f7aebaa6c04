// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FakeModel, FakeRun } from "../../../../tests/support/fake-model.js";
import type { Explanation, HeadRef, Step, StepPlace, Tensor } from "../../../data/index.js";
import { mount } from "../../../elements/testing/mount.js";
import { loadSentences } from "../../../i18n/index.js";
import type { BroughtNumbers, Rows } from "../../../state/index.js";
import type { HeadFigures } from "../../run/figures.js";
import { HeadscopeFromModel } from "./from-model.js";
import { residueOf, takeFromModel } from "./model-numbers.js";
import { asked, workedOut } from "./testing/worked.js";

const HEAD: HeadRef = { stack: "decoder", layer: 0, head: 1 };
/** Two heads of two columns side by side; heads share keys and values, which have two columns in all. */
const TRAINED = { query: [[9, 9, 1, 2], [9, 9, 3, 4]], key: [[1, 0], [0, 2]], value: [[5, 6], [7, 8]] };
const BIAS = { query: [9, 9, 0.5, 0], key: [0, 0], value: [1, 1] };
const X = [[1, 0], [0, 1], [1, 1]];

const tensor = (rows: Rows): Tensor => ({ data: Float32Array.from(rows.flat()), shape: [rows.length, rows[0]?.length ?? 0], axes: ["position", "model_dim"] });

/** What a head of a real block says of itself, in so few numbers. */
async function figures(change: { steps?: Step[]; inner?: number } = {}): Promise<HeadFigures> {
  const model = new FakeModel();
  const run = await model.run({ text: "one two" });
  if (!(run instanceof FakeRun)) throw new Error("no fake");
  run.steps = () => Promise.resolve((change.steps ?? ["input", "query"]).map((step) => ({ step, tensor: tensor(X) })));
  run.explain = ({ step, column, ...head }: StepPlace): Promise<Explanation> => {
    const cell = (of: Step, first: number): Explanation["lines"][number]["source"] => ({ kind: "step", stack: head.stack, layer: head.layer, head: head.head, step: of, row: 0, column: first, along: "columns" });
    if (step === "raw") return Promise.resolve({ operation: { kind: "product", factor: 1, bias: null }, lines: [{ source: cell("query", 2), values: new Float32Array(2) }, { source: cell("key", 0), values: new Float32Array(2) }], value: 0 });
    if (step === "scores") return Promise.resolve({ operation: { kind: "scale", factor: Math.fround(1 / Math.SQRT2), bias: null }, lines: [], value: 0 });
    const part = step === "query" || step === "key" ? step : "value";
    const own = change.inner ? Array.from({ length: change.inner }, () => 1) : TRAINED[part].map((row) => row[column] ?? NaN);
    return Promise.resolve({ operation: { kind: "product", factor: 1, bias: BIAS[part][column] ?? null }, lines: [{ source: cell("input", 0), values: new Float32Array(2) }, { source: { kind: "weight", weight: part, column }, values: Float32Array.from(own) }], value: 0 });
  };
  const tokens = model.tokenize("one two");
  const mask = tensor([[0, -Infinity, -Infinity], [0, 0, -Infinity], [0, 0, 0]]);
  return { run, head: HEAD, stages: { raw: mask, scores: mask, masked: mask, weights: tensor(OWN) }, mask, fullyMasked: [], patterns: [], vectors: null, queries: tokens, keys: tokens };
}

/** Its weights, by the same loops that stand for the engine's laboratory. */
const BROUGHT: BroughtNumbers = {
  words: ["one", "two", "end"],
  x: X.map((row) => [...row, 1]),
  query: [[1, 2], [3, 4], [0.5, 0]],
  key: [[1, 0], [0, 2], [0, 0]],
  value: [[5, 6], [7, 8], [1, 1]],
  output: null,
  mask: [[0, -Infinity, -Infinity], [0, 0, -Infinity], [0, 0, 0]],
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
    expect(residueOf(taken, workedOut(asked(taken.numbers)).heads[0]?.weights ?? [])).toBeLessThan(1e-6);
    expect(residueOf(taken, OWN.map((row) => row.map(() => 0)))).toBe(1);
  });

  it("that turns its queries, or is too wide, cannot", async () => {
    expect(await takeFromModel(await figures({ steps: ["input", "query", "query-rotated"] }))).toEqual({ why: "rotary" });
    expect(await takeFromModel(await figures({ inner: 256 }))).toEqual({ why: "wide", width: 256 });
    const wide = await figures({ inner: 300 });
    const explain = vi.spyOn(wide.run, "explain");
    expect(await takeFromModel(wide)).toEqual({ why: "wide", width: 300 });
    // A score and one column, not all columns of three matrices.
    expect(explain).toHaveBeenCalledTimes(2);
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
    expect(element.renderRoot.querySelector("[data-residue]")?.textContent).toContain("The weights below are the model’s");
    element.worked = workedOut(asked({ ...BROUGHT, divisor: 1 }));
    await element.updateComplete;
    expect(element.renderRoot.querySelector("[data-residue]")?.textContent).toMatch(/^The weights below are not the model’s: the largest difference is [\d.]+\.$/);
    element.edited = true;
    await element.updateComplete;
    expect(element.renderRoot.querySelector("[data-residue]")?.textContent).toContain("an edit gives this head");
    element.numbers = { ...BROUGHT };
    await element.updateComplete;
    expect(element.renderRoot.querySelector("[data-residue]")).toBeNull();
  });

  it("takes a head of which more was read meanwhile, and keeps the focus while it does", async () => {
    const own = await figures();
    const element = await mount(new HeadscopeFromModel(), { figures: own });
    let told: BroughtNumbers | null = null;
    element.addEventListener("headscope-taken", ({ detail }) => (told = detail));
    const button = element.renderRoot.querySelector<HTMLButtonElement>("#take");
    button?.click();
    element.figures = { ...own };
    await element.updateComplete;
    expect([button?.disabled, button?.getAttribute("aria-disabled")]).toEqual([false, "true"]);
    await expect.poll(() => told).toEqual(BROUGHT);
    expect(button?.getAttribute("aria-disabled")).toBe("false");
  });

  it("says why a head cannot be taken, and that it failed, in the page's words", async () => {
    const element = await mount(new HeadscopeFromModel(), { figures: await figures({ inner: 300 }) });
    const status = (): string => element.renderRoot.querySelector("[role=status]")?.textContent ?? "";
    element.renderRoot.querySelector<HTMLElement>("#take")?.click();
    await expect.poll(status).toContain("300 numbers wide");
    element.figures = await figures({ steps: [] });
    await element.updateComplete;
    expect(status().trim()).toBe("");
    element.renderRoot.querySelector<HTMLElement>("#take")?.click();
    await expect.poll(status).toContain("This head could not be taken.");
  });
});
