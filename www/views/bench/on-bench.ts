import type { HeadRef, Tensor } from "../../data/index.js";
import type { Model, Run } from "../../headscope.js";
import type { MatrixInputs, EditLists, Reach } from "../../state/index.js";
import type { HeadFigures } from "../run/figures.js";

/** What the parts of the bench are told. */
export interface OnBench {
  edits: EditLists;
  /** The head that is looked at; null while there is none. */
  head: HeadRef | null;
  /** Its mask as it is now, additive, `[query, key]`. */
  mask: Tensor | null;
  model: Model | null;
  /** The run on the screen. It stays the same object while it grows; `revision` says so. */
  run: Run | null;
  revision: number;
  /** What is on the workbench; null for the example that it opens on. */
  numbers: MatrixInputs | null;
  /** All that is read of the head; null until it is. */
  figures: HeadFigures | null;
  /** The sentence on the page. */
  text: string;
  /** Whether the run is still being written. */
  growing: boolean;
  /** Whether cells of the picture are painted, and for whom. */
  painting: Painting;
}

/** How cells are painted. */
export interface Painting {
  on: boolean;
  reach: Reach;
}

/** Whether they are told anything else: it comes anew with every move of the pointer. */
export function saysMore(
  now: Partial<OnBench> | null,
  before: Partial<OnBench> | null | undefined,
): boolean {
  if (!now || !before) return now !== before;
  const { painting, ...others } = now;
  const same = (name: keyof typeof others): boolean => now[name] === before[name];
  return (
    painting?.on !== before.painting?.on ||
    painting?.reach !== before.painting?.reach ||
    !(Object.keys(others) as (keyof typeof others)[]).every(same)
  );
}
