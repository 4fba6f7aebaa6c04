/**
 * The numbers of a training by step, in bounded memory: once a curve is full, neighbouring points
 * are joined into their mean, so that a long training has as many points as a short one.
 */

import type { PartNorm } from "../data/index.js";

/** What is measured of one step. */
export interface StepNumbers {
  loss: number;
  accuracy: number;
  gradientNorm: number;
  /** The length of the gradient of each part of the model. */
  partNorms: readonly PartNorm[];
}

/** The mean of the numbers of some steps, the last of which is `step`. */
export interface CurvePoint extends StepNumbers {
  step: number;
  /** The number of steps that the point is the mean of. */
  count: number;
}

/** The most points of a curve: more than a figure has pixels for would not be seen. */
const MOST_POINTS = 512;

/** The numbers of all steps so far. */
export class Curve {
  #points: CurvePoint[] = [];
  /** The number of steps that a whole point is the mean of. */
  #width = 1;

  /** `points` are those of a curve that was kept, in the order of their steps. */
  constructor(points: readonly CurvePoint[] = []) {
    this.#points = [...points];
    this.#width = points[0]?.count ?? 1;
  }

  get points(): readonly CurvePoint[] {
    return this.#points;
  }

  /** Adds the numbers of the next step. */
  add(step: number, numbers: StepNumbers): void {
    const last = this.#points.at(-1);
    const point: CurvePoint = { ...numbers, step, count: 1 };
    if (last && last.count < this.#width) this.#points[this.#points.length - 1] = mean(last, point);
    else this.#points.push(point);
    if (this.#points.length > MOST_POINTS) this.#halve();
  }

  /** Removes the steps after `step`. */
  cut(step: number): void {
    this.#points = this.#points.filter((point) => point.step <= step);
  }

  #halve(): void {
    const joined: CurvePoint[] = [];
    for (let at = 0; at < this.#points.length; at += 2) {
      const [one, other] = this.#points.slice(at, at + 2);
      if (one) joined.push(other ? mean(one, other) : one);
    }
    this.#points = joined;
    this.#width *= 2;
  }
}

/** The mean of the steps of two neighbouring points. */
function mean(one: CurvePoint, other: CurvePoint): CurvePoint {
  const count = one.count + other.count;
  const of = (a: number, b: number): number => (a * one.count + b * other.count) / count;
  return {
    step: other.step,
    count,
    loss: of(one.loss, other.loss),
    accuracy: of(one.accuracy, other.accuracy),
    gradientNorm: of(one.gradientNorm, other.gradientNorm),
    partNorms: other.partNorms.map((part, at) => ({
      ...part,
      norm: of(one.partNorms[at]?.norm ?? part.norm, part.norm),
    })),
  };
}
