import {
  LARGEST_SIDE,
  type Explanation,
  type HeadRef,
  type Step,
  type Tensor,
} from "../../data/index.js";
import { tokenLabels } from "../../elements/shared/templates.js";
import { LONGEST_WORD, sized, type MatrixInputs, type Rows } from "../../state/index.js";
import type { HeadFigures } from "../../session/run/head.js";

/*
 * A head of the loaded model as inputs of the calculator: its tokens, the input of its projections
 * as X, its own columns of W_Q, W_K and W_V, its mask and its divisor, read of the steps of its
 * block and of the sums behind them. Biases become one more row of each matrix, and X a column of
 * ones. Of cross-attention both texts are rows of X, and the mask lets the queries' rows attend to
 * the keys' alone.
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
type Part = (typeof PARTS)[number];

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
  figures: HeadFigures,
): Promise<ReadHead | { tooWide: number }> {
  const { run, head, stages, mask, queries, keys } = figures;
  const height = Math.min(queries.length, MOST_TOKENS);
  const across = Math.min(keys.length, MOST_TOKENS);
  const crossed = head.stack === "cross";
  const steps = await run.steps(head);
  const stepOf = (wanted: Step): Tensor | undefined =>
    steps.find(({ step }) => step === wanted)?.tensor;
  const rowsAt = (step: Step, part: Part): number[][] => {
    const tensor = stepOf(step);
    if (!tensor) throw new Error("a block without one of its steps");
    return rowsOf(tensor, part === "query" ? height : across);
  };
  // The lines of a score show which columns of queries and keys belong to this head; heads may
  // share keys, and values with them.
  const score = await run.explain({ ...head, step: "raw", row: 0, column: 0 });
  const [queried, keyed] = score.lines;
  if (queried?.source.kind !== "step" || keyed?.source.kind !== "step")
    throw new Error("a score of no queries and keys");
  const count = queried.values.length;
  const firstOf = { query: queried.source.column, key: keyed.source.column };
  const first = { ...firstOf, value: firstOf.key };
  const read = (part: Part, columns: number): ReturnType<typeof readProjection> =>
    readProjection(columns, (column) =>
      run.explain({ ...head, step: part, row: 0, column: first[part] + column }),
    );
  // One column shows the width of the model, before all columns are read.
  const one = await read("query", 1);
  const width = one.rows.length;
  const tooWide = (bias: boolean): boolean => width + (bias ? 1 : 0) > LARGEST_SIDE;
  const rotary = stepOf("query-rotated") !== undefined;
  const maps =
    rotary || tooWide(one.bias !== null)
      ? null
      : await Promise.all(PARTS.map((part) => read(part, count)));
  const hasBias = maps?.some(({ bias }) => bias !== null) ?? false;
  const direct = rotary ? "rotary" : !maps || tooWide(hasBias) ? "wide" : null;
  const biased = hasBias && direct === null;
  if (direct && PARTS.length * count > LARGEST_SIDE) return { tooWide: PARTS.length * count };

  let x: Rows;
  let matrices: Rows[];
  if (maps && !direct) {
    const [query, key] = maps;
    const tokens = [
      ...rowsAt(query?.from ?? "input", "query"),
      ...(crossed ? rowsAt(key?.from ?? "input", "key") : []),
    ];
    x = biased ? tokens.map((row) => [...row, 1]) : tokens;
    const none = new Array<number>(count).fill(0);
    matrices = maps.map(({ rows, bias }) => (biased ? [...rows, bias ?? none] : rows));
  } else {
    const own = PARTS.map((part) => {
      const rotated = part === "value" ? part : (`${part}-rotated` as const);
      const all = rowsAt(stepOf(rotated) ? rotated : part, part);
      return all.map((row) => row.slice(first[part], first[part] + count));
    });
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

/** A head's columns of a projection, each read from the sum behind a number of the first token. */
async function readProjection(width: number, explain: (column: number) => Promise<Explanation>) {
  const columns = await Promise.all(Array.from({ length: width }, (_, column) => explain(column)));
  const all = columns.map(({ operation, lines }) => {
    const trained = lines.find(({ source }) => source.kind === "weight");
    const source = lines.find((line) => line.source.kind === "step")?.source;
    if (operation.kind !== "product" || !trained || source?.kind !== "step")
      throw new Error("a projection that is no product");
    const { factor, bias } = operation;
    const values = Array.from(trained.values, (value) => shortest(value * factor));
    return { from: source.step, values, bias };
  });
  return {
    from: all[0]?.from ?? ("input" as const),
    /** The weights `[input, column]`. */
    rows: (all[0]?.values ?? []).map((_, row) => all.map(({ values }) => values[row] ?? 0)),
    bias: all.some(({ bias }) => bias) ? all.map(({ bias }) => shortest(bias ?? 0)) : null,
  };
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
