import { html, type TemplateResult } from "lit";
import type { Cell, Tensor } from "../../../data/index.js";
import "../../../elements/matrices.js";
import { message } from "../../../i18n/index.js";
import { MOST_SIDE, shapeOf, type Rows } from "../../../state/index.js";
import { keepRegion } from "../saving/figure-numbers.js";

/** What a picture draws of a matrix that is too large for a cell of the page for each number. */
export interface LargeMatrix {
  tensor: Tensor;
  titles: { rows: string; columns: string; values: string };
  names: { rows: readonly string[]; columns: readonly string[] };
}

const HEIGHT = 440;

/** Whether a matrix has more numbers than the page should have cells for. */
export function isLarge(rows: Rows): boolean {
  return Math.max(...shapeOf(rows)) > MOST_SIDE;
}

/** Rows and columns without names are counted. What is forbidden is no number, and hatched. */
export function largeMatrix(
  rows: Rows,
  rowNames: readonly string[] | null,
  columnNames: readonly string[] | null,
  values: string,
): LargeMatrix {
  const [height, width] = shapeOf(rows);
  return {
    tensor: {
      data: Float32Array.from(rows.flat()),
      shape: [height, width],
      axes: ["row", "column"],
    },
    titles: { rows: message("numbers.rows"), columns: message("numbers.columns"), values },
    names: { rows: rowNames ?? counted(height), columns: columnNames ?? counted(width) },
  };
}

/** Its numbers as a picture that keeps to its height, in which each can be looked at and a part be enlarged. */
export function largePicture(
  { tensor, titles, names }: LargeMatrix,
  { signed = true, looked }: { signed?: boolean; looked?: (cell: Cell | null) => void } = {},
): TemplateResult {
  return html`<headscope-numbers
    compact
    .signed=${signed}
    .tensor=${tensor}
    .rowNames=${names.rows}
    .columnNames=${names.columns}
    .titles=${titles}
    .comfortableHeight=${HEIGHT}
    @headscope-cell-hover=${(event: CustomEvent<Cell | null>) => looked?.(event.detail)}
    @headscope-region-change=${keepRegion}
  ></headscope-numbers>`;
}

function counted(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index + 1));
}
