/**
 * Training of a model, in a thread of its own, whose wasm file is fetched when a training opens. A
 * model to be trained is an ordinary folder: its config.json and its model.safetensors.
 */

import type { Evaluation, StepOutcome, TrainerSettings, TrainingBatch } from "../data/index.js";
import { Channel } from "./client.js";
import { demand, HeadscopeError, kindOf, refuse } from "./errors.js";
import type { TrainerCalls, TrainerTask } from "./protocol.js";
import { type Spawn, startThread } from "./thread.js";

/** The files of a model to be trained. */
export interface TrainerFiles {
  /** The text of config.json. */
  config: string;
  /** The bytes of model.safetensors. */
  weights: Uint8Array;
  /** What {@link Trainer.state} gave for the same model, from which the training goes on. */
  state?: Uint8Array;
}

/** A stop of steps before the last one. */
export interface StepOptions {
  signal?: AbortSignal;
}

/**
 * A training. After a failure, always a `HeadscopeError`, the parameters are those before the step
 * that failed; after engine/crashed the training has ended, and another one goes on from its last
 * state.
 */
export interface Trainer {
  /**
   * One step: the loss of the batch, then an update of the parameters.
   * @throws `input/*`, `edit/*` and `selection/*` for a batch that the model cannot read,
   *   run/not-finite for a loss or a gradient that is no number, which names the step and the part
   *   of the model; run/aborted, engine/crashed, engine/disposed
   */
  step(batch: TrainingBatch, options?: StepOptions): Promise<StepOutcome>;
  /** Steps one after the other, in one call. A stop leaves those that were taken. */
  steps(batches: readonly TrainingBatch[], options?: StepOptions): Promise<StepOutcome[]>;
  /** The loss and the accuracy of a batch, from which nothing is learned. */
  evaluate(batch: TrainingBatch): Promise<Evaluation>;
  /**
   * The bytes of model.safetensors, with the parameters as they are now under the names of the
   * folder; with its other files it is an ordinary folder.
   */
  weights(): Promise<Uint8Array>;
  /**
   * What continues the training to the bit: the parameters, the moments of the optimiser and the
   * number of steps.
   */
  state(): Promise<Uint8Array>;
  /** Ends the thread; pending calls reject with engine/disposed. */
  dispose(): void;
}

/**
 * Opens the training of a model.
 * @throws config/unsupported-family for a model with parameters that are not trained,
 *   output/unavailable for one without an output head, `config/*` and `checkpoint/*` for faults in
 *   the files, input/out-of-range and input/malformed for settings that make no training
 */
export function openTrainer(files: TrainerFiles, settings: TrainerSettings): Promise<Trainer> {
  return openTrainerOn(startThread, files, settings);
}

/** Opens the training of a model on a thread that `spawn` starts. */
export async function openTrainerOn(
  spawn: Spawn,
  files: TrainerFiles,
  settings: TrainerSettings,
): Promise<Trainer> {
  demand("a string", files.config, "the text of config.json");
  demandBytes(files.weights, "the bytes of model.safetensors");
  if (files.state !== undefined) demandBytes(files.state, "the state of the training");
  demand("an object", settings, "the settings of the training");
  const channel = new Channel(spawn, (reason) => channel.end(crashed(reason)));
  const ask = async <K extends keyof TrainerCalls>(
    what: K,
    asked: TrainerCalls[K]["ask"],
    options: StepOptions = {},
  ): Promise<TrainerCalls[K]["answer"]> => {
    const task = { what, ...asked } as TrainerTask;
    // A value from another thread has no static type.
    const answer: unknown = await channel.send("train", { task }, options);
    return answer as TrainerCalls[K]["answer"];
  };
  const dispose = (): void => channel.end(disposed());
  try {
    await ask("open", { ...files, settings });
  } catch (thrown) {
    dispose();
    throw thrown;
  }
  return {
    step: async (batch, options) => {
      const { outcomes } = await ask("steps", { batches: [batch] }, options);
      const [outcome] = outcomes;
      if (outcome === undefined) throw refuse("engine/internal", "the step", "one outcome", "none");
      return outcome;
    },
    steps: async (batches, options) => (await ask("steps", { batches }, options)).outcomes,
    evaluate: (batch) => ask("evaluate", { batch }),
    weights: async () => (await ask("weights", {})).bytes,
    state: async () => (await ask("state", {})).bytes,
    dispose,
  };
}

function demandBytes(value: unknown, what: string): void {
  if (!(value instanceof Uint8Array))
    throw refuse("input/malformed", what, "a Uint8Array", kindOf(value));
}

function crashed(reason: string | HeadscopeError): HeadscopeError {
  if (reason instanceof HeadscopeError) return reason;
  const message = `The training stopped unexpectedly (${reason}). Open it again from its last state.`;
  return refuse("engine/crashed", "the training", "the engine to answer", reason, message);
}

function disposed(): HeadscopeError {
  const message = "This training was disposed of. Open it again from its last state to go on.";
  const got = "one that was disposed of";
  return refuse("engine/disposed", "the training", "a training in use", got, message);
}
