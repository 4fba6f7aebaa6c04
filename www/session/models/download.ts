/** The progress of a model's download: the sum over all its files, for one bar. */
import type { LoadProgress } from "../../headscope.js";
import type { ModelName } from "../../state/index.js";
import { cardOf, WEIGHTS_FILE } from "./models.js";

/** The state of the download of a model. */
export type Download =
  | {
      phase: "loading";
      /** The file that is being read; undefined at first. */
      file?: string;
      loadedBytes: number;
      totalBytes: number | null;
      /** The rate over the last seconds; undefined at first. */
      bytesPerSecond?: number;
      /** The number of seconds until the server is asked again. */
      waitSeconds?: number;
      /** Whether another page of this site fetches the same model. */
      waitsForPage?: true;
    }
  | {
      /** `asked`: the reader was asked whether the model may be fetched. */
      phase: "asked" | "ready" | "cancelled" | "failed";
    };
type Loading = Extract<Download, { phase: "loading" }>;

export const NOTHING_YET: Loading = { phase: "loading", loadedBytes: 0, totalBytes: null };

/**
 * Sums up the progress of a model's files, for one bar; `measured` is the size of a model without a
 * card.
 */
export function downloadOf(
  model: ModelName,
  measured: number | null = null,
): (progress: LoadProgress) => Loading {
  const files = new Map<string, LoadProgress>();
  const expected = cardOf(model)?.bytes ?? measured;
  let since = performance.now();
  let before = 0;
  let rate: number | undefined;
  const sum = (bytes: (file: LoadProgress) => number): number =>
    [...files.values()].reduce((whole, file) => whole + bytes(file), 0);
  return (progress) => {
    files.set(progress.file, progress);
    const loadedBytes = sum((file) => file.loadedBytes);
    // The size of a model without a card or measurement is known once the last of its files has
    // begun.
    const all = files.has(WEIGHTS_FILE) ? sum((one) => one.totalBytes ?? NaN) : NaN;
    const total = expected ?? all;
    const totalBytes = Number.isNaN(total) ? null : Math.max(total, loadedBytes);
    const seconds = (performance.now() - since) / 1000;
    if (seconds >= 1) {
      const latest = Math.max(0, loadedBytes - before) / seconds;
      rate = rate === undefined ? latest : (rate + latest) / 2;
      since = performance.now();
      before = loadedBytes;
    }
    const { waitSeconds, waitsForPage } = progress;
    return {
      phase: "loading",
      file: progress.file,
      loadedBytes,
      totalBytes,
      ...(rate !== undefined && { bytesPerSecond: rate }),
      ...(waitSeconds !== undefined && { waitSeconds }),
      ...(waitsForPage && { waitsForPage }),
    };
  };
}
