import type { CellOperation, Explanation, HeadRef, Step, Tensor } from "../../../data/index.js";
import type { Model, Run } from "../../../headscope.js";
import type { BlockStack } from "../../../state/index.js";
import { NORM_STEPS } from "../lab-table.js";

/*
 * One number of a norm and all that it is made of, as the model computed it, and what BatchNorm (Ioffe & Szegedy 2015)
 * would make of the same number: LayerNorm (Ba et al. 2016) takes mean and variance over the numbers of one token,
 *
 *   x̂[t, j] = (x[t, j] − μ_t) / √(σ²_t + ε)      μ_t, σ²_t over j
 *
 * BatchNorm over one number of all tokens of a batch:
 *
 *   x̂[t, j] = (x[t, j] − μ_j) / √(σ²_j + ε)      μ_j, σ²_j over t, of all texts, padding included
 */

export type NormOperation = Extract<CellOperation, { kind: "norm" | "rmsNorm" }>;

/** One number of a norm, read from a run. */
export interface NormNumber {
  operation: NormOperation;
  /** Before the norm: the token's number in question, and that of all tokens of the text. */
  own: number;
  column: number[];
  /** That of all tokens of another text; null where there is none. */
  other: number[] | null;
  /** After it, γ and β included. */
  value: number;
}

/** Where a number stands: `[token, column]` of what a step of a block gives. */
export interface NormPlace {
  stack: BlockStack;
  layer: number;
  step: Step;
  token: number;
  column: number;
}

/** The norms that a block has, in their order. Under edits some may be left out. */
export async function normsOf(
  run: Run,
  { stack, layer }: Pick<NormPlace, "stack" | "layer">,
): Promise<Step[]> {
  const steps = await run.steps({ stack, layer, head: 0 });
  return NORM_STEPS.filter((norm) => steps.some(({ step }) => step === norm));
}

/** Reads it; null where the step is no norm of a stream that stands in this block. */
export async function readNorm(
  run: Run,
  other: Run | null,
  { token, step, column, ...block }: NormPlace,
): Promise<NormNumber | null> {
  const head: HeadRef = { ...block, head: 0 };
  const { operation, lines, value }: Explanation = await run.explain({
    ...head,
    step,
    row: token,
    column,
  });
  const [line] = lines;
  if ((operation.kind !== "norm" && operation.kind !== "rmsNorm") || line?.source.kind !== "step")
    return null;
  const entered = line.source.step;
  const [own, others] = await Promise.all([
    columnOf(run, head, entered, column),
    other ? columnOf(other, head, entered, column) : null,
  ]);
  return (
    own && { operation, own: line.values[operation.term] ?? NaN, column: own, other: others, value }
  );
}

async function columnOf(
  run: Run,
  head: HeadRef,
  step: Step,
  column: number,
): Promise<number[] | null> {
  const found = (await run.steps(head)).find((one) => one.step === step);
  return found ? columnIn(found.tensor, column) : null;
}

function columnIn({ data, shape }: Tensor, column: number): number[] {
  const [rows = 0, columns = 0] = shape;
  return Array.from({ length: rows }, (_, row) => data[row * columns + column] ?? NaN);
}

/** A second text for the batch: one that the model brings along with its translation, or the text's own beginning. */
export function secondText(model: Model, text: string): { text: string; target?: string } {
  const held = model.notes?.sentences.find((sentence) => sentence.text !== text);
  if (!held) return { text: text.split(/\s+/)[0] ?? text };
  const target = model.info.architecture === "encoder-decoder" ? held.targets?.[0] : undefined;
  return { text: held.text, ...(target !== undefined && { target }) };
}

/** A batch, and what BatchNorm makes of the number in it. */
export interface Batch {
  kind: "alone" | "second" | "padded";
  tokens: number;
  mean: number;
  variance: number;
  normed: number;
}

/** The same number in a batch of the text alone, with the second text, and with both padded by zeros to twice the longer. */
export function batchesOf({ own, column, other, operation }: NormNumber): Batch[] {
  const second = other ?? [];
  const width = 2 * Math.max(column.length, second.length);
  const padding = (numbers: readonly number[]): number[] =>
    Array.from({ length: width - numbers.length }, () => 0);
  const both = [...column, ...second];
  const batches: { kind: Batch["kind"]; numbers: number[] }[] = [
    { kind: "alone", numbers: column },
    ...(other ? [{ kind: "second" as const, numbers: both }] : []),
    { kind: "padded", numbers: [...both, ...padding(column), ...(other ? padding(second) : [])] },
  ];
  return batches.map(({ kind, numbers }) => {
    const { mean, variance } = spread(numbers);
    return {
      kind,
      tokens: numbers.length,
      mean,
      variance,
      normed: normed(own, mean, variance, operation.epsilon),
    };
  });
}

/** `(x − μ) / √(σ² + ε)`. */
export function normed(value: number, mean: number, variance: number, epsilon: number): number {
  return (value - mean) / Math.sqrt(variance + epsilon);
}

/** Mean and variance over all of them. */
function spread(numbers: readonly number[]): { mean: number; variance: number } {
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  return {
    mean,
    variance: numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / numbers.length,
  };
}
