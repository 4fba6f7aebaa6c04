import type { Cell, HeadRef, ModelInfo, Region, Tensor } from "../data/index.js";
import { refuse } from "../engine/errors.js";
import type { HeadscopeError, Model, Run } from "../headscope.js";
import type { MessageKey } from "../i18n/index.js";
import { writtenAttribute, type StackSizes, type State } from "../state/index.js";
import { readHead, type HeadFigures } from "../views/run/figures.js";
import type { Looked } from "../views/run/looked.js";
import type { Sitting } from "./desk.js";
import type { Memory } from "./memory.js";

/** What a figure's properties are read from. */
export interface Subject {
  run: Run;
  model: Model;
  info: ModelInfo;
  /** The head that the figure asks for, or the nearest one that the model has. */
  head: HeadRef;
  state: State;
  /** What was read for this figure before. */
  memory: Memory;
  /** Where a second run can be asked for. */
  sitting: Pick<Sitting, "beside">;
}

/** What a figure shows. */
export interface Reading<Figure> {
  properties: Partial<Figure>;
  /** The head as a figure about its pairs shows it: its cells may stand for several of tokens. */
  looked?: Looked;
  /** Of a figure with axes of its own, the pair of tokens that a cell stands for; null where there is none. */
  cellOf?: (place: Cell) => Cell | null;
}

/** What a figure has on the screen. */
export interface Shown extends Reading<object> {
  run: Run;
  head: HeadRef;
  /** How many layers and heads each stack of the model has. */
  sizes: StackSizes;
  /** What computed it: where no GPU is to be had, not what was asked for. */
  backend: ModelInfo["backend"];
}

/** Why there is nothing to show, though nothing failed. */
export interface Lacking {
  lacks: MessageKey;
}

/** What is drawn of a head, read once for as long as the figure asks for the same. */
export function ofHead(
  { run, head, memory }: Pick<Subject, "run" | "head"> & { memory: Pick<Memory, "figures"> },
  { beside = [], vectors = false }: { beside?: readonly number[]; vectors?: boolean } = {},
): Promise<HeadFigures> {
  return memory.figures.get([run, head.stack, head.layer, head.head, vectors, beside.join()], () =>
    readHead(run, head, { beside, vectors }),
  );
}

/** Of an attribute that asks for what is not there, with what could be asked for instead. */
export function refuseAbsent(written: string, there: string): HeadscopeError {
  return refuse("attribute/absent", "Showing a figure", there, written);
}

/** The part of a matrix that an attribute names, all of which has to be there. */
export function regionWithin({ region }: Pick<State, "region">, { shape }: Tensor): Region | null {
  const [rows = 0, columns = 0] = shape;
  if (region && (region.query + region.rows > rows || region.key + region.columns > columns))
    throw refuseAbsent(writtenAttribute("region", { region }), `1-${rows}x1-${columns}`);
  return region;
}
