/**
 * The kept checkpoints of a training, in bounded memory: evenly spaced steps, the first one and the
 * newest one. Once there are too many, every second one goes and the distance doubles.
 */
import type { Picture } from "./picture.js";

/** A training as it was after a step. */
export interface Checkpoint {
  step: number;
  /** The parameters, as the bytes of model.safetensors. */
  weights: Uint8Array;
  /** What continues the training: parameters and moments of the optimiser; null at step 0. */
  state: Uint8Array | null;
  /** Loss and accuracy on the held-out examples. */
  heldOut: { loss: number; accuracy: number };
  /** What the heads do on the chosen text. */
  picture: Picture;
}

/** The limits of what is kept: checkpoints, and bytes of their weights and states. */
export interface Limits {
  checkpoints: number;
  bytes: number;
}

const USUAL: Limits = { checkpoints: 32, bytes: 96_000_000 };

/** The distance between the first checkpoints, in steps. */
export const FIRST_DISTANCE = 20;

/** Fewer than these are never thinned out, however large they are. */
const FEWEST = 4;

export class Checkpoints {
  #kept: Checkpoint[] = [];
  #distance = FIRST_DISTANCE;

  constructor(private readonly limits: Limits = USUAL) {}

  get all(): readonly Checkpoint[] {
    return this.#kept;
  }

  get newest(): Checkpoint | null {
    return this.#kept.at(-1) ?? null;
  }

  /** The step of the next checkpoint after a step. */
  after(step: number): number {
    return (Math.floor(step / this.#distance) + 1) * this.#distance;
  }

  /** Adds a checkpoint; one of the same step is replaced. */
  add(checkpoint: Checkpoint): void {
    this.#kept = this.#kept.filter(({ step }) => step !== checkpoint.step);
    this.#kept.push(checkpoint);
    while (this.#isFull()) this.#thin();
  }

  /** Removes the checkpoints after `step`. */
  cut(step: number): void {
    this.#kept = this.#kept.filter((one) => one.step <= step);
  }

  #isFull(): boolean {
    const { checkpoints, bytes } = this.limits;
    const size = this.#kept.reduce((sum, one) => sum + bytesOf(one), 0);
    const count = this.#kept.length;
    return count > checkpoints || (size > bytes && count > FEWEST);
  }

  #thin(): void {
    this.#distance *= 2;
    const last = this.#kept.length - 1;
    this.#kept = this.#kept.filter(({ step }, at) => at === last || step % this.#distance === 0);
  }
}

const bytesOf = ({ weights, state }: Checkpoint): number =>
  weights.byteLength + (state?.byteLength ?? 0);
