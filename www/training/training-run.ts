/**
 * One training, without a page: batches go to the trainer in short chunks, what it reports becomes
 * curves, and at evenly spaced steps the parameters become a checkpoint whose heads the ordinary
 * engine reads. It can be paused, stepped, taken back to a checkpoint and forked from one.
 */
import type { Edits, HeadMeasures, Stack, TrainingBatch } from "../data/index.js";
import type { Trainer } from "../engine/trainer.js";
import { type Checkpoint, Checkpoints } from "./checkpoints.js";
import { Curve, type CurvePoint } from "./curve.js";
import { type LoadOne, type Picture, type ShownText, takePicture } from "./picture.js";

/** What is trained, and on what. Equal courses give equal trainings. */
export interface Course {
  /** The text of config.json. */
  config: string;
  /** The parameters before the first step, as the bytes of model.safetensors. */
  weights: Uint8Array;
  /** The settings that are none of a config, in training and in pictures. */
  edits: Edits;
  /** The batch of a step, the first of which is 1: the same one whenever it is asked. */
  batch(step: number): TrainingBatch;
  /** Examples that no batch has. */
  heldOut: TrainingBatch;
  /** The text on which heads are shown. */
  text: ShownText;
  /** The step after which the training is over. */
  steps: number;
}

/** What a training needs of its surroundings. */
export interface Surroundings {
  /** Opens the trainer of a course, at its first step or where a state continues it. */
  open(weights: Uint8Array, state: Uint8Array | null): Promise<Trainer>;
  load: LoadOne;
  /** Waits between two chunks, longer in a page in the background. */
  pace(): Promise<void>;
  /** Called after every change of what the training shows. */
  changed(): void;
  /** The time in milliseconds. */
  now(): number;
}

/** The numbers of the held-out examples and of the heads at one checkpoint. */
export interface Measured {
  step: number;
  heldOut: { loss: number; accuracy: number };
  stacks: readonly { stack: Stack; measures: readonly HeadMeasures[] }[];
}

/** What a training was when it was stored, to go on from there. */
export interface Kept {
  step: number;
  curve: readonly CurvePoint[];
  measured: readonly Measured[];
  checkpoints: readonly Checkpoint[];
}

/** The end of a training that could not go on. */
export interface Failure {
  /** The last step that the parameters have taken. */
  step: number;
  error: unknown;
}

/** The time that one chunk of steps takes, in milliseconds: as long as a pause may wait. */
const CHUNK_MILLIS = 100;

export class TrainingRun {
  readonly curve: Curve;
  readonly checkpoints = new Checkpoints();
  /** What every checkpoint so far measured, also those that are no longer kept. */
  measured: readonly Measured[];
  step: number;
  failure: Failure | null = null;
  /** The speed of the last chunk; 0 before the first. */
  stepsPerMinute = 0;
  #trainer: Trainer | null = null;
  /** The step at which the loop stops. */
  #goal: number;
  #loop: Promise<void> | null = null;
  /** The step of the next checkpoint. */
  #nextKept = 0;
  #disposed = false;

  /** `kept` is what an earlier visit stored of the same course. */
  constructor(
    readonly course: Course,
    private readonly around: Surroundings,
    kept: Kept | null = null,
  ) {
    this.curve = new Curve(kept?.curve);
    this.measured = kept?.measured ?? [];
    this.step = kept?.step ?? 0;
    this.#goal = this.step;
    for (const checkpoint of kept?.checkpoints ?? []) this.checkpoints.add(checkpoint);
  }

  get isTraining(): boolean {
    return this.#loop !== null && this.#goal > this.step;
  }

  /** Whether all steps of the course are done. */
  get isOver(): boolean {
    return this.step >= this.course.steps;
  }

  /** Shows the heads before the first step, without training. */
  show(): Promise<void> {
    return this.#run(this.step);
  }

  start(): Promise<void> {
    return this.#run(this.course.steps);
  }

  /** Takes some steps, and shows what the heads do then. */
  advance(steps: number): Promise<void> {
    return this.#run(Math.min(this.course.steps, this.step + steps));
  }

  /** Stops after the present chunk, and shows what the heads do then. */
  pause(): Promise<void> {
    this.#goal = this.step;
    this.around.changed();
    return this.#loop ?? Promise.resolve();
  }

