// The plain types that all modules share, beside those that are generated from the core.
import {
  LEAST_SCORE,
  ROLES,
  type CellOperation,
  type HeadEdit,
  type ModelInfo as CoreInfo,
  type Role,
  type Stack,
  type Step,
  type TermSource,
} from "./generated.js";

/** Numbers with their shape and the name of each axis: what every figure draws. */
export interface Tensor {
  /** Row-major values. */
  data: Float32Array;
  shape: number[];
  /** One name per axis, for instance `["query", "key"]` or `["layer", "head", "query", "key"]`. */
  axes: string[];
}

/** One row of a matrix, not copied. */
export function rowOf({ data, shape }: Pick<Tensor, "data" | "shape">, row: number): Float32Array {
  const columns = shape[1] ?? 0;
  return data.subarray(row * columns, (row + 1) * columns);
}

/** What a special token is for, where the tokenizer says so. */
export type TokenRole = "start" | "end" | "pad" | "mask" | "unknown";

/** One token of a text, as the page shows it. */
export interface Token {
  id: number;
  /** Readable, never U+FFFD. A special token carries its raw name, such as `</s>`. */
  text: string;
  /** Index of the word that the token belongs to; -1 for a special token. */
  word: number;
  special: boolean;
  role: TokenRole | null;
  /** Of a token that was replaced by the mask token: what is read there otherwise. */
  maskedText?: string;
  /** And its id. */
  maskedId?: number;
}

/** One attention head. All indices start at zero. */
export interface HeadRef {
  stack: Stack;
  layer: number;
  head: number;
}

/** The stacks that have blocks: cross-attention is a sublayer of the decoder's. */
export type BlockStack = Exclude<Stack, "cross">;

export function blockStackOf({ stack }: Pick<HeadRef, "stack">): BlockStack {
  return stack === "encoder" ? "encoder" : "decoder";
}

/** One head's weights, `[query, key]`. */
export interface HeadPattern {
  head: number;
  weights: Tensor;
}

/** What a head multiplies, `[position, head_dim]` each: the queries' vectors and the keys'. */
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
 * A part of a matrix: `rows` queries from `query` on, `columns` keys from `key` on. All of them are
 * there.
 */
export interface Region extends Readonly<Cell> {
  readonly rows: number;
  readonly columns: number;
}

/**
 * What stands at the margins of a pattern. Forbidden cells, and what is no finite number, are in
 * none of the sums.
 */
export interface Marginals {
  /** The sum of each query's row. */
  queries: number[];
  /** The sum of each key's column. */
  keys: number[];
  /** The smallest and the largest number, 0 where there is none. */
  least: number;
  largest: number;
  /** How many cells may not be looked at. */
  forbidden: number;
}

/**
 * One matrix of the way through a block, a row per token; the columns of heads stand side by side.
 */
export interface StepTensor {
  step: Step;
  tensor: Tensor;
}

/** One cell of one of those matrices, seen from a head. */
export interface StepCell {
  step: Step;
  row: number;
  column: number;
}

/** Numbers that a cell was made of, with the place where the first of them stands. */
export interface TermLine {
  source: TermSource;
  values: Float32Array;
}

/** What makes a cell: an operation on lines of as many numbers as there are terms. */
export interface Explanation {
  operation: CellOperation;
  lines: TermLine[];
  /** The cell itself. */
  value: number;
}

/**
 * What made the numbers that positions add to the tokens of a stack: training, a formula of the
 * position, or a drawing by seed.
 */
export type PositionOrigin = "learnt" | "wave" | "drawn";
export type PositionOrigins = Readonly<Record<BlockStack, PositionOrigin>>;

/** The same cell with the head that it is seen from. */
export interface StepPlace extends HeadRef, StepCell {}

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

/** Which heads an edit touches; what is absent means everywhere. */
export type Scope = Omit<HeadEdit, "gate" | "pattern">;

/**
 * What can stand in the place of a head's weights: a pattern that has a name, or numbers
 * `[query][key]`.
 */
export type FixedPattern = NonNullable<HeadEdit["pattern"]>;

/** A GPU as the browser names it; what it keeps to itself is an empty text. */
export interface Adapter {
  /** Such as `nvidia`, and its line of chips, such as `ampere`. */
  vendor: string;
  architecture: string;
  description: string;
  /** Whether it only imitates a GPU: right, but slower than the CPU backend. */
  software: boolean;
}

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
  /** Which texts it was measured on. */
  heldOut: { sentences: number; seed: number; note: string };
  /**
   * The most tokens that training ever saw in one text; of a translator on both sides. Notes need
   * not say so.
   */
  longest?: { source: number; target?: number };
  /** By stack, block and head. */
  roles: Partial<Record<Stack, RoleScores[][]>>;
  /** How often each entry of the vocabulary stood in the training text. */
  unigrams: number[];
  sentences: HeldOutSentence[];
}

export type { CoreInfo };

/**
 * What may be known of a model before it runs: what the core read of its config and weights, and
 * what its tokenizer adds.
 */
export interface ModelInfo extends CoreInfo {
  /** What stands for a masked word, in a model that fills in such words. */
  maskToken: number | null;
  /** The GPU that computes it; null on the CPU. */
  adapter: Adapter | null;
}

/**
 * Colour maps for what is never negative. All are safe for colour-blind eyes, and their lightness
 * goes one way.
 */
export const PALETTES = ["blue", "cividis", "viridis"] as const;
export type Palette = (typeof PALETTES)[number];

/** Whether a cell of a mask, or a score after it, may not be looked at. */
export function isForbidden(value: number): boolean {
  return value < LEAST_SCORE;
}

/** Whether a picture has a colour for a number. */
export function isDrawn(value: number): boolean {
  return Number.isFinite(value) && !isForbidden(value);
}

/**
 * The role that is assigned to a head with these scores: of those that it reaches the most
 * specific; null if it reaches none.
 */
export function assignedRole(scores: Readonly<RoleScores>): Role | null {
  return ROLES.find(({ role, threshold }) => (scores[role] ?? 0) >= threshold)?.role ?? null;
}
