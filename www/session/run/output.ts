/**
 * The text that a model gives for an input: a translation, a continuation, or the sentence with its
 * masked tokens filled in.
 */
import type { GenerateRequest, Prediction } from "../../data/index.js";
import type { Model, Run, RunInput } from "../../headscope.js";

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
  /** The model's continuation of `text`. Bytes that make no whole character (yet) are named. */
  written: string;
  candidates: NextToken[];
}

/** The output of a model, and the name of the input and the run that it belongs to. */
export interface Output {
  of: string;
  run?: Run;
  words: string;
}

/** The name of an input and of how a model writes: the same with and without edits. */
export function inputName(
  { text = "", specialTokens = true, masked = [] }: RunInput,
  settings: GenerateRequest,
): string {
  return JSON.stringify([text, specialTokens, masked, settings]);
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

/** The text with the likeliest token in place of each masked one; null without a masked token. */
async function filledText(model: Model, run: Run): Promise<string | null> {
  const positions = run.tokens.flatMap(({ role }, at) => (role === "mask" ? [at] : []));
  if (positions.length === 0) return null;
  const best = await run.predictions({ positions, topK: 1 });
  const filled = new Map(positions.map((position, at) => [position, best[at]?.[0]?.id]));
  const ids = run.tokens.flatMap(({ id, special }, at) => filled.get(at) ?? (special ? [] : [id]));
  return model.decode(ids);
}
