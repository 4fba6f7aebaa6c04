import type { LoadProgress } from "../../headscope.js";
import type { ModelName } from "../../state/index.js";
import { FETCHED_FILES, MODEL_CARDS } from "../models.js";

/** Where a model's download stands. */
export type Download = Loading | { phase: "ready" | "cancelled" | "failed" };

interface Loading {
  phase: "loading";
  loadedBytes: number;
  /** Null until it is known. */
  totalBytes: number | null;
}

export const NOTHING_YET: Loading = { phase: "loading", loadedBytes: 0, totalBytes: null };

/** Adds up what is told of each file of a model, so that one bar can stand for all of them. */
export function downloadOf(model: ModelName): (progress: LoadProgress) => Loading {
  const files = new Map<string, LoadProgress>();
  const expected = MODEL_CARDS.find(({ name }) => name === model)?.bytes ?? null;
  return (progress) => {
    files.set(progress.file, progress);
    const loadedBytes = sum([...files.values()].map((file) => file.loadedBytes));
    const told = [...files.values()].map((file) => file.totalBytes);
    // How much there is of a model that the page does not know is clear once the last of its files has begun.
    const known =
      files.has(LAST_FILE) && told.every((bytes) => bytes !== undefined) ? sum(told) : null;
    const totalBytes = expected ?? known;
    return {
      phase: "loading",
      loadedBytes,
      totalBytes: totalBytes === null ? null : Math.max(totalBytes, loadedBytes),
    };
  };
}

const LAST_FILE = FETCHED_FILES[FETCHED_FILES.length - 1] ?? "";

function sum(numbers: readonly number[]): number {
  return numbers.reduce((whole, one) => whole + one, 0);
}
