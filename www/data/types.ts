// The plain types that all modules share, beside the types generated from the core.
import {
  type Branch,
  type Draw,
  type Hypothesis,
  LEAST_SCORE,
  ROLES,
  type HeadEdit,
  type HeadRef,
  type ModelInfo as CoreInfo,
  type Role,
  type ScoreStage,
  type Stack,
  type Stage,
  type Step,
  type Tensor,
} from "./generated.js";

/** One row of a matrix, as a view, not a copy. */
export function rowOf({ data, shape }: Pick<Tensor, "data" | "shape">, row: number): Float32Array {
  const columns = shape[1] ?? 0;
  return data.subarray(row * columns, (row + 1) * columns);
}

/** The role of a special token, as far as the tokenizer's files define it. */
export type TokenRole = "start" | "end" | "pad" | "mask" | "unknown";

/** One token of a text, as the page shows it. */
export interface Token {
  id: number;
  /** The token as readable text, never U+FFFD; the raw name of a special token, such as `</s>`. */
  text: string;
  /** Index of the word that the token belongs to; -1 for a special token. */
  word: number;
  special: boolean;
  role: TokenRole | null;
  /** The text in place of the mask token, for a masked token. */
  maskedText?: string;
  /** The id in place of the mask token, for a masked token. */
  maskedId?: number;
}

/** The stacks that have layers: cross-attention is a sublayer of the decoder's. */
export type BlockStack = Exclude<Stack, "cross">;

export function blockStackOf({ stack }: Pick<HeadRef, "stack">): BlockStack {
  return stack === "encoder" ? "encoder" : "decoder";
}

/**
 * What each key of a head adds: to the residual stream, by its length, to a logit, and to first
 * order, through all that follows, to a chosen logit.
 */
export const SHARES = ["norms", "effects", "gradient"] as const;
export type Share = (typeof SHARES)[number];

/** The patterns of several heads joined into one, of the chosen layer or of a whole stack. */
export const JOINED = [
  "layer-mean",
  "layer-maximum",
  "mean",
  "maximum",
  "rollout",
  "flow",
  "relevance",
] as const;
export type Joined = (typeof JOINED)[number];

/** The numbers that a heatmap of pairs can show. */
export type PairNumbers = Stage | Share | Joined;

export function isShare(of: PairNumbers): of is Share {
  return SHARES.some((share) => share === of);
}

export function isJoined(of: PairNumbers): of is Joined {
  return JOINED.some((joined) => joined === of);
}

/** Whether the numbers are about a logit, of which the entry of the vocabulary may be chosen. */
export function isOfEntry(of: PairNumbers): of is "effects" | "gradient" | "relevance" {
  return of === "effects" || isOfPrediction(of);
}

/** Whether the numbers are about one prediction. */
export function isOfPrediction(of: PairNumbers): of is "gradient" | "relevance" {
  return of === "gradient" || of === "relevance";
}

/** Whether joined heads follow the blocks of one text, which cross-attention does not have. */
export function isOfBlocks(of: PairNumbers): of is "rollout" | "flow" {
  return of === "rollout" || of === "flow";
}

/** Whether joined heads are those of a whole stack, whatever layer is chosen. */
export function isOfStack(of: PairNumbers): of is "mean" | "maximum" | "relevance" {
  return of === "mean" || of === "maximum" || of === "relevance";
}

/** One head's weights, `[query, key]`. */
export interface HeadPattern {
  head: number;
  weights: Tensor;
}

/** The queries and the keys of a head, `[position, head_dim]` each. */
export interface HeadVectors {
  query: Tensor;
  key: Tensor;
}

/** One cell of an attention pattern. */
export interface Cell {
  query: number;
  key: number;
}

/**
 * A region of a matrix: `rows` queries from `query` on, `columns` keys from `key` on, all of them
 * inside the matrix.
 */
