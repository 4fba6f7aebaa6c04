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
