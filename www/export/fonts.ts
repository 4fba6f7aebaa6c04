// Fonts in slices of some characters each, so that a file contains only what it needs.
// `tools/vite/fonts.ts` cuts the slices.
import { forgetWidths } from "../draw/text.js";

export interface Slice {
  family: Family;
  /** The weight in `@font-face`: one weight, or the range of a variable font. */
  weight: "400" | "600" | "100 900";
  range: string;
  url: string;
}

/** The font families, in the order in which they are searched for a character. */
export const FAMILIES = ["Noto Sans", "Noto Sans Math", "Noto Sans SC"] as const;
type Family = (typeof FAMILIES)[number];

/**
 * The name of a family while the page measures and paints with it, which differs from the font's,
 * so that the page's own texts are not affected.
 */
export const paintedName = (family: Family): string => `Headscope ${family}`;

const listed = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");

/** The font list of a file, with every system's fonts for characters that no slice has. */
const FILE_FONT = `${listed(FAMILIES)}, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif`;

export const PAINTED_FONT = `${listed(FAMILIES.map(paintedName))}, ${FILE_FONT}`;

export const fileFont = (family: string): string => (family === PAINTED_FONT ? FILE_FONT : family);

/** The parts of a canvas font such as `600 12.5px "Noto Sans", sans-serif`. */
export function fontOf(font: string): { size: number; weight: string | undefined; family: string } {
  const [, before = "", size = "10", family = "sans-serif"] =
    /^(.*?)([\d.]+)px\s+(.+)$/.exec(font) ?? [];
  return { size: Number(size), weight: /\b(bold|\d00)\b/.exec(before)?.[1], family };
}

/** Characters, as code points, by font weight. */
export type Characters = Readonly<Record<400 | 600, Set<number>>>;

/** The nearer of the two weights to the weight of a canvas font. */
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
 * The fewest slices, in order, that cover all characters in their weights: for each character, from
 * the first family that has it, a slice that is needed anyway, or else the smallest, which comes
 * first. Characters that no slice has are left to the system's fonts.
 */
export function chosen(characters: Characters, slices: readonly Slice[]): Slice[] {
  const needed = new Set<Slice>();
  for (const wanted of [400, 600] as const) {
    const includes = ({ weight }: Slice): boolean => {
      const [least = 0, most = least] = weight.split(" ").map(Number);
      return least <= wanted && wanted <= most;
    };
    const families = new Set(slices.filter(includes).map(({ family }) => family));
    // Without the weight in a family, a browser makes its letters bold itself.
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

/** Fetches a slice, retried after a failure, and adds it to the page under its painted name. */
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
  // From bytes, not from an address: so the page's font policy does not apply.
  const face = new FontFace(paintedName(family), bytes, { weight, unicodeRange });
  document.fonts.add(await face.load());
  // The page reports only fonts that it loaded itself; texts were measured with a substitute until
  // now.
  forgetWidths();
  return { slice, bytes };
}

export const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

/** A style sheet with the fonts embedded, so that nothing is fetched or installed. */
export const fontRules = (slices: readonly LoadedSlice[]): string =>
  slices
    .map(
      ({ slice: { family, weight, range }, bytes }) =>
        `@font-face{font-family:"${family}";font-weight:${weight};src:url(data:font/woff2;base64,${base64(new Uint8Array(bytes))}) format("woff2");unicode-range:${range}}`,
    )
    .join("\n");

export const allSlices = async (): Promise<readonly Slice[]> =>
  (await import("virtual:headscope-font-slices")).default;
