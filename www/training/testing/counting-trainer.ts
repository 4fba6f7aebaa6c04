import type { Evaluation, StepOutcome, TrainingBatch } from "../../data/index.js";
import type { Trainer } from "../../engine/trainer.js";

/**
 * A trainer without an engine for tests: its parameters are the ids that it has learned, so that
 * equal ways give equal bytes.
 */
export class CountingTrainer implements Trainer {
  /** The number of trainers that are not disposed of. */
  static open = 0;
  private readonly seen: number[];

  /** `failsAt` is the step that fails. */
  constructor(
    state: Uint8Array | null,
    private readonly failsAt = Infinity,
  ) {
    this.seen = [...(state ?? [])];
    CountingTrainer.open += 1;
  }

  step({ examples }: TrainingBatch): Promise<StepOutcome> {
    if (this.seen.length + 1 === this.failsAt) return Promise.reject(new Error("not finite"));
    this.seen.push(examples[0]?.ids[0] ?? 0);
    const step = this.seen.length;
    return Promise.resolve({
      step,
      loss: 1 / step,
      accuracy: 0,
      gradientNorm: step,
      partNorms: [],
    });
  }

  async steps(batches: readonly TrainingBatch[]): Promise<StepOutcome[]> {
    const outcomes: StepOutcome[] = [];
    for (const batch of batches) outcomes.push(await this.step(batch));
    return outcomes;
  }

  evaluate(): Promise<Evaluation> {
    return Promise.resolve({ loss: 2 / (1 + this.seen.length), accuracy: 0.5 });
  }

  weights(): Promise<Uint8Array> {
    return Promise.resolve(Uint8Array.from(this.seen));
  }

  state(): Promise<Uint8Array> {
    return this.weights();
  }

  dispose(): void {
    CountingTrainer.open -= 1;
  }
}
