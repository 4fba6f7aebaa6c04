/** The layout of a saved picture: its width, its letters, and what stands on its sheet. */
import { LABEL_SIZE } from "../draw/theme.js";
import { OWN_LAYOUT, type SheetLayout } from "../export/sheet.js";

export interface PictureLayout {
  /** The width in millimetres, and the size of labels in points; null for those of the screen. */
  print: { millimetres: number; points: number } | null;
  title: boolean;
  /** Whether the texts that say where the picture is from stand on the sheet. */
  caption: boolean;
  legend: boolean;
  colourBar: boolean;
  held: boolean;
  /** Whether an SVG has the outlines of its text in place of text. */
  outlines: boolean;
  /** Whether a matrix whose labels have no room is saved in parts. */
  inParts: boolean;
}

/** The layouts to begin with, by what a picture is for. */
export const PRESETS = ["own", "column", "page", "slide"] as const;
export type Preset = (typeof PRESETS)[number];

const OWN: PictureLayout = {
  print: null,
  title: true,
  caption: true,
  legend: true,
  colourBar: true,
  held: true,
  outlines: false,
  inParts: false,
};
// A paper has the words in its own caption.
const PAPER = { ...OWN, title: false, caption: false, held: false };

export const LAYOUTS: Readonly<Record<Preset, PictureLayout>> = {
  own: OWN,
  column: { ...PAPER, print: { millimetres: 85, points: 7 } },
  page: { ...PAPER, print: { millimetres: 178, points: 8 } },
  slide: { ...OWN, caption: false, print: { millimetres: 254, points: 14 } },
};

/** The bounds of the fields, for files that programs can open and people can read. */
export const BOUNDS = {
  millimetres: { least: 20, most: 1000 },
  points: { least: 4, most: 72 },
} as const;

/** The pixels of a point, at 96 pixels and 72 points to the inch. */
const PIXELS = 96 / 72;
const PRINT_MARGIN = 4;

/** The sheet of a layout, in pixels at the size that labels have on the screen. */
export function sheetLayout({ print, ...layout }: PictureLayout): SheetLayout {
  const { title, caption, legend, colourBar, held } = layout;
  const shown = { title, caption, legend, colourBar, held };
  if (!print) return { ...OWN_LAYOUT, ...shown };
  const scale = (print.points * PIXELS) / LABEL_SIZE;
  const whole = ((print.millimetres / 25.4) * 96) / scale;
  return { ...shown, width: whole - 2 * PRINT_MARGIN, margin: PRINT_MARGIN };
}

/** The size of labels in points on a sheet of a width, which may be larger than was asked for. */
export function pointsOn({ print }: PictureLayout, sheetWidth: number): number | null {
  return print && (((print.millimetres / 25.4) * 72) / sheetWidth) * LABEL_SIZE;
}
