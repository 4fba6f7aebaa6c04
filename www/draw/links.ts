// The links of a bipartite picture: per query the fewest that hold a given part of its weight
// (the mass threshold of Hoover et al. 2020, "exBERT").
import type { Cell, Tensor } from "../data/index.js";

/** Links in three columns, query after query, within each query the heaviest first. */
export interface Links {
  queries: Uint32Array;
  keys: Uint32Array;
  weights: Float32Array;
}

/** What sums of f32 may miss of the mass that was asked for. */
const ROUNDING = 1e-6;

/** Keeps, for every query of `[query, key]` weights, the fewest links that hold `percent` of what the query gives. */
export function keptLinks({ data, shape }: Tensor, percent: number): Links {
  const [rows = 0, columns = 0] = shape;
  const queries: number[] = [];
  const keys: number[] = [];
  const weights: number[] = [];
  for (let query = 0; query < rows; query++) {
    const row = data.subarray(query * columns, (query + 1) * columns);
    const order = Array.from(row.keys()).filter((key) => (row[key] ?? 0) > 0);
    order.sort((one, other) => (row[other] ?? 0) - (row[one] ?? 0) || one - other);
    const enough =
      percent >= 100
        ? Infinity
        : row.reduce((sum, weight) => sum + weight, 0) * (percent / 100 - ROUNDING);
    let held = 0;
    for (const key of order) {
      if (held >= enough) break;
      const weight = row[key] ?? 0;
      held += weight;
      queries.push(query);
      keys.push(key);
      weights.push(weight);
    }
  }
  return {
    queries: Uint32Array.from(queries),
    keys: Uint32Array.from(keys),
    weights: Float32Array.from(weights),
  };
}

/** One token on one side of the picture: its links stand out. */
export interface Emphasis {
  side: keyof Cell;
  index: number;
}

/** Calls `visit` with every link, or those of one token. */
export function eachLink(
  links: Links,
  of: Emphasis | null,
  visit: (query: number, key: number, weight: number) => void,
): void {
  const { queries, keys, weights } = links;
  const ends = of?.side === "key" ? keys : queries;
  for (let index = 0; index < weights.length; index++) {
    if (of && ends[index] !== of.index) continue;
    visit(queries[index] ?? 0, keys[index] ?? 0, weights[index] ?? 0);
  }
}
