import type { Edits, HeldOutSentence, Token } from "../../../data/index.js";
import type { Model, Run } from "../../../headscope.js";

/*
 * The loss of a model on a sentence that it never saw, in nats: of a translator, for each token of what a person made of
 * it; of a model that writes, for each token after the first; of one that fills gaps, for every seventh token, hidden
 * with its like at once. `−ln p(token)`, summed over them.
 */

/** One in so many is hidden: about the share that such models are trained with. */
const HIDDEN_EVERY = 7;

interface SentenceLoss {
  sum: number;
  tokens: number;
}

/** The entry of the vocabulary that is right at a position. */
interface Wanted {
  position: number;
  id: number;
}

/** `index` is the sentence's place among all of them: it decides which tokens are hidden. */
export async function sentenceLoss(
  model: Model,
  { text, targets: [target = ""] = [] }: HeldOutSentence,
  index: number,
  edits: Edits,
): Promise<SentenceLoss> {
  const { architecture, endToken } = model.info;
  if (architecture === "encoder") {
    const hidden = hiddenPlaces(model.tokenize(text), index);
    return lossOf(await model.run({ text, hidden, edits }), ({ tokens }) =>
      hidden.map((position) => ({ position, id: tokens[position]?.hiddenId ?? 0 })),
    );
  }
  const run = await model.run(
    architecture === "encoder-decoder" ? { text, target, edits } : { text, edits },
  );
  // A translation ends with a token of its own; a text that is read may go on.
  const end = architecture === "encoder-decoder" && endToken !== null ? [endToken] : [];
  return lossOf(run, ({ targetTokens }) =>
    [...targetTokens.slice(1).map(({ id }) => id), ...end].map((id, position) => ({
      position,
      id,
    })),
  );
}

/** Every seventh ordinary token, beginning at another one in each sentence; at least one. */
export function hiddenPlaces(tokens: readonly Token[], index: number): number[] {
  const ordinary = tokens.flatMap(({ special }, position) => (special ? [] : [position]));
  const chosen = ordinary.filter((_, at) => at % HIDDEN_EVERY === index % HIDDEN_EVERY);
  return chosen.length > 0
    ? chosen
    : ordinary.slice(index % Math.max(1, ordinary.length)).slice(0, 1);
}

async function lossOf(run: Run, wanted: (run: Run) => Wanted[]): Promise<SentenceLoss> {
  try {
    const asked = wanted(run);
    const found = await run.probabilities({
      positions: asked.map(({ position }) => position),
      ids: asked.map(({ id }) => id),
    });
    return {
      sum: found.reduce((all, { logProbability }) => all - logProbability, 0),
      tokens: asked.length,
    };
  } finally {
    run.release();
  }
}
