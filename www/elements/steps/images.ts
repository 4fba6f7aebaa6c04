import type { Palette, Step, StepTensor } from "../../data/index.js";
import { formatValue } from "../../draw/format.js";
import { divergingScale, extentOf, sequentialScale } from "../../draw/scale.js";
import type { Inks } from "../../draw/theme.js";
import { cellImage } from "../matrix/canvas.js";

/** Every matrix as a picture of one pixel per cell: weights from nothing to all, other numbers around zero. */
export function stepImages(
  steps: readonly StepTensor[],
  { ground }: Inks,
  colours: Palette,
): ReadonlyMap<Step, OffscreenCanvas | null> {
  return new Map(
    steps.map(({ step, tensor: { data, shape } }) => {
      const [rows = 0, columns = 0] = shape;
      const scale =
        step === "weights" ? sequentialScale(data, colours, ground) : divergingScale(data, ground);
      return [step, cellImage(data, scale, rows, columns)];
    }),
  );
}

/** The range of the numbers of every matrix, which is what its colours stand for. */
export function stepRanges(steps: readonly StepTensor[]): ReadonlyMap<Step, string> {
  return new Map(
    steps.map(({ step, tensor: { data } }) => {
      const { min, max } = extentOf(data);
      return [
        step,
        step === "weights"
          ? `0 – ${formatValue(max)}`
          : `±${formatValue(Math.max(Math.abs(min), Math.abs(max)))}`,
      ];
    }),
  );
}
