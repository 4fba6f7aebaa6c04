import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model, Run, RunInput } from "../../www/headscope.js";
import { HeadscopeError, loadModel } from "./package.js";
import { filesOf, reference } from "./reference.js";

const marian = reference("marian-tiny");
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A safetensors file of this header, as bytes. */
function checkpoint(header: string, data = 0): Uint8Array {
  const bytes = new Uint8Array(8 + header.length + data);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(header.length), true);
  bytes.set(encode(header), 8);
  return bytes;
}

/** The tiny model's config with some fields changed. */
function config(changes: Record<string, unknown>): Uint8Array {
  const fields = JSON.parse(
    new TextDecoder().decode(filesOf("marian-tiny")["config.json"]),
  ) as Record<string, unknown>;
  return encode(JSON.stringify({ ...fields, ...changes }));
}

async function refusal(attempt: Promise<unknown>): Promise<InstanceType<typeof HeadscopeError>> {
  const thrown: unknown = await attempt.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof HeadscopeError))
    throw new Error(`expected a HeadscopeError, got ${String(thrown)}`);
  expect(thrown.message).toMatch(/\.$/);
  return thrown;
}

describe("hostile files", () => {
  const good = filesOf("marian-tiny");
  const bytes = good["model.safetensors"];
  const huge = new Uint8Array(bytes);
  new DataView(huge.buffer).setBigUint64(0, 2n ** 60n, true);

  it.each<[string, Record<string, Uint8Array>, string]>([
    ["no config", { "model.safetensors": bytes }, "load/not-found"],
    ["no checkpoint", { "config.json": good["config.json"] }, "load/not-found"],
    ["a config that is no JSON", { ...good, "config.json": encode("<html>") }, "config/not-json"],
    [
      "an unknown family",
      { ...good, "config.json": config({ model_type: "mamba" }) },
      "config/unsupported-family",
    ],
    [
      "heads that do not divide the width",
      { ...good, "config.json": config({ encoder_attention_heads: 7 }) },
      "config/contradiction",
    ],
    [
      "a config that contradicts the weights",
      { ...good, "config.json": config({ vocab_size: 62 }) },
      "checkpoint/wrong-shape",
    ],
    [
      "absurd sizes",
      { ...good, "config.json": config({ encoder_layers: 1e9 }) },
      "config/too-large",
    ],
    [
      "a truncated checkpoint",
      { ...good, "model.safetensors": bytes.slice(0, bytes.length - 5) },
      "checkpoint/truncated",
    ],
    [
      "an empty checkpoint",
      { ...good, "model.safetensors": new Uint8Array() },
      "checkpoint/truncated",
    ],
    ["an oversized header", { ...good, "model.safetensors": huge }, "checkpoint/header-too-large"],
    [
      "a header that is no JSON",
      { ...good, "model.safetensors": checkpoint("{nonsense") },
      "checkpoint/bad-header",
    ],
    [
      "a missing tensor",
      { ...good, "model.safetensors": checkpoint("{}") },
      "checkpoint/missing-tensor",
    ],
    ["a broken tokenizer", { ...good, "tokenizer.json": encode("{}") }, "load/bad-tokenizer"],
  ])("%s is refused", async (_, files, code) => {
    expect((await refusal(loadModel(files))).code).toBe(code);
  });

  it("a folder that does not exist is refused", async () => {
    expect((await refusal(loadModel("./no-such-folder"))).code).toBe("load/not-found");
  });

  it("a backend that is not built in is refused", async () => {
    expect((await refusal(loadModel(marian.folder, { backend: "webgpu" }))).code).toBe(
      "gpu/absent",
    );
  });
});

