/** Gradients and training by the wasm file that records operations, beside PyTorch's numbers. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { At, GradientTarget, TrainerSettings, TrainingExample } from "../../www/headscope.js";
import { HeadscopeError, loadModel, openTrainer } from "./package.js";
import { filesOf, folderOf } from "./reference.js";

const read = (path: string): Buffer =>
  readFileSync(new URL(`../reference/${path}`, import.meta.url));
const json = (path: string): unknown => JSON.parse(read(path).toString());

interface GradientCase {
  case: { ids: number[]; target_ids?: number[] };
  asked: GradientTarget;
}
const GRADIENTS = json("gradients.json") as Record<string, GradientCase>;
const ANSWERS = tensorsOf(read("gradients.safetensors"));

interface TrainingCase {
  settings: {
    method: {
      betas?: [number, number];
      epsilon?: number;
      weight_decay?: number;
      momentum?: number;
    };
    rate: number;
    warmup: number;
    cosine_until?: number;
    clip?: number;
    label_smoothing: number;
  };
  batches: { ids: number[]; target_ids?: number[]; targets: [number, number][] }[][];
  losses: number[];
}
const TRAINING = json("training.json") as Record<string, TrainingCase>;

/** The f32 tensors of a safetensors file. */
function tensorsOf(file: Buffer): Map<string, Float32Array> {
  const length = Number(file.readBigUInt64LE());
  const header = JSON.parse(file.subarray(8, 8 + length).toString()) as Record<
    string,
    { data_offsets?: [number, number] }
  >;
  const tensors = new Map<string, Float32Array>();
  for (const [name, { data_offsets: offsets }] of Object.entries(header)) {
    if (offsets === undefined) continue;
    const bytes = Uint8Array.from(file.subarray(8 + length + offsets[0], 8 + length + offsets[1]));
    tensors.set(name, new Float32Array(bytes.buffer));
  }
  return tensors;
}

const largest = (numbers: Float32Array): number =>
  numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);

describe.each([
  ["bert-tiny", "encoder"],
  ["gpt2-tiny", "decoder"],
  ["marian-tiny", "encoder"],
  ["marian-tiny", "decoder"],
] as const)("%s", (name, stack) => {
  it(`has PyTorch's gradients in the ${stack}`, async () => {
    const found = GRADIENTS[name];
    if (found === undefined) throw new Error(`${name} has no gradients`);
    const { ids, target_ids: targetIds } = found.case;
    const model = await loadModel(folderOf(name));
    const run = await model.run({ ids, ...(targetIds && { targetIds }) });
    const heads = model.info.stacks[stack]?.heads ?? 0;
    const at: At[] = [
      { stack, layer: 0, step: "input" },
      { stack, layer: 1, step: "weights", head: heads - 1 },
    ];
    const gradients = await run.gradient({ target: found.asked, at });
    const parts = [`${stack}.input.0`, `${stack}.weights.1`];
    expect(gradients).toHaveLength(parts.length);
    for (const [index, part] of parts.entries()) {
      const want = ANSWERS.get(`${name}/${part}`) ?? Float32Array.of();
      const got = gradients[index]?.data ?? Float32Array.of();
      expect(got).toHaveLength(want.length);
      const apart = largest(got.map((number, cell) => number - (want[cell] ?? NaN)));
      expect(apart, part).toBeLessThanOrEqual(1e-4 * largest(want));
    }
    model.dispose();
  });
});

it("gradients of a text that a model wrote are those of the same text as given", async () => {
  const bundled = fileURLToPath(new URL("../../models/tiny-gpt", import.meta.url));
  const model = await loadModel(bundled);
  const written = await model.run({
    text: "once upon a time",
    generate: { max_new_tokens: 5 },
    edits: { heads: [{ stack: "decoder", layers: [0], heads: [0], gate: 0.5 }] },
  });
  const ids = written.targetTokens.map(({ id }) => id);
  const given = await model.run({
    ids,
    edits: { heads: [{ stack: "decoder", layers: [0], heads: [0], gate: 0.5 }] },
  });
  const asked = {
    target: { position: ids.length - 1, id: 9 },
    at: [{ stack: "decoder", layer: 1, step: "input" }] as At[],
  };
  const [[of], [other]] = [await written.gradient(asked), await given.gradient(asked)];
  expect(of).toEqual(other);
  expect(of?.shape[0]).toBe(ids.length);
  expect(largest(of?.data ?? Float32Array.of())).toBeGreaterThan(0);
  const wrong = { ...asked, at: [{ stack: "decoder", layer: 99, step: "input" }] as At[] };
  await expect(written.gradient(wrong)).rejects.toMatchObject({ code: "selection/bad-layer" });
  model.dispose();
});

