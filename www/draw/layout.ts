import type { Cell, Tensor } from "../data/index.js";

// The layout of a matrix figure, in CSS pixels. Plot and cells lie on whole device pixels, so that they stay sharp.

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The bar of a legend; its numbers and title are beside or below it. */
export interface LegendPlace extends Rect {
  upright: boolean;
}

/** The column sums under a plot; their title is beside or below them. */
export interface MarginalsPlace extends Rect {
  wordsBelow: boolean;
}

export interface MatrixLayout {
  width: number;
  height: number;
  rows: number;
  columns: number;
  cell: number;
  plot: Rect;
  legend: LegendPlace | null;
  marginals: MarginalsPlace | null;
  rowMarginals: Rect | null;
}

export interface LayoutRequest {
  rows: number;
  columns: number;
  width: number;
  ratio: number;
  /** The preferred height of the plot; labels stay legible beyond it. */
  comfortableHeight: number;
  /** Whether the plot never exceeds that height. */
  compact?: boolean;
  /** A fixed side of a cell. */
  settledCell?: number;
  /** The widths of the longest labels. */
  queryLabel: number;
  keyLabel: number;
  /** The width of the legend's numbers; null without a legend. */
  legendText: number | null;
  /** The width of the title of the column sums; null without them. */
  marginalText: number | null;
  /** Whether there are row sums too; then the title is below the column sums. */
  rowMarginals?: boolean;
}

/** Key labels rise at this angle. */
export const SLANT = Math.PI / 4;
export const LABEL_GAP = 10;
const SLANT_REACH = Math.SQRT1_2;
const LABEL_HEIGHT = 12;
/** The rounding error of a sum of fractions. */
const ROUNDING = 1e-6;
const NARROW = 560;
const LARGEST_CELL = 40;
/** Cells of a tall figure shrink to this, then the figure grows. */
const SMALLEST_TALL_CELL = 14;
const SMALLEST_WHOLE_CELL = 3;
const LEGEND_GAP = 22;
const LEGEND_THICKNESS = 11;
const LEGEND_LENGTH = 148;
const SHORTEST_LEGEND = 64;
const LEGEND_TITLE_ROOM = 64;
const LEGEND_TEXT_HEIGHT = 22;
const MARGINAL_GAP = 10;
const MARGINAL_HEIGHT = 30;
const ROW_MARGINAL_GAP = 6;
const ROW_MARGINAL_WIDTH = 22;

function cellSize(request: LayoutRequest, room: number): number {
  const { rows, columns, ratio, comfortableHeight, compact } = request;
  const byWidth = room / Math.max(1, columns);
  const byHeight = Math.max(
    comfortableHeight / Math.max(1, rows),
    compact ? 0 : SMALLEST_TALL_CELL,
  );
  const device = Math.min(byWidth, byHeight, LARGEST_CELL) * ratio;
  // A very small cell is not rounded down: that would waste much of the room.
  return (device < SMALLEST_WHOLE_CELL ? Math.max(1, device) : Math.floor(device)) / ratio;
}

