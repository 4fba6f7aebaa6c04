// Attention sinks: a token that takes most of the weight whatever the text says (Xiao et al. 2023, "Efficient
// Streaming Language Models with Attention Sinks", arXiv:2309.17453).
import { isForbidden, type Tensor, type Token } from "../data/index.js";
import { isSpecial } from "./groups.js";

/** From this mean weight on a token is called a sink: at least as much as all others together. */
const SINK_SHARE = 0.5;

export interface Sink {
  key: number;
  /** The mean weight that it takes from queries that had a choice. */
  share: number;
}

/**
 * The first or a special token that takes at least half of the weight; null if there is none. Queries that may look
 * at no more than one key have no choice, and do not count.
 */
export function sinkOf(weights: Tensor, mask: Tensor, keys: readonly Token[]): Sink | null {
  const [rows = 0, columns = 0] = weights.shape;
  const choosing = Array.from({ length: rows }, (_, row) => row).filter(
    (row) => allowedIn(mask, row, columns) > 1,
  );
  if (choosing.length === 0) return null;
  let most: Sink | null = null;
  keys.forEach((token, key) => {
    if (key > 0 && !isSpecial(token)) return;
    const share =
      choosing.reduce((sum, row) => sum + (weights.data[row * columns + key] ?? 0), 0) /
      choosing.length;
    if (share >= SINK_SHARE && share > (most?.share ?? 0)) most = { key, share };
  });
  return most;
}

function allowedIn({ data }: Tensor, row: number, columns: number): number {
  let count = 0;
  for (let at = row * columns; at < (row + 1) * columns; at += 1)
    if (!isForbidden(data[at] ?? NaN)) count += 1;
  return count;
}
