import type { Cell, Tensor } from "../data/index.js";

// The layout of a matrix figure, in CSS pixels. Plot and cells lie on whole device pixels, so that
// they stay sharp.

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface LegendPlace extends Rect {
  upright: boolean;
}

export interface MatrixLayout {
  width: number;
  height: number;
  rows: number;
  columns: number;
  cell: number;
  plot: Rect;
  legend: LegendPlace | null;
  sums: { query: Rect | null; key: (Rect & { wordsBelow: boolean }) | null };
}

export interface LayoutRequest {
  rows: number;
  columns: number;
  width: number;
  ratio: number;
  /** The preferred height of the plot; labels stay legible beyond it. */
  comfortableHeight: number;
  /** Whether the plot never exceeds the comfortable height. */
  compact?: boolean;
  /** The most height of the whole figure, to which its cells shrink; without it, it grows. */
  highest?: number;
  settledCell?: number;
  labels: Readonly<Record<keyof Cell, number>>;
  /** The width of the legend's numbers; null without a legend. */
  legendText: number | null;
  /** The width of the title of the column sums; null without them. */
  sumsText: number | null;
  /** Whether there are row sums; then the title is below the column sums. */
  rowSums?: boolean;
  /**
   * What the largest of the figures beside this one needs: all have cells of one size, under labels
   * of one height.
   */
  company?: { rows: number; columns: number; rowSums: boolean; sumsText: number };
}

/** Key labels rise at this angle. */
export const SLANT = Math.PI / 4;
export const LABEL_GAP = 10;
const LABEL_HEIGHT = 12;
const ROUNDING = 1e-6;
const NARROW = 560;
const CELL = {
  largest: 64,
  /** The cell height to which cells of a tall figure shrink before the figure grows. */
  tall: 14,
  /** A smaller cell is not rounded down: that would waste much of the room. */
  whole: 3,
};
const LEGEND = {
  gap: 22,
  thickness: 11,
  longest: 148,
  shortest: 64,
  /** The least length of a legend that lies: its numbers stand below its ends. */
  least: 84,
  /** The least room for the title behind a legend that lies, and the space around the title. */
  title: 64,
  space: 14,
  text: 22,
};
const SUMS = { gap: { query: 6, key: 10 }, width: 22, height: 30 };

/**
 * Lays out a figure; cells are at least one device pixel, even if the figure becomes wider or
 * higher than asked.
 */
export function layoutMatrix(request: LayoutRequest): MatrixLayout {
  const { highest = Infinity, ratio, rows } = request;
  const pixel = 1 / ratio;
  let layout = layoutComfortably(request);
  // By one device pixel after the other: with smaller cells the legend may stand beside them.
  for (let { cell } = layout; layout.height > highest && cell > pixel;) {
    cell = Math.max(pixel, cell - pixel);
    layout = layoutComfortably({ ...request, comfortableHeight: cell * rows, compact: true });
  }
  return layout;
}

function layoutComfortably(request: LayoutRequest): MatrixLayout {
  const { rows, columns, width, ratio, labels, legendText, sumsText, rowSums = false } = request;
  const most = { rows, columns, rowSums, sumsText: sumsText ?? 0, ...request.company };
  const snap = (value: number): number => Math.round(value * ratio) / ratio;
  const wide = width >= NARROW;
  const left = labels.query + LABEL_GAP;
  const strip = most.rowSums ? SUMS.gap.query + SUMS.width : 0;
  const rightOf = (isStanding: boolean): number =>
    Math.max(
      labels.key * Math.SQRT1_2 + 4,
      strip + (isStanding ? LEGEND.gap + LEGEND.thickness + (legendText ?? 0) : 0),
      wide && !most.rowSums ? most.sumsText : 0,
    );
  const cellBeside = (beside: number): number =>
    request.settledCell ?? cellSize({ ...request, ...most }, width - left - beside);
  // In a narrow figure the legend stands where it takes no room from the cells.
  const fits = (): boolean => cellBeside(rightOf(true)) === cellBeside(rightOf(false));
  const standing = legendText !== null && (wide || (request.settledCell === undefined && fits()));
  const right = rightOf(standing);
  const cell = cellBeside(right);
  const used = left + cell * columns + right;
  const plot = {
    x: snap(left + Math.max(0, (width - used) / 2)),
    y: snap(labels.key * Math.SQRT1_2 + LABEL_HEIGHT + LABEL_GAP),
    width: cell * columns,
    height: cell * rows,
  };
  const end = plot.x + plot.width;
  const bottom = plot.y + plot.height;
  let legend: LegendPlace | null = null;
  if (standing) {
    const height = Math.min(LEGEND.longest, Math.max(plot.height, LEGEND.shortest));
    const x = end + strip + LEGEND.gap;
    legend = { x, y: plot.y, width: LEGEND.thickness, height, upright: true };
  }
  let below = bottom;
  let key: MatrixLayout["sums"]["key"] = null;
  if (sumsText !== null) {
    const y = bottom + SUMS.gap.key;
    // A legend beside few rows reaches down to the column sums.
    const wordsBelow = !wide || rowSums || (legend !== null && endOf(legend) > y);
    key = { x: plot.x, y, width: plot.width, height: SUMS.height, wordsBelow };
    below = y + SUMS.height + (wordsBelow ? LABEL_HEIGHT + 4 : 0);
  }
  if (!legend && legendText !== null) {
    const room = width - plot.x;
    const besideTitle = room - Math.max(LEGEND.title, LEGEND.space + legendText);
    // Where both have too little room, the title is cut and not the numbers.
    const least = Math.min(LEGEND.least, room - LEGEND.title);
    const length = Math.min(LEGEND.longest, Math.max(least, besideTitle));
    legend = { x: plot.x, y: below + 16, width: length, height: 8, upright: false };
  }
  const query = { ...plot, x: end + SUMS.gap.query, width: SUMS.width };
  return {
    width: Math.max(width, Math.ceil(used - ROUNDING)),
    height: Math.ceil(Math.max(below, legend ? endOf(legend) : 0) + 4),
    rows,
    columns,
    cell,
    plot,
    legend,
    sums: { query: rowSums ? query : null, key },
  };
}

