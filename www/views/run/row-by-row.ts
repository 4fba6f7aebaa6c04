import type { Cell } from "../../data/index.js";
import type { PaintedCells } from "../../elements/heatmap/painted-cells.js";
import type { HeadFigures } from "./figures.js";
import type { Lens, Looked } from "./looked.js";

/** What stands in the place of a head's numbers while only its rows are read, and only those that are looked at. */
export interface RowByRow extends PaintedCells {
  /** The strongest cell, between ordinary tokens where there are any. */
  readonly strongest: Cell | null;
  /** The strongest cell of a query or a key by the colours of its weights: those of a colour are alike until they are read. */
  cellOf(axis: keyof Cell, index: number): Cell | null;
  /** Reads what it takes to tell which weight of a query, or of a key, is the largest. */
  settle(axis: keyof Cell, index: number): Promise<void>;
  /** The head as a heatmap by token shows it. */
  look(figures: HeadFigures, lens: Lens): Looked;
  /** Reads the rows of a query, unless they are known or on their way; `arrived` takes all that is known then. */
  want(query: number, arrived: (known: Pick<HeadFigures, "stages" | "patterns">) => void): void;
}
