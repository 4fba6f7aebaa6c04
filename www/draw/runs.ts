// Cells of a matrix gathered into as few rectangles as rows allow.
import type { Cell } from "../data/index.js";
import type { MatrixLayout, Rect } from "./layout.js";
import { cellRect } from "./layout.js";

/** One rectangle for each unbroken stretch of a row in which `belongs` holds. */
export function rowRuns(layout: MatrixLayout, belongs: (cell: Cell) => boolean): Rect[] {
  const runs: Rect[] = [];
  for (let query = 0; query < layout.rows; query++) {
    let start = -1;
    for (let key = 0; key <= layout.columns; key++) {
      const inside = key < layout.columns && belongs({ query, key });
      if (inside && start < 0) start = key;
      if (inside || start < 0) continue;
      const first = cellRect(layout, { query, key: start });
      runs.push({ ...first, width: (key - start) * layout.cell });
      start = -1;
    }
  }
  return runs;
}
