import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Edits, Model, Run, RunInput } from "../../www/headscope.js";
import { HeadscopeError, loadModel } from "./package.js";
import { filesOf, folderOf } from "./reference.js";

/*
 * What only JavaScript can send: files are refused in www/engine, and by the core in
 * tests/core/hostile.
 */

async function refusal(attempt: Promise<unknown>): Promise<string> {
  const thrown: unknown = await attempt.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof HeadscopeError))
    throw new Error(`expected a HeadscopeError, got ${String(thrown)}`);
  expect(thrown.message).toMatch(/\.$/);
  return thrown.code;
}

const edited = (edits: unknown): RunInput => {
  return { ids: [14, 3], targetIds: [60], edits: edits as Edits };
};

describe("hostile input", () => {
  let model: Model;
  let run: Run;
  beforeAll(async () => {
    model = await loadModel(folderOf("marian-tiny"));
    run = await model.run({ ids: [14, 3], targetIds: [60] });
  });
  afterAll(() => model.dispose());

  it("notes of another model stop nothing, and may be absent", async () => {
    const notes = new TextEncoder().encode('{"version": 1, "unigrams": [1, 2, 3]}');
    const other = await loadModel({ ...filesOf("bert-tiny"), "headscope.json": notes });
    expect([other.notes, other.notesProblem === null]).toEqual([null, false]);
    const { data } = await (
      await other.run({ ids: [14, 3] })
    ).hidden({
      stack: "encoder",
      layer: 0,
    });
    expect(data.length).toBeGreaterThan(0);
    other.dispose();
    expect([model.notes, model.notesProblem]).toEqual([null, null]);
  });

  it.each<[string, RunInput, string]>([
    ["NaN", { ids: [NaN] }, "input/bad-id"],
    ["an id beyond 32 bits", { ids: [2 ** 40] }, "input/bad-id"],
    ["ids that are no array", { ids: "12" as unknown as number[] }, "input/malformed"],
    ["an input that is null", null as unknown as RunInput, "input/malformed"],
    ["a target that is a number", { ids: [14], target: 7 as unknown as string }, "input/malformed"],
    ["an unknown field", edited({ blocks: [{ heads: [0] }] }), "edit/unsupported"],
    ["no width", edited({ masks: [{ preset: { kind: "window" } }] }), "edit/unsupported"],
    ["a width", edited({ masks: [{ preset: { kind: "causal", width: 1 } }] }), "edit/unsupported"],
    ["a list that is none", edited({ positions: { scheme: "none" } }), "edit/unsupported"],
    ["a gate that is no number", edited({ heads: [{ gate: NaN }] }), "edit/bad-value"],
  ])("%s is refused, and the model still runs", async (_, input, code) => {
    expect(await refusal(model.run(input))).toBe(code);
    const good = await model.run({ ids: [14], targetIds: [60] });
    expect((await good.logits()).shape).toEqual([1, 61]);
  });

  const encoder = { stack: "encoder", layer: 0, head: 0 } as const;
  const OUTSIDE = { step: "weights", row: -1, column: 0.5 } as const;
  const never = (value: unknown): never => value as never;
  it.each<[string, (run: Run) => Promise<unknown>, string]>([
    ["nothing", (run) => run.attention(never({})), "stack"],
    ["toString", (run) => run.headDivergences({ ...encoder, stack: never("toString") }), "stack"],
    ["a stage by its number", (run) => run.attention({ ...encoder, stage: never(3) }), "stage"],
    ["a negative layer", (run) => run.hidden({ stack: "encoder", layer: -1 }), "layer"],
    ["a layer as a text", (run) => run.mask({ ...encoder, layer: never("1") }), "layer"],
    ["a missing layer", (run) => run.mask(never({ stack: "encoder", head: 0 })), "layer"],
    ["a fractional head", (run) => run.mask({ ...encoder, head: 0.5 }), "head"],
    ["a position null", (run) => run.logits({ positions: [never(null)] }), "position"],
    ["a position NaN", (run) => run.predictions({ positions: [NaN], topK: 3 }), "position"],
    ["a broken place", (run) => run.explain({ ...encoder, ...OUTSIDE }), "position"],
    [
      "no lengths",
      (run) => run.cost({ stack: "encoder", layer: 0, lengths: never(["all"]) }),
      "size",
    ],
    ["a fractional entry", (run) => run.probabilities({ positions: [0], ids: [0.5] }), "id"],
  ])("a query of %s is refused, and the run can still be read", async (_, read, code) => {
    expect(await refusal(read(run))).toMatch(new RegExp(`^(selection|input)/bad-${code}$`));
    await expect(run.hidden({ stack: "decoder", layer: 0 })).resolves.toMatchObject({
      axes: ["position", "model_dim"],
    });
  });

  it("weights of a head that is not there are refused, and those that are there answer", async () => {
    const part = { ...encoder, part: "query" } as const;
    const { heads, headDim } = model.info.stacks.encoder ?? { heads: 0, headDim: 0 };
    expect((await model.weights(part)).shape).toEqual([model.info.dModel, headDim]);
    expect(await refusal(model.weights({ ...part, head: heads }))).toBe("selection/bad-head");
    expect(await refusal(model.weights({ ...part, part: never("W") }))).toBe("selection/bad-stage");
    expect(await refusal(model.weights(never({ ...part, rows: 1 })))).toBe("input/malformed");
  });

  it("a field that a question does not have is refused by its name", async () => {
    const which = { ...encoder, stages: "raw" };
    await expect(run.attention(which)).rejects.toMatchObject({
      code: "input/malformed",
      got: expect.stringContaining("unknown field `stages`") as string,
    });
  });

  it("fields that are left out, undefined or null have their default", async () => {
    const weights = await run.attention(encoder);
    for (const stage of [undefined, null]) {
      const found = await run.attention({ ...encoder, stage: never(stage) });
      expect(found).toEqual(weights);
    }
  });
});
