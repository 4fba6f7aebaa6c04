import type { CellOperation, Step, TermSource } from "./generated.js";
import type { HeadRef } from "./head.js";
import type { Tensor } from "./tensor.js";

/** One matrix of the way through a block, a row per token; the columns of heads stand side by side. */
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

/** What made the numbers that positions add to the tokens of a stack: training, a formula of the position, or a drawing by seed. */
export type PositionOrigin = "learnt" | "wave" | "drawn";
export type PositionOrigins = Readonly<Record<"encoder" | "decoder", PositionOrigin>>;

/** The same cell with the head that it is seen from. */
export interface StepPlace extends HeadRef, StepCell {}
