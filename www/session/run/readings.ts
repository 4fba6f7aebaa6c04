import type * as data from "../../data/index.js";
import { HeadscopeError, type Run } from "../../headscope.js";
import type { State } from "../../state/index.js";

const LISTED_PREDICTIONS = 5;

/**
 * The position at which the model is asked for a prediction: after a token, or in place of a masked
 * one.
 */
export interface Place {
  kind: "after" | "instead";
  position: number;
  /** The number of possible answers, if they may be fewer than the list has: an image's classes. */
  outOf?: number;
}

export interface Expectation {
  at: data.Token;
  predictions: data.Prediction[];
  /** The actual token at the position, with the model's probability for it; null after a token. */
  truth: { id: number; probability: number } | null;
}

export async function readExpectation(
  run: Run,
  { kind, position, outOf = LISTED_PREDICTIONS }: Place,
): Promise<Expectation | null> {
  const tokens = kind === "after" && run.targetTokens.length > 0 ? run.targetTokens : run.tokens;
  const at = tokens[position];
  const asked = { positions: [position], topK: Math.min(LISTED_PREDICTIONS, outOf) };
  const [predictions = []] = await run.predictions(asked);
  if (at === undefined) return null;
  if (kind === "after" || at.maskedId === undefined) return { at, predictions, truth: null };
  const { maskedId, maskedText = at.text } = at;
  const [truth] = await run.probabilities({ positions: [position], ids: [maskedId] });
  return {
    at: { ...at, text: maskedText, role: null },
    predictions,
    truth: { id: maskedId, probability: truth?.probability ?? NaN },
  };
}

/**
 * The singular values of a head's patterns; `"too-long"` if the text is too long to compute them.
 */
export type SpectrumAnswer = data.Spectrum | "too-long";

export async function readSpectrum(run: Run, head: data.HeadRef): Promise<SpectrumAnswer> {
  try {
    return await run.spectrum(head);
  } catch (thrown) {
    if (thrown instanceof HeadscopeError && thrown.code === "selection/too-large")
      return "too-long";
    throw thrown;
  }
}

/** An explanation with the number that it explains. */
export interface Explained {
  place: data.StepPlace;
  explanation: data.Explanation;
}

/**
 * The selected number of a block: that of the State if the block has it, or else the weight of the
 * pair.
 */
export function heldNumber(
  steps: readonly data.StepTensor[],
  number: data.StepCell | null,
  pair: data.Cell | null,
): data.StepCell | null {
  const [rows = 0, columns = 0] =
    steps.find(({ step }) => step === number?.step)?.tensor.shape ?? [];
  // A link, or the head before, may name a number that this block does not have.
  if (number && number.row < rows && number.column < columns) return number;
  return pair && { step: "weights", row: pair.query, column: pair.key };
}

export async function explainNumber(run: Run, place: data.StepPlace): Promise<Explained> {
  // A place that was followed also says how the terms go on.
  const { stack, layer, head, step, row, column } = place;
  return { place, explanation: await run.explain({ stack, layer, head, step, row, column }) };
}

/**
 * The fields of a State in which a number is held, in whichever block it stands; none is held with
 * null.
 */
export function holding(to: data.StepPlace | null): Partial<State> {
  if (!to) return { number: null };
  const { stack, layer, head, step, row, column } = to;
  return { stack, layer, head, number: { step, row, column } };
}
