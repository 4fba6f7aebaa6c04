// What a lens makes of a head whose numbers are not at hand: which tokens stand together, and what is left out of them.
import {
  isForbidden,
  type Joining,
  type Marginals,
  type Tensor,
  type Token,
} from "../../data/index.js";
import {
  groupsOf,
  groupTokens,
  isWhole,
  sinkAmong,
  type Groups,
  type Sink,
} from "../../reduce/index.js";
import type { HeadFigures } from "./figures.js";
import type { Lens } from "./looked.js";

/** The texts on a head's axes. */
export type Texts = Pick<HeadFigures, "queries" | "keys">;

/** The rows and columns of a picture, with their tokens. */
export interface PaintedView extends Texts {
  rows: Groups;
  columns: Groups;
  without: number | null;
  /** Whether each token has its own. */
  isTokenwise: boolean;
  /** What the GPU joins; null where it has to join nothing. */
  joining: Joining | null;
}

/** A picture under a lens. Of a text that is still being written, `grows`, all that was there when it was asked for is named: a word more changes nothing. */
export function viewOf(
  { queries, keys }: Texts,
  { byWord, ordinaryOnly }: Pick<Lens, "byWord" | "ordinaryOnly">,
  without: number | null,
  grows: boolean,
): PaintedView {
  const rows = groupsOf(queries, { byWord, ordinaryOnly, without: null });
  const columns = groupsOf(keys, { byWord, ordinaryOnly, without });
  const isTokenwise =
    without === null && isWhole(rows, queries.length) && isWhole(columns, keys.length);
  const tokens = isTokenwise
    ? { queries, keys }
    : { queries: groupTokens(queries, rows), keys: groupTokens(keys, columns) };
  return {
    rows,
    columns,
    without,
    isTokenwise,
    joining: isTokenwise && !grows ? null : { rows, columns, without },
    ...tokens,
  };
}

/** All keys but one as a single column: what the queries of a row give to all of them. */
export function restOf({ rows }: PaintedView, keys: readonly Token[], without: number): Joining {
  return { rows, columns: [range(keys.length).filter((key) => key !== without)], without };
}

/** The tokens that are no special ones, where there are any. */
export function ordinary(tokens: readonly Token[]): number[] {
  const found = tokens.flatMap((token, index) => (token.special ? [] : [index]));
  return found.length > 0 ? found : range(tokens.length);
}

/** The sink by the sums of the columns, less what rows give that have no choice: all to the only key that they may look at, or as much to each where that is none. */
export function sinkIn(
  { queries, keys: sums }: Marginals,
  { data, shape: [rows = 0, columns = 0] }: Tensor,
  keys: readonly Token[],
): Sink | null {
  const only = new Float64Array(columns);
  let choosing = 0;
  for (let row = 0; row < rows; row += 1) {
    const open = keys.flatMap((_, key) =>
      isForbidden(data[row * columns + key] ?? NaN) ? [] : [key],
    );
    if (open.length > 1) choosing += 1;
    else
      for (const key of open.length === 1 ? open : range(columns))
        only[key] = (only[key] ?? 0) + (queries[row] ?? 0) / (open.length || columns);
  }
  return choosing === 0
    ? null
    : sinkAmong(keys, (key) => ((sums[key] ?? 0) - (only[key] ?? 0)) / choosing);
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}
