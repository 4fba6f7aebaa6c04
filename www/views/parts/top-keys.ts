// Where a query looks most.
import type { Tensor } from "../../data/index.js";
import type { BarItem } from "../../elements/bars/index.js";
import { labelAt } from "../../elements/shared/token-label.js";
import { formatFixed, message } from "../../i18n/index.js";
import type { Looked } from "../run/looked.js";

/** How many keys the list has. */
const TOP_KEYS = 5;

/** The keys with the largest weights of a query, as the picture shows them, the largest first. */
export function topKeys({ weights, keys }: Looked, query: number): BarItem[] {
  return rowOf(weights, query)
    .map((value, index) => ({ value, label: labelAt(keys, index) }))
    .sort((a, b) => b.value - a.value)
    .slice(0, TOP_KEYS)
    .map(({ value, label }) => ({ label, value, text: formatFixed(value) }));
}

export function topKeysTitle({ without }: Looked): string {
  return without === null
    ? message("inspect.topKeys")
    : `${message("inspect.topKeys")} (${message("lens.renormalised")})`;
}

/** One row of a matrix. */
export function rowOf({ data, shape }: Tensor, row: number): number[] {
  const columns = shape[1] ?? 0;
  return Array.from(data.subarray(row * columns, (row + 1) * columns));
}
