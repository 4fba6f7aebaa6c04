// How alike two words are, as bars for the page and for files.
import type { BarItem } from "../../elements/bars/index.js";
import { formatFixed, message } from "../../i18n/index.js";
import type { WordCosines, WordPair } from "./words.js";

/** Two states of one direction have this cosine; a bar of it is as long as can be. */
export const LARGEST_COSINE = 1;

/** One bar for each layer, the embeddings first. A state that is zero has no direction. */
export function cosineBars({ cosines }: WordCosines): BarItem[] {
  return cosines.map((cosine, layer) => ({
    label: layer === 0 ? message("pairs.embedding") : message("pairs.layer", { layer }),
    value: cosine ?? 0,
    text: cosine === null ? "–" : formatFixed(cosine),
  }));
}

export function cosinesTitle({ one, other }: WordPair): string {
  return other
    ? message("pairs.cosineOf", { one: one.text, other: other.text })
    : message("pairs.alone", { word: one.text });
}
