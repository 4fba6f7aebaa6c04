// Slices as fonts that the page can measure and paint with.
import { forgetWidths } from "../../draw/text.js";
import { paintedName, type Slice } from "./slice.js";

/** A slice with what is in it. */
export interface LoadedSlice {
  slice: Slice;
  bytes: ArrayBuffer;
}

/** A server that does not answer keeps nobody from a picture for longer. */
const PATIENCE_MILLIS = 20_000;

/** What was fetched once stays; what failed is asked for again the next time. */
const loaded = new Map<string, Promise<LoadedSlice>>();

/** Fetches a slice and makes the page know it, under the name that only painting uses. */
export function load(slice: Slice): Promise<LoadedSlice> {
  const known = loaded.get(slice.url);
  if (known) return known;
  const coming = fetched(slice);
  loaded.set(slice.url, coming);
  coming.catch(() => loaded.delete(slice.url));
  return coming;
}

async function fetched(slice: Slice): Promise<LoadedSlice> {
  const response = await fetch(slice.url, { signal: AbortSignal.timeout(PATIENCE_MILLIS) });
  if (!response.ok) throw new TypeError(`a font could not be fetched: ${response.status}`);
  const bytes = await response.arrayBuffer();
  // Of bytes, not of an address: no policy of the page is asked about its fonts.
  const face = new FontFace(paintedName(slice.family), bytes, {
    weight: slice.weight,
    unicodeRange: slice.range,
  });
  document.fonts.add(await face.load());
  // The page says that fonts came only of those that it loaded itself; until now another stood in for this one.
  forgetWidths();
  return { slice, bytes };
}
