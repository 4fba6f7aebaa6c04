import { beforeEach, describe, expect, it, vi } from "vitest";
import { CountingTrainer } from "../testing/counting-trainer.js";
import { fakeLesson, memory } from "../testing/fake-lesson.js";
import { Lessons } from "./lessons.js";

const NOW = { starts: true, anew: false };
const WAITING = { starts: false, anew: false };
const ANEW = { starts: true, anew: true };

describe("the trainings of the page", () => {
  const storage = memory();
  let lessons: Lessons;
  const over = async (): Promise<void> => {
    const isOver = (): boolean =>
      lessons.shown.every(({ run }) => run.checkpoints.newest?.step === run.course.steps);
    while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const steps = (): number[] => lessons.shown.map(({ run }) => run.step);

  beforeEach(() => {
    storage.kept.clear();
    CountingTrainer.open = 0;
    lessons = new Lessons(fakeLesson(), storage, () => undefined);
  });

  it("train at once where a link names settings, and wait where it names none", async () => {
    await lessons.open("copy", WAITING);
    expect([lessons.isTraining, steps()]).toEqual([false, [0]]);
    await lessons.open("copy_seed.2", NOW);
    expect(lessons.isTraining).toBe(true);
    await over();
    expect(steps()).toEqual([40]);
  });

  it("are refused with the reason where no model has such settings", async () => {
    await lessons.open("copy_layers.9", NOW);
    expect(lessons.failure).toMatchObject({ code: "training/bad-setting" });
    expect(lessons.shown).toEqual([]);
    await lessons.open("copy", NOW);
    expect([lessons.failure, lessons.shown.length]).toEqual([null, 1]);
  });

  it("keep the run whose settings stay, beside one with others", async () => {
    await lessons.open("copy", NOW);
    await over();
    const [before] = lessons.shown;
    await lessons.open("copy:copy", NOW);
    expect(lessons.shown[1]).toBe(before);
    expect(steps()).toEqual([0, 40]);
    await lessons.open("copy_layers.1:copy", NOW);
    expect(lessons.shown[1]).toBe(before);
    await lessons.open("copy", NOW);
    expect(lessons.shown[0]).toBe(before);
    expect(CountingTrainer.open).toBe(1);
  });

  it("fork at a checkpoint with other settings of learning, and begin anew with another model", async () => {
    await lessons.open("copy", NOW);
    await over();
    const [first] = lessons.shown;
    const checkpoint = first?.run.checkpoints.all[1];
    if (!first || !checkpoint) throw new Error("a checkpoint");
    lessons.forkAt(first, checkpoint);
    await lessons.open("copy_learningRate.0.001:copy", NOW);
    expect(steps()).toEqual([20, 40]);
    await lessons.open("copy_layers.1:copy", NOW);
    expect(steps()).toEqual([0, 40]);
  });

  it("are shown as an earlier visit kept them, and go on from there", async () => {
    await lessons.open("copy", NOW);
    await over();
    lessons.close();
    expect(CountingTrainer.open).toBe(0);
    await lessons.open("copy", NOW);
    expect([lessons.earlier, lessons.isTraining, steps()]).toEqual([40, false, [40]]);
    expect(lessons.first?.run.measured.map(({ step }) => step)).toEqual([0, 20, 40]);
  });

  it("learn a text of one's own, and keep the training of each text apart", async () => {
    const open = vi.fn(fakeLesson());
    lessons = new Lessons(open, storage, () => undefined);
    lessons.takeText("to be or not to be");
    await lessons.open("characters", NOW);
    expect(open.mock.calls.map(([, , , , own]) => own)).toEqual(["to be or not to be"]);
    await over();
    lessons.close();
    lessons.takeText("that is the question");
    await lessons.open("characters", WAITING);
    expect([lessons.earlier, steps()]).toEqual([null, [0]]);
    await lessons.open("copy", WAITING);
    expect(open.mock.lastCall?.[4]).toBeUndefined();
  });

  it("start from the first step when asked to, and forget what was kept", async () => {
    await lessons.open("copy", NOW);
    await over();
    await lessons.open("copy", ANEW);
    expect([lessons.isTraining, lessons.earlier]).toEqual([true, null]);
    await over();
    lessons.close();
    await lessons.open("copy", WAITING);
    await lessons.forget();
    expect([lessons.earlier, steps(), storage.kept.size]).toEqual([null, [0], 0]);
  });
});
