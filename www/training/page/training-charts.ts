/** The curves of one or two trainings by step. */
import type { PartNorm, Stack } from "../../data/index.js";
import type { CurveLine, CurvesScene } from "../../draw/charts.js";
import { formatNumber, message } from "../../i18n/index.js";
import type { TrainingRun } from "../training-run.js";
import { headLines } from "./heads-forming.js";

/** What a chart shows beside the loss. */
export const CHARTS = ["accuracy", "entropy", "induction", "gradients"] as const;
export type Chart = (typeof CHARTS)[number];

/** A training with its name in a comparison; empty for a training alone. */
export interface Named {
  run: TrainingRun;
  name: string;
}

/** The name of a line, with the training's where there are two. */
export const lineName = (line: string, { name }: Named): string =>
  name === "" ? line : message("training.lineOf", { line, run: name });

/** Loss on the batches and on held-out examples. */
export function lossLines(runs: readonly Named[]): CurveLine[] {
  return both(runs, "loss");
}

/** The lines of a chart; empty where the trainings have no such numbers. */
export function chartLines(chart: Chart, runs: readonly Named[], stack: Stack): CurveLine[] {
  switch (chart) {
    case "accuracy":
      return both(runs, "accuracy");
    case "gradients":
      return runs.flatMap(gradientLines);
    case "entropy":
      return ofHeads(runs, stack, ({ entropy }) => entropy);
    case "induction":
      return ofHeads(runs, stack, ({ roles }) => roles.induction);
  }
}

function both(runs: readonly Named[], of: "loss" | "accuracy"): CurveLine[] {
  return runs.flatMap((one): CurveLine[] => {
    const { curve, measured } = one.run;
    return [
      {
        name: lineName(message("training.onBatches"), one),
        points: curve.points.map((point) => ({ x: point.step, y: point[of] })),
      },
      {
        name: lineName(message("training.heldOut"), one),
        points: measured.map(({ step, heldOut }) => ({ x: step, y: heldOut[of] })),
      },
    ];
  });
}

function gradientLines(one: Named): CurveLine[] {
  const { points } = one.run.curve;
  const whole: CurveLine = {
    name: lineName(message("training.allParameters"), one),
    points: points.map(({ step, gradientNorm }) => ({ x: step, y: gradientNorm })),
    tone: "quiet",
  };
  const parts = points.at(-1)?.partNorms ?? [];
  const stacks = new Set(parts.map(({ stack }) => stack).filter((stack) => stack !== null));
  const byPart = parts.map((part, at): CurveLine => ({
    name: lineName(partWords(part, stacks.size > 1), one),
    points: points.map(({ step, partNorms }) => ({ x: step, y: partNorms[at]?.norm ?? NaN })),
  }));
  return [whole, ...byPart];
}

/** The name of a part of a model; with its stack if there are several. */
function partWords({ stack, layer }: PartNorm, isOfSeveral: boolean): string {
  if (stack === null) return message("training.outputHead");
  const name =
    layer === null
      ? message("training.embedding")
      : message("training.layer", { layer: layer + 1 });
  return isOfSeveral
    ? message("training.inStack", { part: name, stack: message(`stack.${stack}`) })
    : name;
}

function ofHeads(
  runs: readonly Named[],
  stack: Stack,
  numberOf: Parameters<typeof headLines>[2],
): CurveLine[] {
  return runs.flatMap((one) =>
    headLines(one.run.measured, stack, numberOf, (layer, head) =>
      lineName(message("training.headName", { layer: layer + 1, head: head + 1 }), one),
    ),
  );
}

/** The fewest steps of an axis, so that its ticks are whole. */
const FEWEST_STEPS = 10;

/** The ranges of the charts of any numbers and of shares: from the first step to the last. */
export function rangesOf(runs: readonly Named[]): Record<"any" | "share", CurvesScene["range"]> {
  const steps = runs.map(({ run }) => run.curve.points.at(-1)?.step ?? 0);
  const x: [number, number] = [0, Math.max(FEWEST_STEPS, ...steps)];
  return { any: { x }, share: { x, y: [0, 1] } };
}

/** The words of a step on an axis. */
export const stepWords = (step: number): string => formatNumber(step, 0);
