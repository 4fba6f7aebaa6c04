import type { GenerationEvent, Prediction } from "../../data/index.js";
import type { Model, RunInput } from "../../headscope.js";

/** How far the page lets a model go on: enough to see where it is heading. */
const MOST_TOKENS = 12;

/** A token that could stand next, with the text that taking it adds. */
export interface NextToken {
  prediction: Prediction;
  /** Empty for a token that ends the text, which adds nothing. */
  addition: string;
}

/** How a model goes on with a text: what it writes by itself, and what it could write first. */
export interface Continuation {
  text: string;
  /** What the model writes after `text`, greedily. */
  written: string;
  /** Most probable first. */
  candidates: NextToken[];
}

/** Lets a model go on with a text; `changed` hears of every token. Null if it wrote nothing. */
export async function goOn(model: Model, input: RunInput & { text: string }, signal: AbortSignal, changed: (continuation: Continuation) => void): Promise<Continuation | null> {
  const ids = model.tokenize(input.text).map(({ id }) => id);
  const before = model.decode(ids);
  const additionOf = (more: number[]): string => {
    const all = model.decode([...ids, ...more]);
    // A tokenizer that tidies up may change what stood before; then the new tokens speak for themselves.
    return all.startsWith(before) ? all.slice(before.length) : model.decode(more);
  };
  const written: number[] = [];
  let continuation: Continuation | null = null;
  for await (const event of model.generate(input, { maxTokens: MOST_TOKENS, signal })) {
    written.push(event.chosen.id);
    const candidates: NextToken[] = continuation?.candidates ?? candidatesOf(event, additionOf);
    continuation = { text: input.text, written: additionOf(written), candidates };
    changed(continuation);
  }
  return continuation;
}

function candidatesOf({ candidates }: GenerationEvent, additionOf: (more: number[]) => string): NextToken[] {
  return candidates.map((prediction) => ({ prediction, addition: additionOf([prediction.id]) }));
}
