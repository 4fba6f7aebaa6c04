import type { Step, StepTensor } from "../../data/index.js";
import { isOfKeys, isPattern } from "../../draw/steps.js";
import { stepWords } from "../../elements/steps/labels.js";
import type { Axis } from "../../export/exhibit.js";
import { unusualStages } from "../../state/index.js";
import { counted, exhibit, tokenAxis, type NumbersChoice } from "./choice.js";
import { provenanceOf, type ExportSubject } from "./subject.js";

/** Every matrix of the way through the block of the head that is shown, in the order of the strip. */
export function stepChoices(subject: ExportSubject, steps: readonly StepTensor[]): NumbersChoice[] {
  return steps.map(({ step, tensor }) => ({
    id: stepId(step),
    label: stepWords(step, {
      typed: subject.info.tokenTypes > 0,
      unusual: unusualStages(subject.state.edits, subject.head),
    }),
    group: "steps",
    shape: tensor.shape,
    pattern: false,
    read: () =>
      Promise.resolve(
        exhibit(
          tensor,
          axesOf(subject, step, tensor.axes),
          provenanceOf(subject, { quantity: `step-${step}`, ...subject.head }),
        ),
      ),
  }));
}

/** How the choice of a step is told from the others. */
export function stepId(step: Step): string {
  return `step ${step}`;
}

function axesOf(
  { figures: { queries, keys } }: ExportSubject,
  step: Step,
  [down = "position", across = "column"]: readonly string[],
): Axis[] {
  const rows = tokenAxis(down, isOfKeys(step) ? keys : queries);
  return [rows, isPattern(step) ? tokenAxis(across, keys) : counted(across)];
}
