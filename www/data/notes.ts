import type { Role, Stack } from "./generated.js";

/** How far a head plays each role, from 0 to 1; null where that was not defined. */
export type RoleScores = Record<Role, number | null>;

/** A sentence that the model never saw in training. */
export interface HeldOutSentence {
  text: string;
  /** Of a translator: what people made of it. */
  targets?: string[];
}

/** What is known of a trained model beside its weights: the contents of `headscope.json`. */
export interface ModelNotes {
  version: 1;
  /** From what it was taken. */
  heldOut: { sentences: number; seed: number; note: string };
  /** The most tokens that training ever saw in one text; of a translator on both sides. Notes need not say so. */
  longest?: { source: number; target?: number };
  /** By stack, block and head. */
  roles: Partial<Record<Stack, RoleScores[][]>>;
  /** How often each entry of the vocabulary stood in the training text. */
  unigrams: number[];
  sentences: HeldOutSentence[];
}
