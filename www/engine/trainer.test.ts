import { afterEach, beforeEach, expect, it } from "vitest";
import type { TrainerSettings, TrainingBatch } from "../data/index.js";
import { FakeThreads } from "./testing/fake-threads.js";
import { openTrainerOn, type Trainer } from "./trainer.js";
import { TrainingHost } from "./training-host.js";

/** What a caller without types may pass. */
const absurd = (value: unknown): never => value as never;

const FILES = { config: "{}", weights: new Uint8Array(8) };
const SETTINGS: TrainerSettings = { method: "adamw", learningRate: 0.001 };
const batchOf = (id: number): TrainingBatch => ({ examples: [{ ids: [id], targets: [[0, 1]] }] });

let threads: FakeThreads;
let trainer: Trainer;

beforeEach(async () => {
  threads = new FakeThreads();
  trainer = await openTrainerOn(threads.spawn, FILES, SETTINGS);
});

afterEach(() => trainer.dispose());

it("takes steps, evaluates, and gives its weights and its state", async () => {
  expect(await trainer.step(batchOf(1))).toMatchObject({ step: 1, loss: 1.1 });
  const outcomes = await trainer.steps([batchOf(2), batchOf(3)]);
  expect(outcomes.map(({ loss }) => loss)).toEqual([2.2, 3.3]);
  expect(await trainer.evaluate(batchOf(1))).toEqual({ loss: 1, accuracy: 1 });
  expect(await trainer.weights()).toEqual(Uint8Array.of(3, 2));

  const files = { ...FILES, state: await trainer.state() };
  const other = await openTrainerOn(threads.spawn, files, SETTINGS);
  expect(await other.step(batchOf(0))).toMatchObject({ step: 4 });
  other.dispose();
});

it("stops between two steps, and keeps those that were taken", async () => {
  const stop = new AbortController();
  const steps = trainer.steps(
    Array.from({ length: 1000 }, () => batchOf(1)),
    {
      signal: stop.signal,
    },
  );
  setTimeout(() => stop.abort(), 20);
  await expect(steps).rejects.toMatchObject({ code: "run/aborted" });
  const { step } = await trainer.step(batchOf(1));
  expect(step).toBeGreaterThan(1);
  expect(step).toBeLessThan(1000);
});

it("refuses settings and files that make no training, and ends its thread", async () => {
  const wrong = openTrainerOn(threads.spawn, FILES, { ...SETTINGS, learningRate: 0 });
  await expect(wrong).rejects.toMatchObject({ code: "input/out-of-range" });
  expect(threads.last.closed).toBe(true);
  for (const files of [
    { ...FILES, config: absurd(null) },
    { ...FILES, weights: absurd("bytes") },
    { ...FILES, state: absurd([]) },
  ]) {
    const refused = openTrainerOn(threads.spawn, files, SETTINGS);
    await expect(refused).rejects.toMatchObject({ code: "input/malformed" });
  }
});

it("ends with its thread, and says that it goes on from a state", async () => {
  const pending = trainer.step(batchOf(1));
  threads.last.die("out of memory");
  const ended = {
    code: "engine/crashed",
    message: expect.stringContaining("last state") as string,
  };
  await expect(pending).rejects.toMatchObject(ended);
  await expect(trainer.step(batchOf(1))).rejects.toMatchObject(ended);

  const other = await openTrainerOn(threads.spawn, FILES, SETTINGS);
  await expect(other.step(batchOf(7))).rejects.toMatchObject({ code: "engine/crashed" });
});

it("answers no call once it was disposed of", async () => {
  const pending = trainer.step(batchOf(1));
  trainer.dispose();
  await expect(pending).rejects.toMatchObject({ code: "engine/disposed" });
  await expect(trainer.state()).rejects.toMatchObject({ code: "engine/disposed" });
  expect(threads.last.closed).toBe(true);
});

it("a thread without a training refuses what is asked of one", async () => {
  const host = new TrainingHost(
    () => Promise.reject(new Error("nothing is loaded")),
    () => Promise.resolve(),
  );
  const { signal } = new AbortController();
  for (const task of [
    { what: "weights" },
    { what: "state" },
    { what: "evaluate", batch: batchOf(1) },
    { what: "steps", batches: [batchOf(1)] },
  ] as const)
    await expect(host.answer(task, signal)).rejects.toMatchObject({ code: "run/not-ready" });
});