type CellRequest = Pick<
  LayoutRequest,
  "rows" | "columns" | "ratio" | "comfortableHeight" | "compact"
>;

function cellSize(request: CellRequest, room: number): number {
  const { rows, columns, ratio, comfortableHeight, compact } = request;
  const byHeight = Math.max(comfortableHeight / Math.max(1, rows), compact ? 0 : CELL.tall);
  const device = Math.min(room / Math.max(1, columns), byHeight, CELL.largest) * ratio;
  return (device < CELL.whole ? Math.max(1, device) : Math.floor(device)) / ratio;
}

const endOf = ({ y, height }: LegendPlace): number => y + height + LEGEND.text;

/** The cell of a plot of equal cells at a point; null beside it. */
export function placeAt(
  { plot, rows, columns }: Pick<MatrixLayout, "plot" | "rows" | "columns">,
  { x, y }: { x: number; y: number },
): { row: number; column: number } | null {
  const row = Math.floor((y - plot.y) / (plot.height / rows));
  const column = Math.floor((x - plot.x) / (plot.width / columns));
  return row >= 0 && row < rows && column >= 0 && column < columns ? { row, column } : null;
}

export function cellRect({ plot, cell }: MatrixLayout, { query, key }: Cell): Rect {
  return { x: plot.x + key * cell, y: plot.y + query * cell, width: cell, height: cell };
}

export function valueAt(tensor: Tensor, { query, key }: Cell): number {
  return tensor.data[query * (tensor.shape[1] ?? 0) + key] ?? NaN;
}

/** The first cell with the largest number; null without cells. */
export function strongestOf(weights: Tensor, cells: readonly Cell[]): Cell | null {
  let best: Cell | null = null;
  let most = -Infinity;
  for (const cell of cells) {
    const value = valueAt(weights, cell);
    if (value > most) [best, most] = [cell, value];
  }
  return best;
}

/** The first cell with the largest number among some rows and columns; null without cells. */
export function strongestAmong(
  { data, shape: [, columns = 0] }: Tensor,
  queries: readonly number[],
  keys: readonly number[],
): Cell | null {
  let best: Cell | null = null;
  let most = -Infinity;
  for (const query of queries)
    for (const key of keys) {
      const value = data[query * columns + key] ?? NaN;
      if (value > most) [best, most] = [{ query, key }, value];
    }
  return best;
}

/** The strongest cell of a row or column; null outside the matrix. */
export function cellOfToken(weights: Tensor, axis: keyof Cell, index: number): Cell | null {
  const [queries = 0, keys = 0] = weights.shape;
  if (index >= (axis === "query" ? queries : keys)) return null;
  const along = (length: number): number[] => [...new Array<number>(length).keys()];
  return axis === "query"
    ? strongestAmong(weights, [index], along(keys))
    : strongestAmong(weights, along(queries), [index]);
}

/** A value as a share of the longest bar, at most that to either side of zero. */
export function barShare(value: number, max: number): number {
  return max > 0 && Number.isFinite(value) ? Math.max(-1, Math.min(1, value / max)) : 0;
}
