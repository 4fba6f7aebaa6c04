import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model, Run, RunInput } from "../../www/headscope.js";
import { HeadscopeError, loadModel } from "./package.js";
import { filesOf, folderOf } from "./reference.js";

/* What only JavaScript can send: the core's own refusals have their tests in tests/hostile. */

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

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

describe("hostile files", () => {
  const good = filesOf("marian-tiny");
  const bytes = good["model.safetensors"];

  it.each<[string, Parameters<typeof loadModel>[0], string]>([
    ["a folder that does not exist", "./no-such-folder", "load/not-found"],
    ["no config", { "model.safetensors": bytes }, "load/not-found"],
    ["a config that is no JSON", { ...good, "config.json": encode("<html>") }, "config/not-json"],
    [
      "a truncated checkpoint",
      { ...good, "model.safetensors": bytes.slice(0, bytes.length - 5) },
      "checkpoint/truncated",
    ],
    ["a broken tokenizer", { ...good, "tokenizer.json": encode("{}") }, "load/bad-tokenizer"],
  ])("%s is refused", async (_, files, code) => {
    expect(await refusal(loadModel(files))).toBe(code);
  });

  it("a backend that is not there is refused", async () => {
    expect(await refusal(loadModel(folderOf("marian-tiny"), { backend: "webgpu" }))).toBe(
      "gpu/absent",
    );
  });
});

describe("hostile input", () => {
  let model: Model;
  let run: Run;
  beforeAll(async () => {
    model = await loadModel(folderOf("marian-tiny"));
    run = await model.run({ ids: [14, 3], targetIds: [60] });
  });
  afterAll(() => model.dispose());

  it.each<[string, RunInput, string]>([
    ["neither text nor ids", {}, "input/empty"],
    ["NaN", { ids: [NaN] }, "input/bad-id"],
    ["an id beyond 32 bits", { ids: [2 ** 40] }, "input/bad-id"],
    ["a mask of another length", { ids: [1, 2], attentionMask: [1] }, "input/bad-mask"],
    ["a text without a tokenizer", { text: "hello" }, "input/missing-tokenizer"],
    ["ids that are no array", { ids: "12" as unknown as number[] }, "input/malformed"],
    ["an input that is null", null as unknown as RunInput, "input/malformed"],
    ["a text that is a number", { text: 5 as unknown as string }, "input/malformed"],
    ["a target that is a number", { ids: [14], target: 7 as unknown as string }, "input/malformed"],
  ])("%s is refused, and the model still runs", async (_, input, code) => {
    expect(await refusal(model.run(input))).toBe(code);
    expect((await (await model.run({ ids: [14], targetIds: [60] })).logits()).shape).toEqual([
      1, 61,
    ]);
  });

  const encoder = { stack: "encoder", layer: 0, head: 0 } as const;
  it.each<[string, (run: Run) => Promise<unknown>, string]>([
    ["nothing", (run) => run.attention({} as never), "selection/bad-stack"],
    [
      "toString",
      (run) => run.likeness({ ...encoder, stack: "toString" as "cross" }),
      "selection/bad-stack",
    ],
    [
      "a stage that is null",
      (run) => run.attention({ ...encoder, stage: null as never }),
      "selection/bad-stage",
    ],
    [
      "a negative layer",
      (run) => run.hidden({ stack: "encoder", layer: -1 }),
      "selection/bad-layer",
    ],
    [
      "a layer that is a bigint",
      (run) => run.mask({ ...encoder, layer: 1n as never }),
      "selection/bad-layer",
    ],
    ["a fractional head", (run) => run.mask({ ...encoder, head: 0.5 }), "selection/bad-head"],
    [
      "a head that is a function",
      (run) => run.mask({ ...encoder, head: (() => 0) as never }),
      "selection/bad-head",
    ],
    [
      "positions that are bigints",
      (run) => run.logits({ positions: [1n as never] }),
      "selection/bad-position",
    ],
    [
      "a position that is no number",
      (run) => run.predictions({ positions: [NaN], topK: 3 }),
      "selection/bad-position",
    ],
    [
      "a broken place",
      (run) => run.explain({ ...encoder, step: "weights", row: -1, column: 0.5 }),
      "selection/bad-position",
    ],
    [
      "a fractional entry",
      (run) => run.probabilities({ positions: [0], ids: [0.5] }),
      "input/bad-id",
    ],
    [
      "lengths that are none",
      (run) => run.cost({ ...encoder, lengths: ["all"] as unknown as number[] }),
      "selection/bad-size",
    ],
  ])("a question about %s is refused, and the run can still be read", async (_, read, code) => {
    expect(await refusal(read(run))).toBe(code);
    await expect(run.hidden({ stack: "decoder", layer: 0 })).resolves.toMatchObject({
      axes: ["position", "model_dim"],
    });
  });

  it("a model without an output head says so when logits are asked for", async () => {
    const plain = await loadModel(folderOf("bert-plain"));
    const plainRun = await plain.run({ ids: [3, 4] });
    expect(await refusal(plainRun.logits())).toBe("output/unavailable");
    plain.dispose();
  });
});
