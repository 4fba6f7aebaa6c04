// The lines of the charts of one training or of two: their names, and their numbers by step.
import { beforeAll, describe, expect, it } from "vitest";
import type { HeadMeasures, Stack } from "../../data/index.js";
import { loadSentences, message } from "../../i18n/index.js";
import { Curve, type CurvePoint } from "../curve.js";
import type { Measured, TrainingRun } from "../training-run.js";
import { chartLines, lossLines, type Named } from "./training-charts.js";

beforeAll(() => loadSentences("training"));

const point = (step: number, ...norms: [Stack | null, number | null][]): CurvePoint => ({
  step,
  count: 1,
  loss: step / 10,
  accuracy: step / 100,
  gradientNorm: 2 * step,
  partNorms: norms.map(([stack, layer], at) => ({ stack, layer, norm: step + at })),
});
const head = (layer: number, at: number, entropy: number, induction: number | null) =>
  ({ layer, head: at, entropy, roles: { induction } }) as unknown as HeadMeasures;
const measured = (step: number, measures: HeadMeasures[]): Measured => ({
  step,
  heldOut: { loss: step / 5, accuracy: step / 50 },
  stacks: [{ stack: "decoder", measures }],
});
const named = (points: CurvePoint[], all: Measured[] = [], name = ""): Named => ({
  run: { curve: new Curve(points), measured: all } as unknown as TrainingRun,
  name,
});

describe("the lines of a training", () => {
  it("are loss and accuracy of each step, and on held-out examples where those were measured", () => {
    const run = named([point(1), point(2)], [measured(0, []), measured(20, [])]);
    const names = [message("training.onBatches"), message("training.heldOut")];
    const lines = (kind: "loss" | "accuracy"): unknown =>
      (kind === "loss" ? lossLines([run]) : chartLines("accuracy", [run], "decoder")).map(
        ({ name, points }) => [name, points.map(({ x, y }) => [x, y])],
      );
    expect(lines("loss")).toEqual([
      [
        names[0],
        [
          [1, 0.1],
          [2, 0.2],
        ],
      ],
      [
        names[1],
        [
          [0, 0],
          [20, 4],
        ],
      ],
    ]);
    expect(lines("accuracy")).toEqual([
      [
        names[0],
        [
          [1, 0.01],
          [2, 0.02],
        ],
      ],
      [
        names[1],
        [
          [0, 0],
          [20, 0.4],
        ],
      ],
    ]);
  });

  it("are named after their training where there are two", () => {
    const lines = lossLines([named([point(1)], [], "A"), named([point(1)], [], "B")]);
    const line = message("training.onBatches");
    expect(lines.map(({ name }) => name)).toContain(message("training.lineOf", { line, run: "B" }));
    expect(new Set(lines.map(({ name }) => name)).size).toBe(4);
  });

  it("have the number of each head at each measured step, with a gap where a role is not defined", () => {
    const run = named(
      [],
      [
        measured(0, [head(0, 0, 0.5, null), head(1, 3, 0.25, 0.75)]),
        measured(20, [head(0, 0, 0.4, 0.1), head(1, 3, 0.2, 0.9)]),
      ],
    );
    const names = [
      message("training.headName", { layer: 1, head: 1 }),
      message("training.headName", { layer: 2, head: 4 }),
    ];
    const entropy = chartLines("entropy", [run], "decoder");
    expect(entropy.map(({ name }) => name)).toEqual(names);
    expect(entropy[1]?.points).toEqual([
      { x: 0, y: 0.25 },
      { x: 20, y: 0.2 },
    ]);
    const [induction] = chartLines("induction", [run], "decoder");
    expect(induction?.points).toEqual([
      { x: 0, y: NaN },
      { x: 20, y: 0.1 },
    ]);
    expect(chartLines("entropy", [run], "encoder")).toEqual([]);
  });

  it("have the gradient of all parameters and of each part, with its stack where there are two", () => {
    const one = chartLines(
      "gradients",
      [named([point(1, ["decoder", null], ["decoder", 1])])],
      "cross",
    );
    expect(one.map(({ name }) => name)).toEqual([
      message("training.allParameters"),
      message("training.embedding"),
      message("training.layer", { layer: 2 }),
    ]);
    expect(one.map(({ points }) => points)).toEqual([
      [{ x: 1, y: 2 }],
      [{ x: 1, y: 1 }],
      [{ x: 1, y: 2 }],
    ]);
    const two = chartLines(
      "gradients",
      [named([point(3, ["encoder", 0], ["decoder", 0], [null, null])])],
      "cross",
    );
    const part = message("training.layer", { layer: 1 });
    expect(two.map(({ name }) => name).slice(1)).toEqual([
      message("training.inStack", { part, stack: message("stack.encoder") }),
      message("training.inStack", { part, stack: message("stack.decoder") }),
      message("training.outputHead"),
    ]);
  });
});
