import {
  LARGEST_SIDE,
  type Explanation,
  type HeadRef,
  type Step,
  type Tensor,
} from "../../data/index.js";
import { tokenLabels } from "../../elements/shared/templates.js";
import type { Model } from "../../headscope.js";
import { LONGEST_WORD, sized, type MatrixInputs, type Rows } from "../../state/index.js";
import type { HeadFigures } from "../../session/run/head.js";

/*
 * A head of the loaded model as inputs of the calculator: its tokens, the input of its projections
 * as X, its own columns of W_Q, W_K and W_V, its mask and its divisor. Biases become one more row
 * of each matrix, and X a column of ones. Of cross-attention both texts are rows of X, and the mask
 * lets the queries' rows attend to the keys' alone.
 *
 * Where one matrix cannot express the projection (rotary positions rotate each token by its own
 * position) or X has more columns than the calculator, X is the head's own queries, keys and values
 * side by side, and each matrix selects its part.
 */

/**
 * The most tokens of a text, twice as many in cross-attention: a picture in which each can still be
 * named.
 */
export const MOST_TOKENS = 64;
const PARTS = ["query", "key", "value"] as const;

export interface ReadHead {
  head: HeadRef;
  inputs: MatrixInputs;
  /**
   * The model's own weights between these tokens: over the keys that were read, as softmax over
   * these alone gives.
   */
  weights: Rows;
  /** The first column of the calculator's weights that `weights` corresponds to. */
  firstKey: number;
  tokens: number;
  biased: boolean;
  /**
   * The reason why X is queries, keys and values and not the input of the projections; null if X is
   * that input.
   */
  direct: "rotary" | "wide" | null;
  width: number;
}

/**
 * Reads a head as inputs of the calculator; or returns the width of its queries, keys and values
 * side by side if that exceeds the calculator.
 */
export async function readHeadInputs(
  model: Model,
  figures: HeadFigures,
): Promise<ReadHead | { tooWide: number }> {
  const { run, head, stages, mask, queries, keys } = figures;
  const height = Math.min(queries.length, MOST_TOKENS);
  const across = Math.min(keys.length, MOST_TOKENS);
  const crossed = head.stack === "cross";
  const steps = await run.steps(head);
  const stepOf = (wanted: Step): Tensor | undefined =>
    steps.find(({ step }) => step === wanted)?.tensor;
  const width = model.info.dModel;
  const biases = await Promise.all(
    PARTS.map((part) => model.weights({ ...head, part: `${part}-bias` })),
  );
  const hasBias = biases.some(({ data }) => data.some((number) => number !== 0));
  const count = biases[0]?.data.length ?? 0;
  const rotary = stepOf("query-rotated") !== undefined;
  const isWide = width + (hasBias ? 1 : 0) > LARGEST_SIDE;
  const direct = rotary ? "rotary" : isWide ? "wide" : null;
  const biased = hasBias && direct === null;
  if (direct && PARTS.length * count > LARGEST_SIDE) return { tooWide: PARTS.length * count };

  let x: Rows;
  let matrices: Rows[];
  if (!direct) {
    const entered = stepOf("entered") ?? stepOf("input");
    const memory = crossed ? stepOf("memory") : undefined;
    const tokens = [
      ...(entered ? rowsOf(entered, height) : []),
      ...(memory ? rowsOf(memory, across) : []),
    ];
    x = biased ? tokens.map((row) => [...row, 1]) : tokens;
    const maps = await Promise.all(PARTS.map((part) => model.weights({ ...head, part })));
    matrices = maps.map((map, at) => {
      const rows = rowsOf(map, width);
      const bias = biases[at];
      return biased && bias ? [...rows, Array.from(bias.data, shortest)] : rows;
    });
  } else {
    const own = await Promise.all(
      PARTS.map(async (part) =>
        rowsOf(await run.qkv({ ...head, part }), part === "query" ? height : across),
      ),
    );
    // In cross-attention each text has its own rows.
    x = sized(crossed ? height + across : height, PARTS.length * count, (row, column) => {
      const part = Math.floor(column / count);
      return own[part]?.[crossed && part > 0 ? row - height : row]?.[column % count] ?? 0;
    });
    matrices = PARTS.map((_, part) =>
      sized(x[0]?.length ?? 0, count, (row, column) => (row === part * count + column ? 1 : 0)),
    );
  }
  const [query = [], key = [], value = []] = matrices;
  const scale = await run.explain({ ...head, step: "scores", row: 0, column: 0 });
  const firstKey = crossed ? height : 0;
  const tokens = [...queries.slice(0, height), ...(crossed ? keys.slice(0, across) : [])];
  const own = rowsOf(mask, height, across);
  const wholeMask = (row: number, at: number): number => own[row]?.[at - firstKey] ?? -Infinity;
  const weights = rowsOf(stages.weights, height, across);
  return {
    head,
    inputs: {
      words: tokenLabels(tokens).map((word) => word.slice(0, LONGEST_WORD)),
      x,
      query,
      key,
      value,
      output: null,
      mask: crossed ? sized(tokens.length, tokens.length, wholeMask) : own,
      heads: 1,
      divisor: divisorOf(scale, count),
    },
    weights: keys.length > across ? weights.map(sharesOf) : weights,
    firstKey,
    tokens: Math.max(queries.length, keys.length),
    biased,
    direct,
    width,
  };
}

export function residueOf(
  { weights, firstKey }: Pick<ReadHead, "weights" | "firstKey">,
  worked: Rows,
): number {
  const differences = weights.flatMap((row, at) =>
    row.map((weight, column) => Math.abs(weight - (worked[at]?.[firstKey + column] ?? NaN))),
  );
  return Math.max(0, ...differences);
}

function divisorOf({ operation }: Explanation, width: number): MatrixInputs["divisor"] {
  const divisor = operation.kind === "scale" ? shortest(1 / operation.factor) : NaN;
  return !(divisor > 0) || Math.abs(divisor - Math.sqrt(width)) < 1e-5 * divisor ? "root" : divisor;
}

function sharesOf(row: readonly number[]): number[] {
  const sum = row.reduce((all, weight) => all + weight, 0);
  return row.map((weight) => (sum > 0 ? weight / sum : 0));
}

function rowsOf({ data, shape: [, whole = 0] }: Tensor, count: number, width = whole): number[][] {
  return Array.from({ length: count }, (_, row) =>
    Array.from(data.subarray(row * whole, row * whole + width), shortest),
  );
}

/** The shortest decimal of the same f32: nine digits distinguish any two; -∞ stays. */
function shortest(value: number): number {
  return Number(value.toPrecision(9));
}
