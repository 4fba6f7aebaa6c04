import { html, type TemplateResult } from "lit";
import type { Step, StepCell, Palette, StepTensor } from "../../data/index.js";
import { divergingScale, extentOf, sequentialScale } from "../../draw/colours.js";
import {
  isOfKeys,
  isPattern,
  layoutSteps,
  paintSteps,
  type StepShape,
  type StepsScene,
} from "../../draw/steps.js";
import { formatValue } from "../../draw/text.js";
import { Pen, type Inks, type Print } from "../../draw/theme.js";
import { message, type MessageKey, formatNumber } from "../../i18n/index.js";
import { cellImage } from "../matrix/canvas.js";
import { numbersTable } from "../matrix/table.js";
import { operationOf, symbolOf, type StepMaking } from "./formulas.js";

// The names of steps and of their cells.

/** The tokens of rows and columns. */
export interface StepLabels extends StepMaking {
  queries: readonly string[];
  keys: readonly string[];
}

export function stepWords(step: Step, made: StepMaking): string {
  return `${symbolOf(step, made)} · ${message(stepKey(step, made))}`;
}

function stepKey(step: Step, { typed, unusual }: StepMaking): MessageKey {
  if (step === "embedded" && typed) return "step.embedded.typed";
  return (step === "raw" || step === "scores") && unusual.includes(step)
    ? `stage.${step}`
    : `step.${step}`;
}

/** The name of a cell: its token, and its column or key. */
export function cellWords(
  { step, row, column }: StepCell,
  { queries, keys, ...made }: StepLabels,
): string {
  const symbol = symbolOf(step, made);
  if (isPattern(step))
    return message("sum.pair", {
      step: symbol,
      query: queries[row] ?? String(row + 1),
      key: keys[column] ?? String(column + 1),
    });
  const token = (isOfKeys(step) ? keys : queries)[row] ?? String(row + 1);
  return message("sum.place", { step: symbol, token, column: column + 1 });
}

/** Every matrix as an image of one pixel per cell: weights on a sequential scale, others on a diverging one. */
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

/** The caption of every matrix: its names, the range of its colour scale, and its operation. */
export function stepCaptions(
  steps: readonly StepTensor[],
  made: StepMaking,
): StepsScene["captions"] {
  return new Map(
    steps.map(({ step, tensor: { data } }) => {
      const { min, max } = extentOf(data);
      const range =
        step === "weights"
          ? `0 – ${formatValue(max)}`
          : `±${formatValue(Math.max(Math.abs(min), Math.abs(max)))}`;
      const words = message(stepKey(step, made));
      return [
        step,
        { symbol: symbolOf(step, made), words, range, operation: operationOf(step, made) },
      ];
    }),
  );
}

/** One matrix of a block as a table; of a large one a single row. */
export function stepTable(
  { step, tensor: { data, shape } }: StepTensor,
  row: number,
  { queries, keys, ...made }: StepLabels,
): TemplateResult {
  const [rows = 0, columns = 0] = shape;
  const [ofKeys, pairs] = [isOfKeys(step), isPattern(step)];
  const named = (count: number, names: readonly string[]): string[] =>
    Array.from({ length: count }, (_, index) => names[index] ?? formatNumber(index + 1));
  const name = stepWords(step, made);
  const table = numbersTable({
    caption: name,
    data,
    queries: named(rows, ofKeys ? keys : queries),
    keys: named(columns, pairs ? keys : []),
    corner: {
      query: message(ofKeys ? "figure.key" : "figure.query"),
      key: message(pairs ? "figure.key" : "figure.dimension"),
    },
    query: row,
  });
  return html`<p class="at" aria-hidden="true">${name}</p>${table}`;
}

// The whole strip for files.

const LABELS = 120;

export function shapesOf(steps: readonly StepTensor[]): StepShape[] {
  return steps.map(({ step, tensor }) => {
    const [rows = 0, columns = 0] = tensor.shape;
    return { step, rows, columns };
  });
}

export function printSteps(steps: readonly StepTensor[], scene: StepsScene, inks: Inks): Print {
  const layout = layoutSteps(shapesOf(steps), LABELS, scene.keys !== null);
  const { width, height } = layout;
  const paint: Print["paint"] = (brush) =>
    paintSteps(new Pen(brush, inks), layout, scene, 0, width);
  return { width, height, paint };
}
