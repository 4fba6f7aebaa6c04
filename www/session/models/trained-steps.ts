/** Earlier steps of the training of a bundled model, each an ordinary folder beside the page. */
import { BUNDLED_MODELS, type BundledModel, type ModelName } from "../../state/index.js";

/** A model as it was after so many steps of its training. */
export interface TrainedStep {
  model: ModelName;
  step: number;
  /** The share of test examples that it answers right. */
  right: number;
}

/** Steps and shares of right answers; the last step is the bundled model itself. */
const KEPT: Readonly<Partial<Record<BundledModel, readonly (readonly [number, number])[]>>> = {
  "models/tiny-vit": [
    [0, 0.1162],
    [50, 0.1338],
    [100, 0.1543],
    [200, 0.2261],
    [400, 0.2817],
    [800, 0.3931],
    [1500, 0.6763],
    [2250, 0.8457],
    [3000, 0.9165],
  ],
};

const TRAININGS: readonly (readonly TrainedStep[])[] = BUNDLED_MODELS.map((model) => {
  const kept = KEPT[model] ?? [];
  return kept.map(([step, right], at) => ({
    model: at === kept.length - 1 ? model : `at/./${model}/steps/step-${step}/`,
    step,
    right,
  }));
});

/** The kept steps of the training that a model is a step of, in order; empty for any other. */
export function trainedSteps(model: ModelName): readonly TrainedStep[] {
  return TRAININGS.find((steps) => steps.some((one) => one.model === model)) ?? [];
}
