import type { Prediction } from "../../data/index.js";
import type { Model, RunInput } from "../../headscope.js";

/** How far the page lets a model go on: enough to see where it is heading. */
const MOST_TOKENS = 12;

/** A token that could stand next, with the text that taking it adds. */
export interface NextToken {
  prediction: Prediction;
  /** Empty for a token that ends the text, which adds nothing; null for a part of a character, which no text can hold. */
  addition: string | null;
}

/** How a model goes on with a text: what it writes by itself, and what it could write first. */
export interface Continuation {
  text: string;
  /** What the model writes after `text`, greedily. Bytes that make no whole character, perhaps only not yet, are named. */
  written: string;
  /** Most probable first. */
  candidates: NextToken[];
}

/** Lets a model go on with a text; `changed` hears of every token. Null if it wrote nothing. */
export async function goOn(
  model: Model,
  input: RunInput & { text: string },
  signal: AbortSignal,
  changed: (continuation: Continuation) => void,
): Promise<Continuation | null> {
  const ids = model.tokenize(input.text).map(({ id }) => id);
  const before = model.decode(ids);
  const additionOf = (more: number[], nameBytes: boolean): string => {
    const all = model.decode([...ids, ...more], { nameBytes });
    // A tokenizer that tidies up may change what stood before; then the new tokens speak for themselves.
    return all.startsWith(before) ? all.slice(before.length) : model.decode(more, { nameBytes });
  };
  const nextToken = (prediction: Prediction): NextToken => {
    const addition = additionOf([prediction.id], false);
    return {
      prediction,
      addition: addition === additionOf([prediction.id], true) ? addition : null,
    };
  };
  const written: number[] = [];
  let continuation: Continuation | null = null;
  for await (const event of model.generate(input, { maxTokens: MOST_TOKENS, signal })) {
    written.push(event.chosen.id);
    const candidates: NextToken[] = continuation?.candidates ?? event.candidates.map(nextToken);
    continuation = { text: input.text, written: additionOf(written, true), candidates };
    changed(continuation);
  }
  return continuation;
}
