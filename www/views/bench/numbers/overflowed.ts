// Where numbers of the workbench leave what f64 holds.
import type { Workbench } from "../../../data/index.js";
import type { Rows } from "../../../state/index.js";
import { SHARED, shownOf, WORKED, type WorkedPlace } from "./arithmetic.js";

/** A cell as one head sees it; the head is null where all share the matrix, and where there is but one. */
export interface Overflowed extends WorkedPlace {
  readonly head: number | null;
}

/** The first number that is ∞ or NaN, in the order in which they are computed; null if there is none. */
export function overflowedIn(worked: Workbench, mask: Rows): Overflowed | null {
  const shown = worked.heads.map((_, head) => shownOf(worked, head));
  for (const matrix of WORKED) {
    for (const [head, { [matrix]: rows = [] }] of shown.entries()) {
      const forbidding = matrix === "masked" ? mask : null;
      const row = rows.findIndex((cells, index) => !isSoundRow(cells, forbidding?.[index]));
      if (row < 0) continue;
      const column = (rows[row] ?? []).findIndex(
        (value, index) => !isSound(value, forbidding?.[row]?.[index]),
      );
      const shared = shown.length === 1 || SHARED.has(matrix);
      return { matrix, row, column, head: shared ? null : head };
    }
  }
  return null;
}

/** Whether scores with their mask are numbers, or forbidden because the mask says so. */
export function areSound(masked: Rows, mask: Rows): boolean {
  return masked.every((row, index) => isSoundRow(row, mask[index]));
}

function isSoundRow(row: readonly number[], mask: readonly number[] | undefined): boolean {
  return row.every((value, index) => isSound(value, mask?.[index]));
}

function isSound(value: number, mask: number | undefined): boolean {
  return Number.isFinite(value) || (value === -Infinity && mask === -Infinity);
}
