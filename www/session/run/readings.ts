import type * as data from "../../data/index.js";
import { HeadscopeError, type Run } from "../../headscope.js";
import type { State } from "../../state/index.js";

const LISTED_PREDICTIONS = 5;

/**
 * Where in the text the model is asked what it expects: after a token, or in place of a masked one.
 */
export interface Place {
  kind: "after" | "instead";
  position: number;
  /** Of so many there may be fewer than are listed: an image's classes. */
  outOf?: number;
}

export interface Expectation {
  at: data.Token;
  predictions: data.Prediction[];
  /** What really stands there, with the share that the model gives it; null after a token. */
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
 * What a head's patterns have of each of their directions; of a text for which that would take too
 * long, why not.
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

/** An explanation with the number that it is of. */
export interface Explained {
  place: data.StepPlace;
  explanation: data.Explanation;
}

/**
 * The selected number of a block: the one of the State if the block has it, or else the weight of
 * the pair.
 */
export function heldNumber(
  steps: readonly data.StepTensor[],
  number: data.StepCell | null,
  pair: data.Cell | null,
): data.StepCell | null {
  const [rows = 0, columns = 0] =
    steps.find(({ step }) => step === number?.step)?.tensor.shape ?? [];
  // A link, or the head that was looked at before, may name a number that this block has not.
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
