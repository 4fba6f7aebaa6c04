// Where the parts of a head's dimensions lie: the query's vector above, then a row for each key
// with its vector, the products, their sum, the scaled sum and the weight.
import { LABEL_GAP, type LegendPlace } from "./layout.js";
import { MARK } from "./lines.js";
import type { ScrolledLayout } from "./scrolled.js";

export interface DimensionsLayout extends ScrolledLayout {
  rows: number;
  dimensions: number;
  /** Where labels end. */
  label: number;
  /** Left edges of the keys' vectors and of the products, the width of one number and the height of a strip. */
  keys: number;
  products: number;
  cell: number;
  strip: number;
  /** Whether a row has its products under its vector, for want of width. */
  stacked: boolean;
  /** Right edges of the three numbers, and the decimals that they have room for. */
  numbers: { raw: number; scores: number; weights: number };
  digits: number;
  /** Top of the query's strip. */
  query: number;
  legends: { vectors: LegendPlace; products: LegendPlace };
}

export interface DimensionsRequest {
  /** Keys. */
  rows: number;
  dimensions: number;
  width: number;
  ratio: number;
  comfortableHeight: number;
  keyLabel: number;
}

const QUERY_TOP = 10;
const HEAD = 66;
const FOOT = 48;
const STRIP_GAP = 18;
const NUMBER_WIDTH = { wide: 60, stacked: 46 };
/** Below this width the products move under the vectors. */
const STACKED_BELOW = 560;
const LARGEST_CELL = 9;
const PITCH = { least: 18, most: 26 };
const STACKED_PITCH = 34;
const STACKED_SEAM = 2;
const ROW_SEAM = 4;
const LARGEST_WINDOW = 560;
const LEGEND_WIDTH = 112;
const LEGEND_HEIGHT = 8;

export function layoutDimensions({
  rows,
  dimensions,
  width,
  ratio,
  comfortableHeight,
  keyLabel,
}: DimensionsRequest): DimensionsLayout {
  const stacked = width < STACKED_BELOW;
  const number = stacked ? NUMBER_WIDTH.stacked : NUMBER_WIDTH.wide;
  const left = keyLabel + LABEL_GAP + MARK;
  const strips = stacked ? 1 : 2;
  const room = width - left - (strips - 1) * STRIP_GAP - 3 * number;
  const across = Math.max(
    1 / ratio,
    Math.min(LARGEST_CELL, room / strips / Math.max(1, dimensions)),
  );
  const cell = Math.floor(across * ratio) / ratio;
  const used = left + strips * cell * dimensions + (strips - 1) * STRIP_GAP + 3 * number;
  const keys = Math.round((left + Math.max(0, (width - used) / 2)) * ratio) / ratio;
  const products = stacked ? keys : keys + cell * dimensions + STRIP_GAP;
  const right = products + cell * dimensions + number;
  const pitch = stacked
    ? STACKED_PITCH
    : Math.min(
        PITCH.most,
        Math.max(PITCH.least, Math.floor(comfortableHeight / Math.max(1, rows))),
      );
  const height = HEAD + Math.min(rows * pitch, Math.max(comfortableHeight, LARGEST_WINDOW)) + FOOT;
  const legend = (x: number): LegendPlace => ({
    x,
    y: height - FOOT + 16,
    width: Math.min(LEGEND_WIDTH, width / 2 - 64),
    height: LEGEND_HEIGHT,
    upright: false,
  });
  return {
    width: Math.max(width, Math.ceil(used)),
    height,
    contentHeight: HEAD + rows * pitch + FOOT,
    top: HEAD,
    foot: FOOT,
    pitch,
    rows,
    dimensions,
    label: keys - LABEL_GAP - MARK,
    keys,
    products,
    cell,
    strip: stacked ? (pitch - ROW_SEAM - STACKED_SEAM) / 2 : pitch - ROW_SEAM,
    stacked,
    numbers: { raw: right, scores: right + number, weights: right + 2 * number },
    digits: stacked ? 2 : 3,
    query: QUERY_TOP,
    legends: stacked
      ? { vectors: legend(4), products: legend(width / 2 + 4) }
      : { vectors: legend(keys), products: legend(products) },
  };
}

/** Tops of a row's two strips, in the window. */
export function stripsOf(
  { top, pitch, strip, stacked }: DimensionsLayout,
  scroll: number,
  row: number,
): { keys: number; products: number } {
  const keys = top + row * pitch - scroll + ROW_SEAM / 2;
  return { keys, products: stacked ? keys + strip + STACKED_SEAM : keys };
}

/** The dimension under a distance from the left, or null beside the strips. */
export function dimensionAt(
  { keys, products, cell, dimensions }: DimensionsLayout,
  x: number,
): number | null {
  for (const left of [keys, products]) {
    const dimension = Math.floor((x - left) / cell);
    if (dimension >= 0 && dimension < dimensions) return dimension;
  }
  return null;
}
