import type { Prediction, Token } from "../../data/index.js";
import type { Run } from "../../headscope.js";

/** How many entries of the vocabulary are listed. */
const LISTED = 5;

/** Where in the text the model is asked what it expects: after a token, or in place of a hidden one. */
export interface Place {
  kind: "after" | "instead";
  position: number;
}

/** What a model expects at a place. */
export interface Expectation {
  /** The token after which, or instead of which. */
  at: Token;
  /** Most probable first. */
  predictions: Prediction[];
  /** What really stands there, with the share that the model gives it; null after a token. */
  truth: { id: number; probability: number } | null;
}

/** Asks a run what it expects. */
export async function readExpectation(
  run: Run,
  { kind, position }: Place,
): Promise<Expectation | null> {
  const at = (kind === "after" && run.targetTokens.length > 0 ? run.targetTokens : run.tokens)[
    position
  ];
  const [predictions = []] = await run.predictions({ positions: [position], topK: LISTED });
  if (at === undefined) return null;
  if (kind === "after" || at.hiddenId === undefined) return { at, predictions, truth: null };
  const { hiddenId, hiddenText = at.text } = at;
  const [truth] = await run.probabilities({ positions: [position], ids: [hiddenId] });
  return {
    at: { ...at, text: hiddenText, role: null },
    predictions,
    truth: { id: hiddenId, probability: truth?.probability ?? NaN },
  };
}
