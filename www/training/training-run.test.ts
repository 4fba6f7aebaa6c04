import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeModel } from "../../tests/support/fake-model.js";
import { FIRST_DISTANCE } from "./checkpoints.js";
import { CountingTrainer } from "./testing/counting-trainer.js";
import { type Course, type Surroundings, TrainingRun } from "./training-run.js";

const course = (fields: Partial<Course> = {}): Course => ({
  config: "{}",
  weights: new Uint8Array(),
  edits: {},
  batch: (step) => ({ examples: [{ ids: [step % 251], targets: [[0, 0]] }] }),
  heldOut: { examples: [] },
  text: { ids: [1, 2, 3], asked: [] },
  steps: 1000,
  ...fields,
});

describe("a training", () => {
  let time = 0;
  let failsAt = Infinity;
  let around: Surroundings;

  beforeEach(() => {
    time = 0;
    failsAt = Infinity;
    CountingTrainer.open = 0;
    around = {
      open: (_, state) => Promise.resolve(new CountingTrainer(state, failsAt)),
      load: () => Promise.resolve(new FakeModel()),
      pace: () => Promise.resolve(),
      changed: vi.fn(),
      now: () => (time += 1),
    };
  });

  it("keeps the heads before the first step, and has taken none", async () => {
    const run = new TrainingRun(course(), around);
    await run.show();
    expect([run.step, run.curve.points.length]).toEqual([0, 0]);
    expect(run.checkpoints.newest?.picture.stacks[0]?.thumbnails.data.length).toBeGreaterThan(0);
  });

  it("takes one step at a time, and shows the heads of each", async () => {
    const run = new TrainingRun(course(), around);
    await run.advance(1);
    await run.advance(1);
    expect(run.curve.points.map(({ step, loss }) => [step, loss])).toEqual([
      [1, 1],
      [2, 0.5],
    ]);
    expect(run.checkpoints.all.map(({ step }) => step)).toEqual([0, 1, 2]);
    expect(run.isTraining).toBe(false);
  });

  it("stops soon after a pause, with the heads of that step", async () => {
    const run = new TrainingRun(course(), around);
    let paces = 0;
    around.pace = () => {
      if ((paces += 1) === 3) void run.pause();
      return Promise.resolve();
    };
    await run.start();
    expect(run.step).toBeGreaterThan(0);
    expect(run.step).toBeLessThan(1000);
    expect(run.checkpoints.newest?.step).toBe(run.step);
  });

  it("goes on from a checkpoint to the very parameters that it had there the first time", async () => {
    const run = new TrainingRun(course({ steps: 4 * FIRST_DISTANCE }), around);
    await run.start();
    const end = run.checkpoints.newest?.weights;
    const [, second] = run.checkpoints.all;
    if (!second) throw new Error("a second checkpoint");
    await run.rewind(second);
    expect([run.step, run.curve.points.at(-1)?.step, run.checkpoints.all.length]).toEqual([
      FIRST_DISTANCE,
      FIRST_DISTANCE,
      2,
    ]);
    await run.start();
    expect(run.checkpoints.newest?.weights).toEqual(end);
    expect(CountingTrainer.open).toBe(1);
  });

  it("goes on in a later visit, and in a fork, as if it had never stopped", async () => {
    const straight = new TrainingRun(course({ steps: 100 }), around);
    await straight.start();
    const first = new TrainingRun(course({ steps: 60 }), around);
    await first.start();
    const later = new TrainingRun(course({ steps: 100 }), around, first.kept());
    const [, , at] = first.checkpoints.all;
    if (!at) throw new Error("a third checkpoint");
    const fork = new TrainingRun(course({ steps: 100 }), around, first.forkAt(at));
    for (const other of [later, fork]) {
      await other.start();
      expect(other.checkpoints.newest?.weights).toEqual(straight.checkpoints.newest?.weights);
      expect(other.curve.points).toEqual(straight.curve.points);
    }
    expect(first.step).toBe(60);
  });

  it("stops at a loss that is no number, and goes on from the last good checkpoint", async () => {
    failsAt = 50;
    const run = new TrainingRun(course({ steps: 80 }), around);
    await run.start();
    expect(run.failure?.step).toBe(49);
    expect(run.checkpoints.newest?.step).toBe(40);
    expect(CountingTrainer.open).toBe(0);
    failsAt = Infinity;
    await run.start();
    expect([run.failure, run.step, run.curve.points.length]).toEqual([null, 80, 80]);
  });

  it("has as many checkpoints and points after 2,000 steps as memory allows", async () => {
    const run = new TrainingRun(course({ steps: 2_000 }), around);
    await run.start();
    const steps = run.checkpoints.all.map(({ step }) => step);
    expect(steps.length).toBeLessThanOrEqual(32);
    expect(steps.length).toBeGreaterThan(15);
    expect([steps[0], steps.at(-1)]).toEqual([0, 2_000]);
    const gaps = steps.slice(1, -1).map((step, at) => step - (steps[at] ?? 0));
    expect(new Set(gaps).size).toBe(1);
    expect(run.curve.points.length).toBeLessThanOrEqual(512);
    expect(run.curve.points.reduce((sum, { count }) => sum + count, 0)).toBe(2_000);
  });

  it("ends its trainer when it is disposed of, and reports nothing more", async () => {
    const run = new TrainingRun(course(), around);
    around.pace = () => {
      run.dispose();
      return Promise.resolve();
    };
    await run.start();
    expect([CountingTrainer.open, run.failure]).toEqual([0, null]);
  });
});
