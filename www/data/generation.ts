/** A possible next token. */
export interface Prediction {
  id: number;
  /** Readable text of the token. */
  text: string;
  /** Set where the token goes on with the word before it instead of beginning one. */
  continuesWord?: true;
  logit: number;
  probability: number;
}

/** One token that the model wrote, and what else it considered. */
export interface GenerationEvent {
  /** Index of the written token, from zero. */
  step: number;
  /** Most probable first. */
  candidates: Prediction[];
  chosen: Prediction;
  /** Probability of the chosen token. */
  probability: number;
}