describe.each(Object.keys(TRAINING))("training %s", (name) => {
  it("has PyTorch's losses, and its weights open like those of any folder", async () => {
    const found = TRAINING[name];
    if (found === undefined) throw new Error(`${name} has no training`);
    const { settings: sent, batches, losses } = found;
    const { betas, epsilon, weight_decay: weightDecay, momentum } = sent.method;
    const settings: TrainerSettings = {
      ...(betas ? { method: "adamw", betas } : { method: "sgd" }),
      ...(epsilon !== undefined && { epsilon }),
      ...(weightDecay !== undefined && { weightDecay }),
      ...(momentum !== undefined && { momentum }),
      learningRate: sent.rate,
      warmUp: sent.warmup,
      ...(sent.cosine_until !== undefined && { cosineUntil: sent.cosine_until }),
      ...(sent.clip !== undefined && { clip: sent.clip }),
      labelSmoothing: sent.label_smoothing,
    };
    const files = filesOf(name);
    const config = new TextDecoder().decode(files["config.json"]);
    const trainer = await openTrainer({ config, weights: files["model.safetensors"] }, settings);
    const examples = batches.map((batch) =>
      batch.map(({ ids, target_ids: targetIds, targets }): TrainingExample => ({
        ids,
        targets,
        ...(targetIds && { targetIds }),
      })),
    );
    const asked = losses.slice(0, 10).map((_, step) => {
      return { examples: examples[step % examples.length] ?? [] };
    });
    const outcomes = await trainer.steps(asked);
    for (const [step, { loss }] of outcomes.entries())
      expect(Math.abs(loss - (losses[step] ?? NaN)), `step ${step}`).toBeLessThan(1e-3);

    // A batch is as likely under the opened weights as under those of the trainer.
    const [batch = { examples: [] }] = asked;
    const evaluated = await trainer.evaluate(batch);
    const opened = await loadModel({ ...files, "model.safetensors": await trainer.weights() });
    let [sum, count] = [0, 0];
    for (const { ids, targetIds, targets } of batch.examples) {
      const run = await opened.run({ ids, ...(targetIds && { targetIds }) });
      const positions = targets.map(([position]) => position);
      const entries = await run.probabilities({ positions, ids: targets.map(([, id]) => id) });
      for (const { logProbability } of entries) sum -= logProbability;
      count += entries.length;
    }
    // Label smoothing counts all other entries too.
    if (sent.label_smoothing === 0) expect(sum / count).toBeCloseTo(evaluated.loss, 5);
    else expect(sum / count).toBeLessThan(evaluated.loss + 1);

    const state = await trainer.state();
    const again = { config, weights: files["model.safetensors"], state };
    const other = await openTrainer(again, settings);
    expect(await other.step(batch)).toEqual(await trainer.step(batch));
    opened.dispose();
    trainer.dispose();
    other.dispose();
  });
});

it("refuses what cannot be trained, with a code, and goes on after a bad batch", async () => {
  const files = filesOf("gpt2-tiny");
  const config = new TextDecoder().decode(files["config.json"]);
  const weights = files["model.safetensors"];
  const settings: TrainerSettings = { method: "sgd", learningRate: 1e30 };
  const absurd = { ...settings, learning_rate: 1 } as TrainerSettings;
  await expect(openTrainer({ config, weights }, absurd)).rejects.toMatchObject({
    code: "input/malformed",
    got: "learning_rate",
  });
  const trainer = await openTrainer({ config, weights }, settings);
  const batch = { examples: [{ ids: [5, 9, 13], targets: [[1, 13]] as [number, number][] }] };
  const bad = { examples: [{ ids: [5, 9, 13], targets: [[1, 999]] as [number, number][] }] };
  await expect(trainer.step(bad)).rejects.toMatchObject({ code: "input/bad-id" });
  await trainer.step(batch);
  const wild = trainer.step(batch);
  await expect(wild).rejects.toBeInstanceOf(HeadscopeError);
  await expect(wild).rejects.toMatchObject({
    code: "run/not-finite",
    doing: expect.stringMatching(/^step 2, /) as string,
  });
  trainer.dispose();
});
