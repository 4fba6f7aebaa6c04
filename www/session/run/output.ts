/**
 * The text that a model gives for an input: a translation, a continuation, or the sentence with its
 * masked tokens filled in.
 */
import type { Prediction } from "../../data/index.js";
import type { Model, Run, RunInput } from "../../headscope.js";
import { asFailure } from "./failures.js";

const CONTINUATION_TOKENS = 12;

/** A possible next token, with the text that it adds. */
export interface NextToken {
  prediction: Prediction;
  /**
   * The added text; empty for a token that ends the text, null for a part of a character, which no
   * text can hold.
   */
  addition: string | null;
}

export interface Continuation {
  text: string;
  /**
   * The model's continuation of `text` by greedy decoding. Bytes that make no whole character (yet)
   * are shown by name.
   */
  written: string;
  candidates: NextToken[];
}

/** The model's continuations of a text, one for every further token. */
export async function* continuationsOf(
  model: Model,
  input: RunInput & { text: string },
  signal: AbortSignal,
): AsyncGenerator<Continuation> {
  const ids = model.tokenize(input.text).map(({ id }) => id);
  const before = model.decode(ids);
  const additionOf = (more: number[], nameBytes: boolean): string => {
    const all = model.decode([...ids, ...more], { nameBytes });
    // A tokenizer that cleans up spaces may change the text before; then the new tokens are decoded
    // alone.
    return all.startsWith(before) ? all.slice(before.length) : model.decode(more, { nameBytes });
  };
  const nextToken = (prediction: Prediction): NextToken => {
    const addition = additionOf([prediction.id], false);
    const isWhole = addition === additionOf([prediction.id], true);
    return { prediction, addition: isWhole ? addition : null };
  };
  const writtenIds: number[] = [];
  let first: NextToken[] | undefined;
  const options = { max_new_tokens: CONTINUATION_TOKENS, signal };
  for await (const { chosen, candidates } of model.generate(input, options)) {
    writtenIds.push(chosen.id);
    first ??= candidates.map(nextToken);
    yield { text: input.text, written: additionOf(writtenIds, true), candidates: first };
  }
}

/** The output of a model, and the name of the input that it belongs to. */
export interface Output {
  of: string;
  words: string;
}

/** The name of an input: the same with and without edits. */
export function inputName({ text = "", masked = [] }: RunInput): string {
  return JSON.stringify([text, masked]);
}

/**
 * The output of a run; null if the model writes none, or if the user wrote the translation.
 * `continued` is the continuation of a decoder, which is no part of its run.
 */
export async function outputOf(
  model: Model,
  input: RunInput,
  run: Run,
  continued: string | null,
): Promise<string | null> {
  const { architecture, predicts } = model.info;
  if (!predicts || input.image || input.target !== undefined) return null;
  if (architecture === "encoder-decoder") return run.targetText;
  return architecture === "decoder" ? continued : filledText(model, run);
}

/** The output for an input without its edits; null if the model alone cannot take the text. */
export async function uneditedOutput(
  model: Model,
  { text = "", masked }: RunInput,
  signal: AbortSignal,
): Promise<string | null> {
  const input = { text, ...(masked && { masked }) };
  try {
    if (model.info.architecture === "decoder") {
      let words: string | null = null;
      for await (const { written } of continuationsOf(model, input, signal)) words = written;
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

/** The text with the likeliest token in place of each masked one; null without a masked token. */
async function filledText(model: Model, run: Run): Promise<string | null> {
  const positions = run.tokens.flatMap(({ role }, at) => (role === "mask" ? [at] : []));
  if (positions.length === 0) return null;
  const best = await run.predictions({ positions, topK: 1 });
  const filled = new Map(positions.map((position, at) => [position, best[at]?.[0]?.id]));
  const ids = run.tokens.flatMap(({ id, special }, at) => filled.get(at) ?? (special ? [] : [id]));
  return model.decode(ids);
}
