import type { Print, TextMeasure } from "../../draw/theme.js";
import { chosen } from "./choose.js";
import { load, type LoadedSlice } from "./load.js";
import type { Slice } from "./slice.js";
import { charactersOf } from "./texts.js";

/** A picture with the fonts that its texts are set in. */
export interface Fonted<T extends Print> {
  print: T;
  slices: readonly LoadedSlice[];
  /** Whether a font that it needs could not be had: then it is set in what the system has. */
  lacking: boolean;
}

/** The list of them is long, and wanted by who saves a picture only. */
const allSlices = async (): Promise<readonly Slice[]> =>
  (await import("virtual:headscope-font-slices")).default;

/**
 * Makes a picture that is measured in its own fonts. Which those are, its texts tell, and where a text is cut or broken,
 * the fonts: so it is made anew until it has no character that was not known before. Null where there is no picture.
 */
export async function fonted<T extends Print>(
  make: () => T | null,
  measure: TextMeasure,
  listed = allSlices,
): Promise<Fonted<T> | null> {
  const slices = await listed().catch(() => null);
  const had = new Map<Slice, LoadedSlice | null>();
  for (;;) {
    const print = make();
    if (!print) return null;
    const needed = slices ? chosen(charactersOf(print, measure), slices) : [];
    const further = needed.filter((slice) => !had.has(slice));
    if (further.length === 0) {
      const found = needed.flatMap((slice) => had.get(slice) ?? []);
      return { print, slices: found, lacking: slices === null || found.length < needed.length };
    }
    await Promise.all(
      further.map(async (slice) => had.set(slice, await load(slice).catch(() => null))),
    );
  }
}
