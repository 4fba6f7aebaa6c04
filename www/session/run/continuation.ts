/** What a decoder writes behind a text, and what a model gives for an input without its edits. */
import type { GenerateRequest, Prediction } from "../../data/index.js";
import type { Model, RunInput } from "../../headscope.js";
import { asFailure } from "./failures.js";
import { type Continuation, type NextToken, outputOf } from "./output.js";

const CONTINUATION_TOKENS = 12;

/**
 * The function that gives the text which tokens add behind the tokens `ids` of a text, or of a
 * `target`.
 */
export function additionsTo(
  { decode }: Pick<Model, "decode">,
  ids: readonly number[],
  target = false,
): (more: readonly number[], nameBytes: boolean) => string {
  const before = decode([...ids], { target });
  return (more, nameBytes) => {
    const all = decode([...ids, ...more], { nameBytes, target });
    // A tokenizer that cleans up spaces may change the text before; then the new tokens are decoded
    // alone.
    return all.startsWith(before)
      ? all.slice(before.length)
      : decode([...more], { nameBytes, target });
  };
}

/** The model's continuations of a text, one for every further token. */
export async function* continuationsOf(
  model: Model,
  input: RunInput & { text: string },
  settings: GenerateRequest,
  signal: AbortSignal,
): AsyncGenerator<Continuation> {
  const { specialTokens = true } = input;
  const ids = model.tokenize(input.text, undefined, { specialTokens }).map(({ id }) => id);
  const additionOf = additionsTo(model, ids);
  const nextToken = (prediction: Prediction): NextToken => {
    const addition = additionOf([prediction.id], false);
    const isWhole = addition === additionOf([prediction.id], true);
    return { prediction, addition: isWhole ? addition : null };
  };
  const writtenIds: number[] = [];
  let first: NextToken[] | undefined;
  const options = { ...settings, max_new_tokens: CONTINUATION_TOKENS, signal };
  for await (const event of model.generate(input, options)) {
    if (event.kind !== "step") continue;
    const { chosen, candidates } = event;
    writtenIds.push(chosen.id);
    first ??= candidates.map(nextToken);
    yield { text: input.text, written: additionOf(writtenIds, true), candidates: first };
  }
}

/** The output for an input without its edits; null if the model alone cannot take the text. */
export async function uneditedOutput(
  model: Model,
  { text = "", specialTokens, masked, generate }: RunInput,
  settings: GenerateRequest,
  signal: AbortSignal,
): Promise<string | null> {
  const input = {
    text,
    ...(specialTokens !== undefined && { specialTokens }),
    ...(masked && { masked }),
    ...(generate && { generate }),
  };
  try {
    if (model.info.architecture === "decoder") {
      let words: string | null = null;
      for await (const { written } of continuationsOf(model, input, settings, signal))
        words = written;
      return words;
    }
    const run = await model.run(input, { signal });
    const words = await outputOf(model, input, run, null);
    run.release();
    return words;
  } catch (thrown) {
    // Edited positions may take a text that is too long for the model alone.
    if (asFailure(thrown).code === "input/too-long") return null;
    throw thrown;
  }
}