/** Lays out a figure; cells are at least one device pixel, even if the figure becomes wider than asked. */
export function layoutMatrix(request: LayoutRequest): MatrixLayout {
  const { rows, columns, ratio, marginalText, rowMarginals = false } = request;
  const snap = (value: number): number => Math.round(value * ratio) / ratio;
  const upright = request.width >= NARROW;
  const left = request.queryLabel + LABEL_GAP;
  const overhang = request.keyLabel * SLANT_REACH + 4;
  const strip = rowMarginals ? ROW_MARGINAL_GAP + ROW_MARGINAL_WIDTH : 0;
  const beside =
    strip +
    (upright && request.legendText !== null
      ? LEGEND_GAP + LEGEND_THICKNESS + request.legendText
      : 0);
  const right = Math.max(overhang, beside, upright && !rowMarginals ? (marginalText ?? 0) : 0);
  const cell = request.settledCell ?? cellSize(request, request.width - left - right);

  const plotWidth = cell * columns;
  const used = left + plotWidth + right;
  const plot: Rect = {
    x: snap(left + Math.max(0, (request.width - used) / 2)),
    y: snap(request.keyLabel * SLANT_REACH + LABEL_HEIGHT + LABEL_GAP),
    width: plotWidth,
    height: cell * rows,
  };
  const standing = upright && request.legendText !== null ? standingLegend(plot, strip) : null;
  let below = plot.y + plot.height;
  let marginals: MarginalsPlace | null = null;
  if (marginalText !== null) {
    const y = below + MARGINAL_GAP;
    // A legend beside few rows reaches down to the column sums.
    const wordsBelow = !upright || rowMarginals || (standing !== null && legendEnd(standing) > y);
    marginals = { x: plot.x, y, width: plotWidth, height: MARGINAL_HEIGHT, wordsBelow };
    below = y + MARGINAL_HEIGHT + (wordsBelow ? LABEL_HEIGHT + 4 : 0);
  }
  const legend =
    request.legendText === null ? null : (standing ?? lyingLegend(plot, below, request.width));
  if (legend) below = Math.max(below, legendEnd(legend));
  const besidePlot = {
    x: plot.x + plotWidth + ROW_MARGINAL_GAP,
    y: plot.y,
    width: ROW_MARGINAL_WIDTH,
    height: plot.height,
  };
  return {
    width: Math.max(request.width, Math.ceil(used - ROUNDING)),
    height: Math.ceil(below + 4),
    rows,
    columns,
    cell,
    plot,
    legend,
    marginals,
    rowMarginals: rowMarginals ? besidePlot : null,
  };
}

function standingLegend(plot: Rect, away: number): LegendPlace {
  const height = Math.min(LEGEND_LENGTH, Math.max(plot.height, SHORTEST_LEGEND));
  const x = plot.x + plot.width + away + LEGEND_GAP;
  return { x, y: plot.y, width: LEGEND_THICKNESS, height, upright: true };
}

function lyingLegend(plot: Rect, below: number, width: number): LegendPlace {
  const room = Math.min(LEGEND_LENGTH, width - plot.x - LEGEND_TITLE_ROOM);
  return { x: plot.x, y: below + 16, width: room, height: 8, upright: false };
}

/** The lower end of a legend's numbers. */
function legendEnd(legend: LegendPlace): number {
  return legend.y + legend.height + LEGEND_TEXT_HEIGHT;
}

/** The cell under a point; null outside the plot. */
export function cellAt(layout: MatrixLayout, x: number, y: number): Cell | null {
  const key = Math.floor((x - layout.plot.x) / layout.cell);
  const query = Math.floor((y - layout.plot.y) / layout.cell);
  if (key < 0 || key >= layout.columns || query < 0 || query >= layout.rows) return null;
  return { query, key };
}

export function cellRect(layout: MatrixLayout, cell: Cell): Rect {
  return {
    x: layout.plot.x + cell.key * layout.cell,
    y: layout.plot.y + cell.query * layout.cell,
    width: layout.cell,
    height: layout.cell,
  };
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
    if (value > most) {
      most = value;
      best = cell;
    }
  }
  return best;
}

/** The strongest cell of a row or column; null outside the matrix. */
export function cellOfToken(weights: Tensor, axis: keyof Cell, index: number): Cell | null {
  const [queries = 0, keys = 0] = weights.shape;
  const [count, others] = axis === "query" ? [queries, keys] : [keys, queries];
  if (index >= count) return null;
  const cells = Array.from({ length: others }, (_, other) =>
    axis === "query" ? { query: index, key: other } : { query: other, key: index },
  );
  return strongestOf(weights, cells);
}

/** A value as a share of the longest bar, at most that to either side of zero. */
export function barShare(value: number, max: number): number {
  return max > 0 && Number.isFinite(value) ? Math.max(-1, Math.min(1, value / max)) : 0;
}
