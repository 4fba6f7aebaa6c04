import type { Explanation, HeadRef, Step, StepTensor, Tensor } from "../../../data/index.js";
import { tokenLabels } from "../../../elements/shared/token-label.js";
import { LARGEST_SIDE, LONGEST_WORD, MOST_SIDE, type BroughtNumbers, type Rows } from "../../../state/index.js";
import type { HeadFigures } from "../../run/figures.js";

/*
 * A head of the loaded model as numbers of the workbench: its tokens, what stands before its projections as X, its own
 * columns of W_Q, W_K and W_V, its mask and its divisor, read of the steps of its block and of the sums behind them. Biases
 * become one more row of each matrix, and X a column of ones. Of cross-attention both texts stand in X, and the mask lets
 * the queries' see the keys' alone.
 */

/** Tokens of a text at most: what can be followed by eye, twice in cross-attention. */
export const MOST_TAKEN = MOST_SIDE / 2;

/** Digits that tell any two f32 apart. */
const DIGITS = 9;

/** A head on the workbench. */
export interface Taken {
  head: HeadRef;
  numbers: BroughtNumbers;
  /** The model's own weights between these tokens: over the keys that were taken, as softmax over them alone gives. */
  weights: Rows;
  /** Where they stand in the workbench's. */
  firstKey: number;
  /** How many tokens the longer text has. */
  tokens: number;
  biased: boolean;
}

/** Why a head cannot stand there; both are said on the page. */
export type Untakable = { why: "rotary" } | { why: "wide"; width: number };

const PARTS = ["query", "key", "value"] as const;

interface Map {
  /** What it is multiplied with. */
  from: Step;
  /** `[input, column]`. */
  rows: number[][];
  /** One for each column, or none. */
  bias: number[] | null;
}

/** Reads it; what cannot be taken says why. */
export async function takeFromModel({ run, head, stages, mask, queries, keys }: Pick<HeadFigures, "run" | "head" | "stages" | "mask" | "queries" | "keys">): Promise<Taken | Untakable> {
  const steps = await run.steps(head);
  if (steps.some(({ step }) => step === "query-rotated")) return { why: "rotary" };
  // A score says which columns of queries and keys are this head's; heads may share those of keys, and values go with them.
  const score = await run.explain({ ...head, step: "raw", row: 0, column: 0 });
  const [queried, keyed] = score.lines;
  if (queried?.source.kind !== "step" || keyed?.source.kind !== "step") throw new Error("a score of no queries and keys");
  const width = queried.values.length;
  const first = { query: queried.source.column, key: keyed.source.column, value: keyed.source.column };
  const explained = (part: (typeof PARTS)[number]) => (column: number) => run.explain({ ...head, step: part, row: 0, column: first[part] + column });
  // One column says how wide the model is, before all of them are asked for.
  const narrowest = await mapOf(1, explained("query"));
  if (narrowest.rows.length + (narrowest.bias ? 1 : 0) > LARGEST_SIDE) return { why: "wide", width: narrowest.rows.length };
  const [query, key, value] = await Promise.all(PARTS.map((part) => mapOf(width, explained(part))));
  const scale = await run.explain({ ...head, step: "scores", row: 0, column: 0 });
  if (!query || !key || !value) throw new Error("a head without projections");
  const biased = [query, key, value].some(({ bias }) => bias !== null);
  const inner = query.rows.length + (biased ? 1 : 0);
  if (inner > LARGEST_SIDE) return { why: "wide", width: query.rows.length };

  const taken = { queries: Math.min(queries.length, MOST_TAKEN), keys: Math.min(keys.length, MOST_TAKEN) };
  const crossed = query.from !== key.from;
  const firstKey = crossed ? taken.queries : 0;
  const x = [...rowsOf(tensorOf(steps, query.from), taken.queries), ...(crossed ? rowsOf(tensorOf(steps, key.from), taken.keys) : [])];
  const words = [...tokenLabels(queries.slice(0, taken.queries)), ...(crossed ? tokenLabels(keys.slice(0, taken.keys)) : [])];
  const own = rowsOf(mask, taken.queries, taken.keys);
  const weights = rowsOf(stages.weights, taken.queries, taken.keys);
  return {
    head,
    numbers: {
      words: words.map((word) => word.slice(0, LONGEST_WORD)),
      x: biased ? x.map((row) => [...row, 1]) : x,
      query: withBias(query, biased),
      key: withBias(key, biased),
      value: withBias(value, biased),
      output: null,
      mask: crossed ? x.map((_, row) => x.map((__, column) => own[row]?.[column - firstKey] ?? -Infinity)) : own,
      heads: 1,
      divisor: divisorOf(scale, width),
    },
    weights: keys.length > taken.keys ? weights.map(sharesOf) : weights,
    firstKey,
    tokens: Math.max(queries.length, keys.length),
    biased,
  };
}

/** The largest difference between the workbench's weights and the model's. */
export function residueOf({ weights, firstKey }: Pick<Taken, "weights" | "firstKey">, worked: Rows): number {
  return weights.reduce((most, row, at) => row.reduce((more, weight, column) => Math.max(more, Math.abs(weight - (worked[at]?.[firstKey + column] ?? NaN))), most), 0);
}

/** A head's columns of a matrix, each read as what a number of the first token is a sum of. */
async function mapOf(width: number, explain: (column: number) => Promise<Explanation>): Promise<Map> {
  const columns = await Promise.all(Array.from({ length: width }, (_, column) => explain(column)));
  const all = columns.map(({ operation, lines }) => {
    const trained = lines.find(({ source }) => source.kind === "weight");
    const source = lines.find((line) => line.source.kind === "step")?.source;
    if (operation.kind !== "product" || !trained || source?.kind !== "step") throw new Error("a projection that is no product");
    const { factor, bias } = operation;
    return { from: source.step, values: Array.from(trained.values, (value) => shortest(value * factor)), bias };
  });
  return {
    from: all[0]?.from ?? "input",
    rows: Array.from(all[0]?.values ?? [], (_, row) => all.map(({ values }) => values[row] ?? 0)),
    bias: all.some(({ bias }) => bias !== null && bias !== 0) ? all.map(({ bias }) => shortest(bias ?? 0)) : null,
  };
}

function withBias({ rows, bias }: Map, biased: boolean): Rows {
  return biased ? [...rows, bias ?? (rows[0] ?? []).map(() => 0)] : rows;
}

function divisorOf({ operation }: Explanation, width: number): BroughtNumbers["divisor"] {
  const divisor = operation.kind === "scale" ? shortest(1 / operation.factor) : NaN;
  return !(divisor > 0) || Math.abs(divisor - Math.sqrt(width)) < 1e-5 * divisor ? "root" : divisor;
}

/** A row as shares of what it adds up to: the weights over these keys alone. */
function sharesOf(row: readonly number[]): number[] {
  const sum = row.reduce((all, weight) => all + weight, 0);
  return row.map((weight) => (sum > 0 ? weight / sum : 0));
}

function tensorOf(steps: readonly StepTensor[], wanted: Step): Tensor {
  const found = steps.find(({ step }) => step === wanted)?.tensor;
  if (!found) throw new Error(`no step ${wanted}`);
  return found;
}

function rowsOf({ data, shape }: Tensor, count: number, width = shape[1] ?? 0): number[][] {
  const whole = shape[1] ?? 0;
  return Array.from({ length: count }, (_, row) => Array.from(data.subarray(row * whole, row * whole + width), shortest));
}

/** The shortest number that is still the same f32; what forbids stays. */
function shortest(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
