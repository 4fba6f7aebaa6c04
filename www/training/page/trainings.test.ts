import { beforeEach, describe, expect, it, vi } from "vitest";
import { CountingTrainer } from "../testing/counting-trainer.js";
import { fakeTraining, memory } from "../testing/fake-training.js";
import { Trainings } from "./trainings.js";

const NOW = { starts: true, anew: false };
const WAITING = { starts: false, anew: false };
const ANEW = { starts: true, anew: true };

describe("the trainings of the page", () => {
  const storage = memory();
  let trainings: Trainings;
  const over = async (): Promise<void> => {
    const isOver = (): boolean =>
      trainings.shown.every(({ run }) => run.checkpoints.newest?.step === run.course.steps);
    while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const steps = (): number[] => trainings.shown.map(({ run }) => run.step);

  beforeEach(() => {
    storage.kept.clear();
    CountingTrainer.open = 0;
    trainings = new Trainings(fakeTraining(), storage, () => undefined);
  });

  it("train at once where a link names settings, and wait where it names none", async () => {
    await trainings.open("copy", WAITING);
    expect([trainings.isTraining, steps()]).toEqual([false, [0]]);
    await trainings.open("copy_seed.2", NOW);
    expect(trainings.isTraining).toBe(true);
    await over();
    expect(steps()).toEqual([40]);
  });

  it("are refused with the reason where no model has such settings", async () => {
    await trainings.open("copy_layers.9", NOW);
    expect(trainings.failure).toMatchObject({ code: "training/bad-setting" });
    expect(trainings.shown).toEqual([]);
    await trainings.open("copy", NOW);
    expect([trainings.failure, trainings.shown.length]).toEqual([null, 1]);
  });

  it("keep the run whose settings stay, beside one with others", async () => {
    await trainings.open("copy", NOW);
    await over();
    const [before] = trainings.shown;
    await trainings.open("copy:copy", NOW);
    expect(trainings.shown[1]).toBe(before);
    expect(steps()).toEqual([0, 40]);
    await trainings.open("copy_layers.1:copy", NOW);
    expect(trainings.shown[1]).toBe(before);
    await trainings.open("copy", NOW);
    expect(trainings.shown[0]).toBe(before);
    expect(CountingTrainer.open).toBe(1);
  });

  it("keep the one that is chosen of two with equal settings, and end the other", async () => {
    await trainings.open("copy:copy", NOW);
    await over();
    const [first] = trainings.shown;
    if (!first) throw new Error("a training");
    trainings.keepOnly(first);
    await trainings.open("copy", NOW);
    expect(trainings.shown).toEqual([first]);
    expect(CountingTrainer.open).toBe(1);
  });

  it("are stored while they run, and at the end, each under its own settings", async () => {
    let time = 0;
    const written: [string, number][] = [];
    const write = (text: string, { step }: { step: number }): Promise<void> =>
      Promise.resolve(void written.push([text, step]));
    const kept = { ...memory(), write };
    const changed = vi.fn();
    // Each look at the clock is later by more than a storing waits.
    const clock = (): number => (time += 21_000);
    trainings = new Trainings(fakeTraining(), kept, changed, clock);
    await trainings.open("copy:copy_seed.2", NOW);
    await over();
    await vi.waitFor(() => expect(trainings.isTraining).toBe(false));
    trainings.close();
    expect(written.map((one) => one.join(" ")).toSorted()).toEqual([
      "copy 20",
      "copy 40",
      "copy_seed.2 20",
      "copy_seed.2 40",
    ]);
    expect(changed).toHaveBeenCalled();
  });

  it("take the number of steps that is asked for, each of them", async () => {
    await trainings.open("copy:copy_seed.2", WAITING);
    trainings.advance(3);
    const shown = (): boolean =>
      trainings.shown.every(({ run }) => run.checkpoints.newest?.step === 3);
    while (!shown()) await new Promise((resolve) => setTimeout(resolve, 5));
    expect([steps(), trainings.isTraining]).toEqual([[3, 3], false]);
  });

  it("fork at a checkpoint with other settings of learning, and begin anew with another model", async () => {
    await trainings.open("copy", NOW);
    await over();
    const [first] = trainings.shown;
    const checkpoint = first?.run.checkpoints.all[1];
    if (!first || !checkpoint) throw new Error("a checkpoint");
    trainings.forkAt(first, checkpoint);
    await trainings.open("copy_learningRate.0.001:copy", NOW);
    expect(steps()).toEqual([20, 40]);
    await trainings.open("copy_layers.1:copy", NOW);
    expect(steps()).toEqual([0, 40]);
  });

  it("are shown as an earlier visit kept them, and go on from there", async () => {
    await trainings.open("copy", NOW);
    await over();
    trainings.close();
    expect(CountingTrainer.open).toBe(0);
    await trainings.open("copy", NOW);
    expect([trainings.earlier, trainings.isTraining, steps()]).toEqual([40, false, [40]]);
    expect(trainings.first?.run.measured.map(({ step }) => step)).toEqual([0, 20, 40]);
  });

  it("learn a text of one's own, and keep the training of each text apart", async () => {
    const open = vi.fn(fakeTraining());
    trainings = new Trainings(open, storage, () => undefined);
    trainings.takeText("to be or not to be");
    await trainings.open("characters", NOW);
    expect(open.mock.calls.map(([, , , , own]) => own)).toEqual(["to be or not to be"]);
    await over();
    trainings.close();
    trainings.takeText("that is the question");
    await trainings.open("characters", WAITING);
    expect([trainings.earlier, steps()]).toEqual([null, [0]]);
    await trainings.open("copy", WAITING);
    expect(open.mock.lastCall?.[4]).toBeUndefined();
  });

  it("start from the first step when asked to, and forget what was kept", async () => {
    await trainings.open("copy", NOW);
    await over();
    await trainings.open("copy", ANEW);
    expect([trainings.isTraining, trainings.earlier]).toEqual([true, null]);
    await over();
    trainings.close();
    await trainings.open("copy", WAITING);
    await trainings.forget();
    expect([trainings.earlier, steps(), storage.kept.size]).toEqual([null, [0], 0]);
  });
});
