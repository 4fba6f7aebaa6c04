import type {
  Cell,
  Explanation,
  HeadRef,
  StepCell,
  StepPlace,
  StepTensor,
} from "../../data/index.js";
import type { Run } from "../../headscope.js";
import type { State } from "../../state/index.js";

/** An explanation with the number that it is of. */
export interface Explained {
  place: StepPlace;
  explanation: Explanation;
}

/** The number of a block that is held: the one asked for if the block has it, or else the weight of the pair. */
export function heldNumber(
  steps: readonly StepTensor[],
  number: StepCell | null,
  pair: Cell | null,
): StepCell | null {
  const [rows = 0, columns = 0] =
    steps.find(({ step }) => step === number?.step)?.tensor.shape ?? [];
  // A link, or the head that was looked at before, may name a number that this block has not.
  if (number && number.row < rows && number.column < columns) return number;
  return pair && { step: "weights", row: pair.query, column: pair.key };
}

/** Asks what makes a number of a head's block. */
export async function explainNumber(run: Run, head: HeadRef, cell: StepCell): Promise<Explained> {
  const place = { ...head, ...cell };
  return { place, explanation: await run.explain(place) };
}

/** The fields of a State in which a number is held, in whichever block it stands; none is held with null. */
export function holding(to: StepPlace | null): Partial<State> {
  if (!to) return { number: null };
  const { stack, layer, head, step, row, column } = to;
  return { stack, layer, head, number: { step, row, column } };
}
