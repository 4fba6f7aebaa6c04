// Fonts in slices of some characters each, so that a file carries no more of them than it needs.
// Cut by `tools/vite/fonts.ts`.
import { forgetWidths } from "../draw/text.js";

export interface Slice {
  family: Family;
  /** As `@font-face` has it: a weight, or the first and the last that it can be set to. */
  weight: "400" | "600" | "100 900";
  range: string;
  url: string;
}

/** In the order in which they are asked for a character. */
export const FAMILIES = ["Noto Sans", "Noto Sans Math", "Noto Sans SC"] as const;
type Family = (typeof FAMILIES)[number];

/**
 * While the page measures and paints with a family, it has a name of its own, so that the page's
 * texts stay as they are.
 */
export const paintedName = (family: Family): string => `Headscope ${family}`;

const listed = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");

/** The fonts as a file names them, with those of every system for characters that no slice has. */
const FILE_FONT = `${listed(FAMILIES)}, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif`;

export const PAINTED_FONT = `${listed(FAMILIES.map(paintedName))}, ${FILE_FONT}`;

export const fileFont = (family: string): string => (family === PAINTED_FONT ? FILE_FONT : family);

/** The parts of a canvas font such as `600 12.5px "Noto Sans", sans-serif`. */
export function fontOf(font: string): { size: number; weight: string | undefined; family: string } {
  const [, before = "", size = "10", family = "sans-serif"] =
    /^(.*?)([\d.]+)px\s+(.+)$/.exec(font) ?? [];
  return { size: Number(size), weight: /\b(bold|\d00)\b/.exec(before)?.[1], family };
}

/** Characters, as code points, by the weight that they are set in. */
export type Characters = Readonly<Record<400 | 600, Set<number>>>;

/** The weight of a canvas font, as the nearest of those two. */
export const weightOf = (weight = "400"): keyof Characters =>
  weight === "bold" || Number(weight) >= 600 ? 600 : 400;

const ranges = new WeakMap<Slice, (readonly [first: number, last: number])[]>();

export function covers(slice: Slice, character: number): boolean {
  let known = ranges.get(slice);
  if (!known) {
    // `U+41-5A,U+2212`
    known = slice.range.split(",").map((range) => {
      const [first = "", last = first] = range.slice(2).split("-");
      return [parseInt(first, 16), parseInt(last, 16)] as const;
    });
    ranges.set(slice, known);
  }
  return known.some(([first, last]) => first <= character && character <= last);
}

/**
 * The fewest slices, one after the other, that have all the characters in their weights: of the
 * first family that knows a character the slice that is needed anyway, or else the smallest, which
 * stands first. What none has is left to the system.
 */
export function chosen(characters: Characters, slices: readonly Slice[]): Slice[] {
  const needed = new Set<Slice>();
  for (const wanted of [400, 600] as const) {
    const includes = ({ weight }: Slice): boolean => {
      const [least = 0, most = least] = weight.split(" ").map(Number);
      return least <= wanted && wanted <= most;
    };
    const families = new Set(slices.filter(includes).map(({ family }) => family));
    // Of a family that does not have the weight, a browser makes the letters bold by itself.
    const fitting = slices.filter((slice) => includes(slice) || !families.has(slice.family));
    for (const character of characters[wanted]) {
      const having = fitting.filter((slice) => covers(slice, character));
      const family = FAMILIES.find((name) => having.some((slice) => slice.family === name));
      const best = having.filter((slice) => slice.family === family);
      if (best[0] && !best.some((slice) => needed.has(slice))) needed.add(best[0]);
    }
  }
  return slices.filter((slice) => needed.has(slice));
}

export interface LoadedSlice {
  slice: Slice;
  bytes: ArrayBuffer;
}

const PATIENCE_MILLIS = 20_000;
const loaded = new Map<string, Promise<LoadedSlice>>();

/**
 * Fetches a slice, until that succeeds, and makes the page know it under the name that only
 * painting uses.
 */
export function load(slice: Slice): Promise<LoadedSlice> {
  const { url } = slice;
  const loading = loaded.get(url) ?? fetched(slice);
  loaded.set(url, loading);
  loading.catch(() => loaded.delete(url));
  return loading;
}

async function fetched(slice: Slice): Promise<LoadedSlice> {
  const response = await fetch(slice.url, { signal: AbortSignal.timeout(PATIENCE_MILLIS) });
  if (!response.ok) throw new TypeError(`a font could not be fetched: ${response.status}`);
  const bytes = await response.arrayBuffer();
  const { family, weight, range: unicodeRange } = slice;
  // Of bytes, not of an address: no policy of the page is asked about its fonts.
  const face = new FontFace(paintedName(family), bytes, { weight, unicodeRange });
  document.fonts.add(await face.load());
  // The page reports only fonts that it loaded itself; until now another stood in for this one.
  forgetWidths();
  return { slice, bytes };
}

export const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

/** A style sheet with the fonts in it: nothing has to be fetched, or to be installed. */
export const fontRules = (slices: readonly LoadedSlice[]): string =>
  slices
    .map(
      ({ slice: { family, weight, range }, bytes }) =>
        `@font-face{font-family:"${family}";font-weight:${weight};src:url(data:font/woff2;base64,${base64(new Uint8Array(bytes))}) format("woff2");unicode-range:${range}}`,
    )
    .join("\n");

export const allSlices = async (): Promise<readonly Slice[]> =>
  (await import("virtual:headscope-font-slices")).default;