  /** Goes back to a checkpoint: what came after it is forgotten. */
  async rewind(checkpoint: Checkpoint): Promise<void> {
    await this.pause();
    this.#close();
    this.#cut(checkpoint.step);
    this.#goal = checkpoint.step;
    this.failure = null;
    this.around.changed();
  }

  /** What continues this training in a later visit; null before the first checkpoint. */
  kept(): Kept | null {
    const { newest } = this.checkpoints;
    if (!newest) return null;
    const { step } = newest;
    return {
      step,
      curve: this.curve.points.filter((point) => point.step <= step),
      measured: this.measured,
      checkpoints: [newest],
    };
  }

  /** What another training begins with that goes its own way from a checkpoint of this one. */
  forkAt(checkpoint: Checkpoint): Kept {
    const { step } = checkpoint;
    return {
      step,
      curve: this.curve.points.filter((point) => point.step <= step),
      measured: this.measured.filter((one) => one.step <= step),
      checkpoints: this.checkpoints.all.filter((one) => one.step <= step),
    };
  }

  dispose(): void {
    this.#disposed = true;
    this.#goal = this.step;
    this.#close();
  }

  #close(): void {
    this.#trainer?.dispose();
    this.#trainer = null;
  }

  /** Trains up to a step, after what is running now. */
  async #run(goal: number): Promise<void> {
    this.#goal = goal;
    this.#loop ??= this.#train().finally(() => {
      this.#loop = null;
      this.around.changed();
    });
    this.around.changed();
    await this.#loop;
  }

  async #train(): Promise<void> {
    try {
      this.failure = null;
      const trainer = await this.#opened();
      if (this.checkpoints.newest?.step !== this.step) await this.#keep(trainer);
      while (this.step < this.#goal) {
        await this.#takeChunk(trainer);
        const isDue = this.step >= this.#goal || this.step === this.#nextKept;
        if (isDue && !this.#disposed) await this.#keep(trainer);
        this.around.changed();
        await this.around.pace();
      }
    } catch (error) {
      // A disposed trainer refuses what is still asked of it.
      if (this.#disposed) return;
      this.failure = { step: this.step, error };
      this.#goal = this.step;
      this.#close();
    }
  }

  /** The trainer; a new one stands at the newest checkpoint. */
  async #opened(): Promise<Trainer> {
    if (!this.#trainer) {
      const { newest } = this.checkpoints;
      this.#cut(newest?.step ?? 0);
      const weights = newest?.weights ?? this.course.weights;
      this.#trainer = await this.around.open(weights, newest?.state ?? null);
    }
    return this.#trainer;
  }

  /** Forgets what came after a step. */
  #cut(step: number): void {
    this.step = step;
    this.curve.cut(step);
    this.checkpoints.cut(step);
    this.measured = this.measured.filter((one) => one.step <= step);
  }

  /** Takes steps up to the next checkpoint, for as long as a pause may wait. */
  async #takeChunk(trainer: Trainer): Promise<void> {
    this.#nextKept = this.checkpoints.after(this.step);
    const begun = this.around.now();
    const first = this.step;
    while (this.step < Math.min(this.#goal, this.#nextKept)) {
      const { loss, accuracy, gradientNorm, partNorms } = await trainer.step(
        this.course.batch(this.step + 1),
      );
      this.step += 1;
      this.curve.add(this.step, { loss, accuracy, gradientNorm, partNorms });
      if (this.around.now() - begun >= CHUNK_MILLIS) break;
    }
    const millis = Math.max(0.01, this.around.now() - begun);
    this.stepsPerMinute = (60_000 * (this.step - first)) / millis;
  }

  /** Makes a checkpoint of the present step. */
  async #keep(trainer: Trainer): Promise<void> {
    const { step, course } = this;
    const [weights, state] = [await trainer.weights(), await trainer.state()];
    const heldOut = await trainer.evaluate(course.heldOut);
    const picture = await this.#pictureOf(weights);
    if (this.#disposed) return;
    this.checkpoints.add({ step, weights, state, heldOut, picture });
    const stacks = picture.stacks.map(({ stack, measures }) => ({ stack, measures }));
    this.measured = [...this.measured.filter((one) => one.step < step), { step, heldOut, stacks }];
    this.around.changed();
  }

  #pictureOf(weights: Uint8Array): Promise<Picture> {
    const { config, edits, text } = this.course;
    return takePicture(this.around.load, { config, weights }, edits, text);
  }
}