describe("hostile input", () => {
  let model: Model;
  let run: Run;
  beforeAll(async () => {
    model = await loadModel(marian.folder);
  });
  afterAll(() => model.dispose());

  /** After whatever was refused, the same model still runs. */
  const stillRuns = async (): Promise<void> => {
    run = await model.run({ ids: [14], targetIds: [60] });
    expect((await run.logits()).shape).toEqual([1, 61]);
  };

  it.each<[string, RunInput, string]>([
    ["no ids", { ids: [] }, "input/empty"],
    ["neither text nor ids", {}, "input/empty"],
    ["a negative id", { ids: [-1] }, "input/bad-id"],
    ["a fraction", { ids: [1.5] }, "input/bad-id"],
    ["NaN", { ids: [NaN] }, "input/bad-id"],
    ["infinity", { ids: [Infinity] }, "input/bad-id"],
    ["an id beyond the vocabulary", { ids: [61] }, "input/bad-id"],
    ["an id beyond 32 bits", { ids: [2 ** 40] }, "input/bad-id"],
    ["a bad target id", { ids: [1], targetIds: [99] }, "input/bad-id"],
    ["more ids than positions", { ids: Array.from({ length: 10_000 }, () => 3) }, "input/too-long"],
    ["a mask of another length", { ids: [1, 2], attentionMask: [1] }, "input/bad-mask"],
    [
      "token types that the model does not have",
      { ids: [1, 2], tokenTypeIds: [0, 1] },
      "input/bad-token-type",
    ],
    ["a text without a tokenizer", { text: "hello" }, "input/missing-tokenizer"],
    ["ids that are no array", { ids: "12" as unknown as number[] }, "input/malformed"],
    ["an input that is null", null as unknown as RunInput, "input/malformed"],
    ["a text that is a number", { text: 5 as unknown as string }, "input/malformed"],
    ["a target that is a number", { ids: [14], target: 7 as unknown as string }, "input/malformed"],
  ])("%s is refused, and the model still runs", async (_, input, code) => {
    expect((await refusal(model.run(input))).code).toBe(code);
    await stillRuns();
  });

  it.each<[string, (run: Run) => Promise<unknown>, string]>([
    [
      "a stack that does not exist",
      (run) => run.attention({ stack: "memory" as "cross", layer: 0, head: 0 }),
      "selection/bad-stack",
    ],
    [
      "a layer that does not exist",
      (run) => run.attention({ stack: "encoder", layer: 3, head: 0 }),
      "selection/bad-layer",
    ],
    [
      "a negative layer",
      (run) => run.hidden({ stack: "encoder", layer: -1 }),
      "selection/bad-layer",
    ],
    [
      "a head that does not exist",
      (run) => run.attention({ stack: "cross", layer: 0, head: 99 }),
      "selection/bad-head",
    ],
    [
      "a fractional head",
      (run) => run.mask({ stack: "cross", layer: 0, head: 0.5 }),
      "selection/bad-head",
    ],
    [
      "a stage that does not exist",
      (run) => run.attention({ stack: "encoder", layer: 0, head: 0, stage: "soft" as "raw" }),
      "selection/bad-stage",
    ],
    [
      "a position that does not exist",
      (run) => run.logits({ positions: [7] }),
      "selection/bad-position",
    ],
    [
      "a position that is no number",
      (run) => run.predictions({ positions: [NaN], topK: 3 }),
      "selection/bad-position",
    ],
    [
      "an entry that the vocabulary does not have",
      (run) => run.probabilities({ positions: [0, 0], ids: [60, 61] }),
      "input/bad-id",
    ],
    [
      "a fractional entry",
      (run) => run.probabilities({ positions: [0], ids: [0.5] }),
      "input/bad-id",
    ],
    [
      "an entry at a position that does not exist",
      (run) => run.probabilities({ positions: [7], ids: [3] }),
      "selection/bad-position",
    ],
    [
      "entries without their positions",
      (run) => run.probabilities({ positions: [0], ids: [3, 4] }),
      "selection/bad-size",
    ],
    [
      "the cost of a layer that does not exist",
      (run) => run.cost({ stack: "encoder", layer: 99, lengths: [10] }),
      "selection/bad-layer",
    ],
    [
      "the cost of a text that is too long to count",
      (run) => run.cost({ stack: "encoder", layer: 0, lengths: [10, 1e9] }),
      "selection/bad-size",
    ],
    [
      "the cost of lengths that are none",
      (run) => run.cost({ stack: "encoder", layer: 0, lengths: ["all"] as unknown as number[] }),
      "selection/bad-size",
    ],
    [
      "likeness to a head that does not exist",
      (run) => run.likeness({ stack: "cross", layer: 0, head: 99 }),
      "selection/bad-head",
    ],
    [
      "likeness in a stack that does not exist",
      (run) => run.likeness({ stack: "toString" as "cross", layer: 0, head: 0 }),
      "selection/bad-stack",
    ],
    [
      "steps of a head that does not exist",
      (run) => run.steps({ stack: "cross", layer: 0, head: 99 }),
      "selection/bad-head",
    ],
    [
      "a number of a step that does not exist",
      (run) =>
        run.explain({
          stack: "cross",
          layer: 0,
          head: 0,
          step: "dream" as "input",
          row: 0,
          column: 0,
        }),
      "selection/bad-stage",
    ],
    [
      "a number outside its step",
      (run) =>
        run.explain({ stack: "cross", layer: 0, head: 0, step: "weights", row: 0, column: 1e6 }),
      "selection/bad-position",
    ],
    [
      "a number of a broken place",
      (run) =>
        run.explain({ stack: "cross", layer: 0, head: 0, step: "weights", row: -1, column: 0.5 }),
      "selection/bad-position",
    ],
    [
      "singular values of a layer that does not exist",
      (run) => run.spectrum({ stack: "cross", layer: 3, head: 0 }),
      "selection/bad-layer",
    ],
    [
      "thumbnails of no size",
      (run) => run.thumbnails({ stack: "encoder", size: 0 }),
      "selection/bad-size",
    ],
  ])("reading %s is refused, and the run can still be read", async (_, read, code) => {
    await stillRuns();
    expect((await refusal(read(run))).code).toBe(code);
    await expect(run.hidden({ stack: "encoder", layer: 0 })).resolves.toMatchObject({
      axes: ["position", "model_dim"],
    });
  });

  it.each<[string, (run: Run) => Promise<unknown>, string]>([
    ["nothing", (run) => run.attention({} as never), "selection/bad-stack"],
    ["no stack", (run) => run.hidden({ layer: 0 } as never), "selection/bad-stack"],
    [
      "a stage that is null",
      (run) => run.attention({ stack: "encoder", layer: 0, head: 0, stage: null as never }),
      "selection/bad-stage",
    ],
    [
      "a layer that is a bigint",
      (run) => run.mask({ stack: "encoder", layer: 1n as never, head: 0 }),
      "selection/bad-layer",
    ],
    [
      "positions that are bigints",
      (run) => run.logits({ positions: [1n as never] }),
      "selection/bad-position",
    ],
    [
      "a head that is a function",
      (run) => run.mask({ stack: "encoder", layer: 0, head: (() => 0) as never }),
      "selection/bad-head",
    ],
  ])("a question about %s costs no run", async (_, read, code) => {
    const earlier = await model.run({ ids: [14, 3], targetIds: [60] });
    await stillRuns();
    expect((await refusal(read(run))).code).toBe(code);
    for (const held of [earlier, run])
      await expect(held.hidden({ stack: "decoder", layer: 0 })).resolves.toMatchObject({
        axes: ["position", "model_dim"],
      });
  });

  it("a model without an output head says so when logits are asked for", async () => {
    const plain = await loadModel(reference("bert-plain").folder);
    const run = await plain.run({ ids: [3, 4] });
    expect((await refusal(run.logits())).code).toBe("output/unavailable");
    expect((await refusal(plain.run({ ids: [3], targetIds: [3] }))).code).toBe(
      "input/unexpected-target",
    );
    plain.dispose();
  });
});
