import type { Cell } from "../../data/index.js";
import type { PaintedCells } from "../../elements/heatmap/painted-cells.js";
import type { Pool } from "../../reduce/index.js";
import type { HeadFigures } from "./figures.js";
import type { Lens, Looked } from "./looked.js";

/** What stands in the place of a head's numbers while only its rows are read, and only those that are looked at. */
export interface RowByRow extends PaintedCells {
  /** The strongest pair of tokens, between ordinary ones where there are any. */
  readonly strongest: Cell | null;
  /** The strongest pair of a row or a column of the picture by the colours of its weights: those of a colour are alike until they are read. */
  cellOf(axis: keyof Cell, index: number): Cell | null;
  /** The strongest pair of a cell of the picture; of words whose weights are not known the first. */
  pairAt(place: Cell | null): Cell | null;
  /** Reads what it takes to tell which weight of a token's row, or of its column, is the largest. */
  settle(axis: keyof Cell, index: number): Promise<void>;
  /** The same of a cell of the picture, with whether it is known then; null where it is known already. */
  settleAt(place: Cell): Promise<boolean> | null;
  /** What some rows, or some columns, have together, for each place of the other axis; null while it is being read. */
  pooled(axis: keyof Cell, places: readonly number[], pool: Pool): readonly number[] | null;
  /** The head as its heatmap shows it, under the lens with which it was painted. */
  look(figures: HeadFigures, lens: Lens): Looked;
  /** Reads the rows of a query, unless they are known or on their way; `arrived` takes all that is known then. */
  want(query: number, arrived: (known: Pick<HeadFigures, "stages" | "patterns">) => void): void;
}
