/** A training by its settings: the model before its first step, its batches, and the shown text. */
import type { Edits, Token } from "../data/index.js";
import type { TrainingSettings } from "./settings.js";
import type { Kept, TrainingRun } from "./training-run.js";

/** A training with what the page says of it. */
export interface Training {
  /** The settings as the text of a link. */
  text: string;
  settings: TrainingSettings;
  run: TrainingRun;
  /** The tokens of ids. */
  tokensOf(ids: readonly number[]): Token[];
  /** The folder of a checkpoint that transformers loads, and whether it computes the same there. */
  saved(weights: Uint8Array): { name: string; files: File[]; isWhole: boolean };
  /** The folder of a checkpoint that the explorer opens, with the edits of `opened`. */
  folder(weights: Uint8Array): { name: string; files: File[] };
  /** What the explorer shows of the model when it is opened there. */
  opened: { text: string; target: string | null; edits: Edits };
}

/**
 * Opens the training of settings, at its first step or where it was kept; `changed` is called after
 * every change of what it shows. `own` is a text of one's own, for a task that needs one.
 */
export type OpenTraining = (
  text: string,
  settings: TrainingSettings,
  kept: Kept | null,
  changed: () => void,
  own?: string,
) => Promise<Training>;
