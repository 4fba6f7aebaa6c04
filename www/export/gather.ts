/** Files gathered into one download. */
import { pause } from "./download.js";

/** The time after which building of a file pauses, so that the page stays responsive. */
const PAUSE_AFTER_MILLIS = 24;

export async function gather(pieces: Iterable<string>, type: string): Promise<Blob> {
  const parts: string[] = [];
  let began = performance.now();
  for (const piece of pieces) {
    parts.push(piece);
    if (performance.now() - began < PAUSE_AFTER_MILLIS) continue;
    await pause();
    began = performance.now();
  }
  return new Blob(parts, { type });
}
