// The strip apart from the page: all of it, however wide it is.
import type { StepTensor } from "../../data/index.js";
import type { Print } from "../../draw/print.js";
import { layoutSteps } from "../../draw/steps.js";
import { paintSteps, type StepsScene } from "../../draw/steps-paint.js";
import type { Brush, Inks } from "../../draw/theme.js";

const LABELS = 120;

export function printSteps(steps: readonly StepTensor[], scene: StepsScene, inks: Inks): Print {
  const layout = layoutSteps(
    steps.map(
      ({
        step,
        tensor: {
          shape: [rows = 0, columns = 0],
        },
      }) => ({ step, rows, columns }),
    ),
    LABELS,
    scene.keys !== null,
  );
  const { width, height } = layout;
  return {
    width,
    height,
    paint: (brush: Brush) => paintSteps(brush, layout, scene, inks, 0, width),
  };
}
