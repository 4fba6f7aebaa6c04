import type { HeadRef } from "../data/index.js";
import type { State } from "../state/index.js";
import { sentenceOf } from "../views/explorer/failure-words.js";
import { asFailure } from "../views/run/failures.js";
import { chosenHead } from "../views/run/selection.js";
import type { Sitting } from "./desk.js";
import type { FigureTag } from "./figures.js";
import { READS } from "./reads.js";

// All that a figure needs once it is near the window, the engine included; until then nothing of it is fetched.
export { desk } from "./desk.js";

/** The properties of a figure that shows what a State asks for, and the head that they are of. */
export async function answer(tag: FigureTag, sitting: Sitting, state: State): Promise<{ properties: object; head: HeadRef }> {
  const [{ info }, run] = await Promise.all([sitting.model, sitting.run]);
  const head = chosenHead(state, info);
  if (!head) throw new Error("The model has no attention.");
  return { properties: await READS[tag]({ run, info, head, state }), head };
}

/** What went wrong, in the page's language, with its code. */
export async function sentenceFor(thrown: unknown, sitting: Sitting | null): Promise<{ sentence: string; code: string }> {
  const failure = asFailure(thrown);
  const model = await sitting?.model.catch(() => null);
  return { sentence: sentenceOf(failure, { maxTokens: model?.info.maxTokens ?? 0, showsEarlierText: false, ownFolder: false }), code: failure.code };
}
