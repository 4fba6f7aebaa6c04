import type { Cell, Tensor, Token } from "../../data/index.js";
import { tokenLabel } from "../../elements/shared/token-label.js";
import type { Alignment } from "./alignment.js";

/** The tokens of two texts on one axis, and where each of them stands in either text. */
export interface SharedAxis {
  tokens: Token[];
  one: (number | null)[];
  other: (number | null)[];
}

/** Two patterns on the same axes. */
export interface SharedPattern {
  queries: SharedAxis;
  keys: SharedAxis;
  /** `[query, key]`: the first less the second, NaN where one of them has no finite number. */
  tensor: Tensor;
}

/**
 * The first text's tokens in their order, each with its counterpart, and what the second has more in its place. As in
 * a diff, `+` marks what only the first has and `−` what only the second has.
 */
export function sharedAxis(
  one: readonly Token[],
  other: readonly Token[],
  { toOther, toOne }: Alignment,
): SharedAxis {
  const axis: SharedAxis = { tokens: [], one: [], other: [] };
  const push = (token: Token | undefined, at: number | null, to: number | null): void => {
    if (token)
      axis.tokens.push(at !== null && to !== null ? token : marked(token, at === null ? "−" : "+"));
    axis.one.push(at);
    axis.other.push(to);
  };
  const pushMore = (from: number): void => {
    for (let at = from; at < other.length && toOne[at] === null; at += 1) push(other[at], null, at);
  };
  pushMore(0);
  one.forEach((token, at) => {
    const to = toOther[at] ?? null;
    push(token, at, to);
    if (to !== null) pushMore(to + 1);
  });
  return axis;
}

/** The first pattern less the second, cell by cell. */
export function sharedPattern(
  one: Tensor,
  other: Tensor,
  queries: SharedAxis,
  keys: SharedAxis,
): SharedPattern {
  const columns = keys.tokens.length;
  const data = new Float32Array(queries.tokens.length * columns);
  data.forEach((_, index) => {
    const cell = { query: Math.floor(index / columns), key: index % columns };
    data[index] =
      valueIn(one, fromShared("one", cell, queries, keys)) -
      valueIn(other, fromShared("other", cell, queries, keys));
    // Of two forbidden scores no difference can be said.
    if (!Number.isFinite(data[index])) data[index] = NaN;
  });
  return {
    queries,
    keys,
    tensor: { data, shape: [queries.tokens.length, columns], axes: ["query", "key"] },
  };
}

/** Whether a text has a token that the other has not, so that signs stand before some. */
export function isSigned({ queries, keys }: Pick<SharedPattern, "queries" | "keys">): boolean {
  return [queries, keys].some(({ one, other }) => one.includes(null) || other.includes(null));
}

/** Where a cell of the shared axes is in one of the two patterns; null where that has none. */
export function fromShared(
  which: "one" | "other",
  { query, key }: Cell,
  queries: SharedAxis,
  keys: SharedAxis,
): Cell | null {
  const [row, column] = [queries[which][query] ?? null, keys[which][key] ?? null];
  return row === null || column === null ? null : { query: row, key: column };
}

/** Where a cell of one of the patterns is on the shared axes; null where it is on none. */
export function toShared(
  which: "one" | "other",
  cell: Cell | null,
  { queries, keys }: Pick<SharedPattern, "queries" | "keys">,
): Cell | null {
  if (!cell) return null;
  const [query, key] = [queries[which].indexOf(cell.query), keys[which].indexOf(cell.key)];
  return query < 0 || key < 0 ? null : { query, key };
}

/** The cell of the other pattern that a cell of one stands for. */
export function counterpartOf(
  cell: Cell | null,
  queries: readonly (number | null)[],
  keys: readonly (number | null)[],
): Cell | null {
  const [query, key] = cell ? [queries[cell.query] ?? null, keys[cell.key] ?? null] : [null, null];
  return query === null || key === null ? null : { query, key };
}

function valueIn(tensor: Tensor, cell: Cell | null): number {
  return cell ? (tensor.data[cell.query * (tensor.shape[1] ?? 0) + cell.key] ?? NaN) : NaN;
}

function marked(token: Token, sign: string): Token {
  return { ...token, text: `${sign} ${tokenLabel(token)}`, role: null };
}
