import type { Prediction, Token } from "../../../data/index.js";
import type { Model, Run, RunInput } from "../../../headscope.js";
import { targetIdsOf } from "../../run/target-ids.js";

/** Places that are asked about at once: in between the engine hears who else asks. */
const AT_ONCE = 32;

/** What a run expects after one token. */
export interface NextWord {
  best: Prediction;
  /** The share of the token that really comes. */
  truth: number;
}

/** One place of a text: what comes there, and what the model expects with the edits and without. */
export interface Guess {
  after: Token;
  comes: Token;
  original: NextWord;
  edited: NextWord;
}

/** The very same tokens without any edit. */
export function originalInput({ info }: Model, run: Run): RunInput {
  const ids = run.tokens.map(({ id }) => id);
  const targetIds = targetIdsOf(run, info);
  return { ids, ...(targetIds && { targetIds }) };
}

/** What a decoder expects after every token but the last, beside the same without edits. */
export async function readGuesses(model: Model, run: Run): Promise<Guess[]> {
  const tokens = [...run.targetTokens];
  if (tokens.length < 2) return [];
  const plain = await model.run(originalInput(model, run));
  try {
    const [original, edited] = await Promise.all([
      nextWords(plain, tokens),
      nextWords(run, tokens),
    ]);
    return tokens.slice(1).flatMap((comes, at) => {
      const [after, one, other] = [tokens[at], original[at], edited[at]];
      return after && one && other ? [{ after, comes, original: one, edited: other }] : [];
    });
  } finally {
    plain.release();
  }
}

/** Whether the best word is the one that comes. */
export function isRight({ best }: NextWord, comes: Token): boolean {
  return best.id === comes.id;
}

async function nextWords(run: Run, tokens: readonly Token[]): Promise<NextWord[]> {
  const words: NextWord[] = [];
  for (let from = 0; from < tokens.length - 1; from += AT_ONCE) {
    const positions = Array.from(
      { length: Math.min(AT_ONCE, tokens.length - 1 - from) },
      (_, at) => from + at,
    );
    const ids = tokens.slice(from + 1, from + 1 + positions.length).map(({ id }) => id);
    const [best, truths] = await Promise.all([
      run.predictions({ positions, topK: 1 }),
      run.probabilities({ positions, ids }),
    ]);
    truths.forEach(({ probability }, at) => {
      const [first] = best[at] ?? [];
      if (first) words.push({ best: first, truth: probability });
    });
  }
  return words;
}
