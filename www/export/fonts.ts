import { forgetWidths } from "../draw/text.js";

// Fonts in slices of some characters each, so that a file carries no more of them than it needs. Cut by `tools/vite/fonts.ts`.

/** One file of a font, in WOFF2. */
export interface Slice {
  family: Family;
  /** As `@font-face` has it: a weight, or the first and the last that it can be set to. */
  weight: "400" | "600" | "100 900";
  /** The characters that it has, as `unicode-range` has them. */
  range: string;
  url: string;
}

/** Whose letters a picture is set in, in the order in which they are asked for a character. */
export const FAMILIES = ["Noto Sans", "Noto Sans Math", "Noto Sans SC"] as const;
export type Family = (typeof FAMILIES)[number];

/** What every system has of its own, for where a file is opened that names its fonts only, and for characters that no slice has. */
const ELSEWHERE =
  '"Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif';

/** The fonts of a file, as it names them. */
export const FILE_FONT = [...FAMILIES.map((family) => `"${family}"`), ELSEWHERE].join(", ");

/** The same while the page measures and paints with them: under names of their own, so that its own texts stay as they are. */
export const PAINTED_FONT = [
  ...FAMILIES.map((family) => `"${paintedName(family)}"`),
  FILE_FONT,
].join(", ");

export function paintedName(family: Family): string {
  return `Headscope ${family}`;
}

/** A font of a painter as a file names it. */
export function fileFont(family: string): string {
  return family === PAINTED_FONT ? FILE_FONT : family;
}

/** The parts of a canvas font such as `600 12.5px "Noto Sans", sans-serif`. */
export function fontOf(font: string): { size: number; weight: string | undefined; family: string } {
  const [, before = "", size = "10", family = "sans-serif"] =
    /^(.*?)([\d.]+)px\s+(.+)$/.exec(font) ?? [];
  return { size: Number(size), weight: /\b(bold|\d00)\b/.exec(before)?.[1], family };
}

const WEIGHTS = [400, 600] as const;
type Weight = (typeof WEIGHTS)[number];

/** Characters, as code points, by the weight that they are set in. */
export type Characters = Readonly<Record<Weight, Set<number>>>;

/** The weight of a canvas font, as the one of those two that is meant. */
export function weightOf(weight = "400"): Weight {
  return weight === "bold" || Number(weight) >= WEIGHTS[1] ? WEIGHTS[1] : WEIGHTS[0];
}

// Which slices a picture needs, and what a file says of each.

const ranges = new WeakMap<Slice, (readonly [first: number, last: number])[]>();

/** Whether the slice has a glyph for the character. */
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
 * The fewest slices, one after the other, that have all the characters in their weights: of the first family that knows a
 * character the slice that is needed anyway, or else the smallest, which stands first. What none has is left to the system.
 */
export function chosen(characters: Characters, slices: readonly Slice[]): Slice[] {
  const needed = new Set<Slice>();
  for (const weight of WEIGHTS) {
    // Of a family that does not have the weight, a browser makes the letters bold by itself.
    const fitting = slices.filter(
      (slice) =>
        includes(slice, weight) ||
        !slices.some((other) => other.family === slice.family && includes(other, weight)),
    );
    for (const character of characters[weight]) {
      const having = fitting.filter((slice) => covers(slice, character));
      const family = FAMILIES.find((name) => having.some((slice) => slice.family === name));
      const best = having.filter((slice) => slice.family === family);
      const [first] = best;
      if (first && !best.some((slice) => needed.has(slice))) needed.add(first);
    }
  }
  return slices.filter((slice) => needed.has(slice));
}

function includes({ weight }: Slice, wanted: Weight): boolean {
  const [least = 0, most = least] = weight.split(" ").map(Number);
  return least <= wanted && wanted <= most;
}

// Slices as fonts that the page can measure and paint with.

/** A slice with what is in it. */
export interface LoadedSlice {
  slice: Slice;
  bytes: ArrayBuffer;
}

/** How long a picture waits for a server that does not answer. */
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

// Slices as a file carries them.

/** Bytes as text, for a file within a file. */
export function base64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** A style sheet with the fonts in it: nothing has to be fetched, or to be installed. */
export function fontRules(slices: readonly LoadedSlice[]): string {
  return slices
    .map(
      ({ slice: { family, weight, range }, bytes }) =>
        `@font-face{font-family:"${family}";font-weight:${weight};src:url(data:font/woff2;base64,${base64(new Uint8Array(bytes))}) format("woff2");unicode-range:${range}}`,
    )
    .join("\n");
}

/** The list of all slices is long, and read only where a picture is saved. */
export const allSlices = async (): Promise<readonly Slice[]> =>
  (await import("virtual:headscope-font-slices")).default;
