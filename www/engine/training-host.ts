/** The thread's side of a training: one model, its steps, and what comes out of it. */

import { refuse } from "./errors.js";
import type { TrainerCalls, TrainerTask, WasmGradients, WasmTrainer } from "./protocol.js";

export class TrainingHost {
  #trainer: WasmTrainer | null = null;

  /** `pause` waits so that messages that have arrived, such as a stop, can be received. */
  constructor(
    private readonly load: () => Promise<WasmGradients>,
    private readonly pause: () => Promise<void>,
  ) {}

  /** Answers one call; calls are answered one after the other. */
  async answer(
    task: TrainerTask,
    signal: AbortSignal,
  ): Promise<TrainerCalls[keyof TrainerCalls]["answer"]> {
    switch (task.what) {
      case "open": {
        const { WasmTrainer } = await this.load();
        const { config, weights, settings, state } = task;
        this.#trainer = await WasmTrainer.load(config, weights, settings, state);
        return {};
      }
      case "steps":
        return { outcomes: await this.#steps(task, signal) };
      case "evaluate":
        return this.#open().evaluate(task.batch);
      case "weights":
        return { bytes: this.#open().weights() };
      case "state":
        return { bytes: this.#open().state() };
    }
  }

  async #steps(
    { batches }: TrainerCalls["steps"]["ask"],
    signal: AbortSignal,
  ): Promise<TrainerCalls["steps"]["answer"]["outcomes"]> {
    const outcomes = [];
    for (const batch of batches) {
      if (outcomes.length > 0) await this.pause();
      signal.throwIfAborted();
      outcomes.push(await this.#open().step(batch));
    }
    return outcomes;
  }

  #open(): WasmTrainer {
    if (this.#trainer === null)
      throw refuse("run/not-ready", "the training", "one that is open", "none");
    return this.#trainer;
  }
}
