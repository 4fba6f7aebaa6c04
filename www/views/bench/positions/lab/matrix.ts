import { html, type TemplateResult } from "lit";
import type { Cell, Tensor } from "../../../../data/index.js";
import "../../../../elements/numbers/index.js";
import { message } from "../../../../i18n/index.js";
import { keepRegion } from "../../saving/own-region.js";
import { placeNames } from "./tensors.js";

/** A matrix of a laboratory, and what its numbers are. */
export interface LabMatrix {
  tensor: Tensor;
  values: string;
  /** What rows and columns are, with their names; queries and keys by their places without a word. */
  rows?: { title: string; names: readonly string[] };
  columns?: { title: string; names: readonly string[] };
  signed?: boolean;
  /** Whether the numbers count something. */
  counts?: boolean;
  height?: number;
  /** Numbers that it shares its scale with. */
  beside?: Tensor | null;
  /** The pair that is looked at in another matrix beside it. */
  focused?: Cell | null;
  /** Is told which pair is looked at here. */
  looked?: (cell: Cell | null) => void;
}

const HEIGHT = 280;

/** The figure of a matrix. */
export function labMatrix({
  tensor,
  values,
  rows,
  columns,
  signed = false,
  counts = false,
  height = HEIGHT,
  beside = null,
  focused = null,
  looked,
}: LabMatrix): TemplateResult {
  const [queries = 0, keys = 0] = tensor.shape;
  return html`<headscope-numbers
    .tensor=${tensor}
    .rowNames=${rows?.names ?? placeNames(queries)}
    .columnNames=${columns?.names ?? placeNames(keys)}
    .titles=${{ rows: rows?.title ?? message("figure.query"), columns: columns?.title ?? message("figure.key"), values }}
    .signed=${signed}
    .counts=${counts}
    .comfortableHeight=${height}
    .beside=${beside}
    .focused=${focused}
    @headscope-cell-hover=${(event: CustomEvent<Cell | null>) => looked?.(event.detail)}
    @headscope-region-change=${keepRegion}
  ></headscope-numbers>`;
}

/** The figure of numbers of every two positions, `[position, position]`. */
export function placeMatrix(
  tensor: Tensor,
  places: readonly string[],
  values: string,
): TemplateResult {
  const positions = { title: message("figure.position"), names: places };
  return labMatrix({ tensor, values, rows: positions, columns: positions, signed: true });
}
