import type { HeadRef, StepCell } from "../data/index.js";
import type { Run } from "../headscope.js";
import type { State } from "../state/index.js";
import { sentenceOf } from "../views/explorer/failure-words.js";
import { inputOf } from "../views/run/computation.js";
import { asFailure, isExpected } from "../views/run/failures.js";
import { chosenHead } from "../views/run/selection.js";
import { explainNumber, type Explained } from "../views/run/steps.js";
import type { Ask, Sitting } from "./desk.js";
import type { FigureTag } from "./figures.js";
import type { Memory } from "./memory.js";
import { READS } from "./reads.js";
import type { Lacking, Shown } from "./subject.js";

// All that a figure needs once it is near the window, the engine included; until then nothing of it is fetched.
export { desk } from "./desk.js";

/** What a figure shows of what a State asks for, or why there is nothing to show. */
export async function answer(
  tag: FigureTag,
  sitting: Sitting,
  state: State,
  memory: Memory,
): Promise<Shown | Lacking> {
  const [model, run] = await Promise.all([sitting.model, sitting.run]);
  const { info } = model;
  const head = chosenHead(state, info);
  if (!head) throw new Error("The model has no attention.");
  return {
    run,
    head,
    sizes: info.stacks,
    backend: info.backend,
    ...(await READS[tag]({ run, model, info, head, state, memory, sitting })),
  };
}

/** What a figure asks of the model that its State names. */
export const askOf =
  (state: State): Ask =>
  (model) =>
    inputOf(state, model);

/** What makes a number; null where the run is gone meanwhile and another picture is on its way. */
export async function explained(
  run: Run,
  head: HeadRef,
  cell: StepCell,
): Promise<Explained | null> {
  try {
    return await explainNumber(run, head, cell);
  } catch (thrown) {
    if (isExpected(thrown)) return null;
    throw thrown;
  }
}

/** What went wrong, in the page's language, with its code. */
export async function sentenceFor(
  thrown: unknown,
  sitting: Sitting | null,
): Promise<{ sentence: string; code: string }> {
  const failure = asFailure(thrown);
  const model = await sitting?.model.catch(() => null);
  return {
    sentence: sentenceOf(failure, {
      maxTokens: model?.info.maxTokens ?? 0,
      showsEarlierText: false,
      ownFolder: false,
    }),
    code: failure.code,
  };
}
