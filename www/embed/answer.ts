import type { HeadRef, StepCell } from "../data/index.js";
import type { Run } from "../headscope.js";
import { refuse } from "../engine/errors.js";
import { unreadAttribute, writtenAttribute, type Decoded, type State } from "../state/index.js";
import { sentenceOf } from "../views/explorer/failure-words.js";
import { inputOf } from "../views/run/computation.js";
import { asFailure, isExpected } from "../views/run/failures.js";
import { absentIn } from "../views/run/fitting.js";
import { chosenHead } from "../views/run/selection.js";
import { type Explained, explainNumber } from "../views/run/readings.js";
import type { Ask, Sitting } from "./desk.js";
import type { FigureTag } from "./figures.js";
import type { Memory } from "./memory.js";
import { READS } from "./reads.js";
import { refuseAbsent, type Lacking, type Shown } from "./subject.js";

// All that a figure needs once it is near the window, the engine included; until then nothing of it is fetched.
export { addressOf } from "../views/run/model-pool.js";
export { desk } from "./desk.js";

/** Refuses an element with an attribute that cannot be read. */
export function refuseUnread(element: Element, decoded: Decoded): void {
  const unread = unreadAttribute(element, decoded);
  if (unread)
    throw refuse("attribute/unreadable", "Reading an attribute", unread.form, unread.written);
}

/** What a figure shows of what a State asks for, or why there is nothing to show. What its attributes `asked` for is there, or is refused. */
export async function answer(
  tag: FigureTag,
  sitting: Sitting,
  state: State,
  memory: Memory,
  asked: Decoded,
): Promise<Shown | Lacking> {
  const [model, run] = await Promise.all([sitting.model, sitting.run]);
  const { info } = model;
  const head = chosenHead(state, info);
  if (!head) throw new Error("The model has no attention.");
  const [absent] = absentIn(state, info, run).filter(
    ({ key }) => asked.said.includes(key) && state[key] === asked.state[key],
  );
  if (absent) throw refuseAbsent(writtenAttribute(absent.key, state), absent.there);
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
