import type { Cell, HeadRef, ModelInfo } from "../data/index.js";
import type { Model, Run } from "../headscope.js";
import type { MessageKey } from "../i18n/index.js";
import type { StackSizes, State } from "../state/index.js";
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
