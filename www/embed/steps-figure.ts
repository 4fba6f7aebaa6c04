/** The contents of `<headscope-steps>`, read from a run. */
import type { HeadscopeSteps } from "../elements/index.js";
import { isExpected } from "../session/run/failures.js";
import { explainNumber, heldNumber } from "../session/run/readings.js";
import { writtenAttribute } from "../state/index.js";
import { type Reading, refuseAbsent, type Source } from "./reading.js";

/** The steps of a head's block, with the explanation of the selected number. */
export async function readSteps({ view, run, head, info, state }: Source): Promise<Reading> {
  await view.read([view.headRead, view.stepsRead, view.explainedRead]);
  const { block, figures, held, explained, unusual } = view;
  if (!block || !figures) throw new Error("Steps that were read are not of this head.");
  const { steps } = block;
  // As with the dimensions, a number is always explained.
  if (state.number && !heldNumber(steps, state.number, null)) {
    const of = steps.find(({ step }) => step === state.number?.step);
    const [rows = 0, columns = 0] = of?.tensor.shape ?? [];
    throw refuseAbsent(
      writtenAttribute("number", state),
      of ? `${of.step}.1-1 … ${rows}-${columns}` : steps.map(({ step }) => step).join(" | "),
    );
  }
  const { tokenTypes } = info;
  const { queries, keys } = figures;
  return {
    properties: {
      steps,
      head,
      heads: view.size?.heads ?? 0,
      unusual,
      tokenTypes,
      queries,
      keys,
      held,
      colours: state.colours,
      place: explained?.place ?? null,
      explanation: explained?.explanation ?? null,
    } satisfies Partial<HeadscopeSteps>,
    explain: (cell) =>
      explainNumber(run, { ...head, ...cell }).catch((thrown: unknown) => {
        if (isExpected(thrown)) return null;
        throw thrown;
      }),
  };
}
