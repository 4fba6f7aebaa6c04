import type { HeadRef, Tensor } from "../../data/index.js";
import type { Model, Run } from "../../headscope.js";
import type { EditLists, MatrixInputs, Reach, State } from "../../state/index.js";
import type { HeadFigures } from "../run/head.js";

/** The session as the experiments see it: another object only where anything of it is other. */
export interface BenchContext {
  edits: EditLists;
  /** The head that is shown; null while there is none. */
  head: HeadRef | null;
  /** Its mask as it is now, additive, `[query, key]`. */
  mask: Tensor | null;
  model: Model | null;
  /** The run on the screen. It stays the same object while it grows; `revision` says so. */
  run: Run | null;
  revision: number;
  /** The matrices of the attention calculator; null for its example. */
  numbers: MatrixInputs | null;
  figures: HeadFigures | null;
  text: string;
  growing: boolean;
  /** Whether cells of the picture are painted, and for which heads. */
  painting: Painting & { change: (to: Partial<Painting>) => void };
}

interface Painting {
  blocking: boolean;
  reach: Reach;
}

export type PatchState = (change: Partial<State>) => void;
