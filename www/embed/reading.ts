/** The reading of a figure in another page: what a reader is given, what it gives or refuses. */
import type { Cell, HeadRef, ModelInfo, Region, StepCell, Tensor } from "../data/index.js";
import { refuse } from "../engine/errors.js";
import type { HeadscopeError, Run } from "../headscope.js";
import type { MessageKey } from "../i18n/index.js";
import type { FigureView } from "../session/run/figure-view.js";
import type { Explained } from "../session/run/readings.js";
import { type Paint, type State, writtenAttribute } from "../state/index.js";
import type { RunLease } from "./run-lease.js";

/** What a reader of a figure is given. */
export interface Source {
  /** The run as an explorer would read it. */
  view: FigureView;
  run: Run;
  info: ModelInfo;
  /** The head that the figure asks for, or the nearest one that the model has. */
  head: HeadRef;
  state: State;
  lease: RunLease;
}

/** What an element shows of a run. */
export interface Reading {
  properties: object;
  /** The pair of tokens of a cell; null if there is none. */
  cellAt?: (place: Cell | null) => Cell | null;
  /** Blocks or opens the pairs of tokens of cells. */
  paint?: (state: State, places: readonly Cell[], how: Paint) => Pick<State, "edits">;
  /**
   * Explains a number; resolves to null if the run was released meanwhile and another picture is
   * being read.
   */
  explain?: (cell: StepCell) => Promise<Explained | null>;
}

/** The reason why a figure has nothing to show. */
export interface Lacking {
  lacks: MessageKey;
}

/** The error for an attribute that names something absent, with the values that exist. */
export const refuseAbsent = (written: string, there: string): HeadscopeError =>
  refuse("attribute/absent", "Showing a figure", there, written);

/** The part of a matrix that an attribute names, which must be inside the matrix. */
export function regionWithin({ region }: Pick<State, "region">, { shape }: Tensor): Region | null {
  const [rows = 0, columns = 0] = shape;
  if (region && (region.query + region.rows > rows || region.key + region.columns > columns))
    throw refuseAbsent(writtenAttribute("region", { region }), `1-${rows}x1-${columns}`);
  return region;
}