export interface Region extends Readonly<Cell> {
  readonly rows: number;
  readonly columns: number;
}

/**
 * The sums and extremes of a pattern. Masked cells and numbers that are not finite are left out of
 * all sums.
 */
export interface Marginals {
  /** The sum of each query's row. */
  queries: number[];
  /** The sum of each key's column. */
  keys: number[];
  /** The smallest and the largest number, 0 if there is none. */
  least: number;
  largest: number;
  /** The number of masked cells. */
  forbidden: number;
}

/** One cell of a step's matrix, in the view of a head. */
export interface StepCell {
  step: Step;
  row: number;
  column: number;
}

/**
 * The origin of the numbers that positions add to the embeddings of a stack: training, a formula of
 * the position, or a random draw by seed.
 */
export type PositionOrigin = "learnt" | "wave" | "drawn";
export type PositionOrigins = Readonly<Record<BlockStack, PositionOrigin>>;

/** A cell of a step's matrix with the head that it belongs to. */
export interface StepPlace extends HeadRef, StepCell {}

/** A hidden state: the depth that it belongs to, 0 for the embedding, and its position. */
export interface DepthPlace {
  layer: number;
  position: number;
}

/** An entry of the vocabulary that a model predicts. */
export interface EntryName {
  id: number;
  /** Readable text of the token. */
  text: string;
  /** Whether the token continues the word before it; absent if it begins a word. */
  continuesWord?: true;
}

/** A possible next token. */
export interface Prediction extends EntryName {
  logit: number;
  probability: number;
}

/** One generated token, and the other candidates. */
export interface GenerationEvent {
  kind: "step";
  /** The index of the generated token, from zero. */
  step: number;
  /** The candidates: the chosen one, then those with the best scores after all settings. */
  candidates: Prediction[];
  chosen: Prediction;
  /** Probability of the chosen token. */
  probability: number;
  /**
   * The best tokens by the model alone, and after each setting that changed a score; empty where no
   * score was changed.
   */
  stages: GenerationStage[];
  /** The drawn number and where it fell; null where the likeliest token is written. */
  draw: Draw | null;
}

/** The best tokens after a setting of generation changed their scores. */
export interface GenerationStage extends Omit<ScoreStage, "candidates"> {
  /** The best tokens that may be written, with their changed scores as logits. */
  candidates: Prediction[];
}

/** An event of beam search: a step of all beams, and at the end the ranking of complete texts. */
export type BeamEvent = BeamStep | BeamRanking;

/** One step of beam search: the best continuations of all kept branches. */
export interface BeamStep {
  kind: "expand";
  /** The index of the step, from zero. */
  step: number;
  /**
   * The continuations with the largest sums, the largest first: two for each beam, or with several
   * end tokens one more than these for each beam.
   */
  branches: BeamBranch[];
}

/**
 * One continuation in beam search. The branches of all steps are a tree: the tokens of a branch are
 * those of its parents and its own.
 */
export interface BeamBranch extends Omit<Branch, "token"> {
  /** The token, with the model's own logit and probability. */
  token: Prediction;
}

/** The end of beam search. */
export interface BeamRanking {
  kind: "finish";
  /** The best complete texts, the largest score first. */
  hypotheses: BeamHypothesis[];
}

/** A complete text of beam search. */
export interface BeamHypothesis extends Hypothesis {
  /** The written text, without special tokens. */
  text: string;
}

/** The heads that an edit applies to; an absent field means all. */
export type Scope = Omit<HeadEdit, "gate" | "pattern">;

/** A fixed pattern: a name, or numbers `[query][key]`. */
export type FixedPattern = NonNullable<HeadEdit["pattern"]>;

/** A GPU, as the browser describes it; details that it withholds are empty texts. */
export interface Adapter {
  /** The vendor, such as `nvidia`, and the chip family, such as `ampere`. */
  vendor: string;
  architecture: string;
  description: string;
  /** Whether the adapter emulates a GPU in software: correct, but slower than the CPU backend. */
  software: boolean;
}

