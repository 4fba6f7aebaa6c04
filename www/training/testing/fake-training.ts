import { FAKE_WRITER, FakeModel } from "../../../tests/support/fake-model.js";
import type { OpenTraining } from "../training.js";
import type { KeptTrainings } from "../storage.js";
import { type Kept, TrainingRun } from "../training-run.js";
import { CountingTrainer } from "./counting-trainer.js";

/** The steps of a fake training. */
export const FAKE_STEPS = 40;

/** Opens trainings without an engine; `failsAt` is the step whose loss is no number. */
export const fakeTraining =
  (failsAt = Infinity): OpenTraining =>
  (text, settings, before, changed) => {
    const course = {
      config: "{}",
      weights: new Uint8Array(),
      edits: {},
      batch: (step: number) => ({ examples: [{ ids: [step], targets: [] }], edits: {} }),
      heldOut: { examples: [], edits: {} },
      text: { ids: [1, 2, 3], asked: [[2, 3]] as const },
      steps: FAKE_STEPS,
    };
    const around = {
      open: (_: Uint8Array, state: Uint8Array | null) =>
        Promise.resolve(new CountingTrainer(state, failsAt)),
      load: () => Promise.resolve(new FakeModel(FAKE_WRITER)),
      pace: () => new Promise<void>((resolve) => setTimeout(resolve)),
      changed,
      now: () => performance.now(),
    };
    return Promise.resolve({
      text,
      settings,
      run: new TrainingRun(course, around, before),
      tokensOf: (ids) =>
        ids.map((id, word) => ({ id, text: `t${id}`, word, special: false, role: null })),
      saved: (weights) => ({
        name: text,
        files: [new File([new Uint8Array(weights)], "model.safetensors")],
        isWhole: false,
      }),
      folder: (weights) => ({
        name: text,
        files: [new File([new Uint8Array(weights)], "model.safetensors")],
      }),
      opened: { text: "one two", target: null, edits: { blocks: [{ residual: false }] } },
    });
  };

/** Storage in memory. */
export function memory(kept = new Map<string, Kept>()): KeptTrainings & { kept: typeof kept } {
  return {
    kept,
    read: (text) => Promise.resolve(kept.get(text) ?? null),
    write: (text, one) => Promise.resolve(void kept.set(text, one)),
    remove: (text) => Promise.resolve(void kept.delete(text)),
  };
}
