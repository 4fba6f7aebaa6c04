// The curve of a training in bounded memory: what a point is the mean of, whatever the length.
import { expect, it } from "vitest";
import type { PartNorm } from "../data/index.js";
import { Curve, type StepNumbers } from "./curve.js";

const part = (norm: number): PartNorm => ({ stack: "encoder", layer: 0, norm });
const numbers = (step: number): StepNumbers => ({
  loss: step,
  accuracy: 1 / step,
  gradientNorm: 2 * step,
  partNorms: [part(3 * step)],
});
const trained = (steps: number, curve = new Curve()): Curve => {
  for (let step = (curve.points.at(-1)?.step ?? 0) + 1; step <= steps; step += 1)
    curve.add(step, numbers(step));
  return curve;
};

it("has a point for each step, until it is full", () => {
  const { points } = trained(512);
  expect(points).toHaveLength(512);
  expect(points.at(-1)).toEqual({ ...numbers(512), step: 512, count: 1 });
});

it("joins neighbours into their mean once it is full, and goes on with as many steps a point", () => {
  const curve = trained(513);
  expect(curve.points).toHaveLength(257);
  expect(curve.points[0]).toEqual({
    step: 2,
    count: 2,
    loss: 1.5,
    accuracy: 0.75,
    gradientNorm: 3,
    partNorms: [part(4.5)],
  });
  expect(curve.points.at(-1)).toMatchObject({ step: 513, count: 1, loss: 513 });
  trained(515, curve);
  expect(curve.points.slice(-2)).toMatchObject([
    { step: 514, count: 2, loss: 513.5 },
    { step: 515, count: 1, loss: 515 },
  ]);
});

it("weighs each step the same, however often it was joined", () => {
  const curve = trained(3000);
  const { points } = curve;
  expect(points.length).toBeLessThanOrEqual(512);
  const steps = points.reduce((sum, { count }) => sum + count, 0);
  const loss = points.reduce((sum, one) => sum + one.count * one.loss, 0) / steps;
  expect([steps, loss]).toEqual([3000, 1500.5]);
  for (const [at, point] of points.slice(0, -1).entries()) {
    expect(point.count).toBe(8);
    expect([point.step, point.loss]).toEqual([8 * at + 8, 8 * at + 4.5]);
  }
});

it("goes on as before from kept points, and from a step to which it was cut", () => {
  const whole = trained(1100);
  expect(trained(1100, new Curve(trained(700).points)).points).toEqual(whole.points);
  const cut = trained(600);
  cut.cut(201);
  expect(cut.points.at(-1)).toMatchObject({ step: 200, count: 2 });
});