/** A head's score for each role, from 0 to 1; null where the score is undefined. */
export type RoleScores = Record<Role, number | null>;

/** A sentence that was not in the training text. */
export interface HeldOutSentence {
  text: string;
  /** The reference translations, for a translator. */
  targets?: string[];
}

/**
 * The texts on which a head plays its role most, and those on which it deviates from it, each by
 * its index in a list of texts with the role's score on it.
 */
export interface TypicalSentences {
  role: Role;
  /** The largest score first. */
  most: [index: number, score: number][];
  /** The smallest score first. */
  least: [index: number, score: number][];
}

/** Facts about a trained model beside its weights: the contents of `headscope.json`. */
export interface ModelNotes {
  version: 1;
  /** The texts on which the scores were measured. */
  heldOut: { sentences: number; seed: number; note: string };
  /**
   * The most tokens of a text in training; of a translator, on both sides. Notes may leave it out.
   */
  longest?: { source: number; target?: number };
  /** The role scores by stack, layer and head. */
  roles: Partial<Record<Stack, RoleScores[][]>>;
  /** The frequency of each entry of the vocabulary in the training text. */
  unigrams: number[];
  sentences: HeldOutSentence[];
  /**
   * Typical ones of `sentences`, by stack, layer and head; null for a head without a role. Notes
   * may leave it out.
   */
  typical?: Partial<Record<Stack, (TypicalSentences | null)[][]>>;
}

export type { CoreInfo };

/**
 * The description of a model before it runs: what the core reads from its config and weights, and
 * what its tokenizer adds.
 */
export interface ModelInfo extends CoreInfo {
  /** The id of the mask token, in a model that fills masked tokens; null in others. */
  maskToken: number | null;
  /** The GPU that computes the model; null on the CPU. */
  adapter: Adapter | null;
  /** Why the CPU computes after a GPU was tried: what it refused, or how it failed; else null. */
  gpuFailure: string | null;
}

/**
 * The colour maps for numbers that are never negative. All are safe for colour-blind readers, and
 * their lightness is monotonic.
 */
export const PALETTES = ["blue", "cividis", "viridis"] as const;
export type Palette = (typeof PALETTES)[number];

/** Whether a value of a mask, or a masked score, belongs to a masked cell. */
export function isForbidden(value: number): boolean {
  return value < LEAST_SCORE;
}

/** Whether any of some numbers is not 0. */
export function isAnySet(numbers: Float32Array): boolean {
  for (const value of numbers) if (value !== 0) return true;
  return false;
}

/** Whether a number has a colour in a picture. */
export function isDrawn(value: number): boolean {
  return Number.isFinite(value) && !isForbidden(value);
}

/**
 * The role of a head with these scores: the most specific one whose threshold is reached; null if
 * none is.
 */
export function assignedRole(scores: Readonly<RoleScores>): Role | null {
  return ROLES.find(({ role, threshold }) => (scores[role] ?? 0) >= threshold)?.role ?? null;
}

/** The roles that a more specific one makes plain, each with those that do so. */
const IMPLIED: Readonly<Partial<Record<Role, readonly Role[]>>> = {
  near: ["aligned", "next"],
  positional: ["previous", "next", "self"],
};

/**
 * The roles of a head with these scores, the most specific one first: all whose thresholds are
 * reached, without a neighbourhood or a fixed distance that another role names.
 */
export function reachedRoles(scores: Readonly<RoleScores>): Role[] {
  const reached = ROLES.filter(({ role, threshold }) => (scores[role] ?? 0) >= threshold);
  const roles = reached.map(({ role }) => role);
  return roles.filter((role) => !IMPLIED[role]?.some((one) => roles.includes(one)));
}

/** The share of the sum of all squares that the singular values of the rank of a matrix hold. */
export const HELD = 0.9;
