// Where a positional encoding lies on its canvas: positions down, dimensions across.
import type { LegendPlace, Rect } from "./layout.js";

export interface StripLayout {
  width: number;
  height: number;
  plot: Rect;
  legend: LegendPlace;
  cell: { width: number; height: number };
}

export interface StripCell {
  position: number;
  dimension: number;
}

const LEFT = 36;
const RIGHT = 2;
const TOP = 22;
const LEGEND = { gap: 16, width: 148, height: 8, text: 20 };
const COMFORTABLE_HEIGHT = 288;
const LARGEST_ROW = 16;

/** Cells are whole device pixels where there is room for one each; otherwise neighbours blend. */
export function layoutStrip(
  positions: number,
  dimensions: number,
  width: number,
  ratio: number,
): StripLayout {
  const whole = (size: number): number => Math.floor(size * ratio) / ratio;
  const room = Math.max(1, width - LEFT - RIGHT);
  const across = room / Math.max(1, dimensions);
  const cell = {
    width: across * ratio >= 1 ? whole(across) : across,
    height: Math.max(
      1 / ratio,
      whole(Math.min(LARGEST_ROW, COMFORTABLE_HEIGHT / Math.max(1, positions))),
    ),
  };
  const plot = { x: LEFT, y: TOP, width: cell.width * dimensions, height: cell.height * positions };
  const legend = {
    x: plot.x,
    y: plot.y + plot.height + LEGEND.gap,
    width: Math.min(LEGEND.width, plot.width),
    height: LEGEND.height,
    upright: false,
  };
  return { width, height: Math.ceil(legend.y + legend.height + LEGEND.text), plot, legend, cell };
}

/** The number under a point, or null beside the plot. */
export function stripCellAt({ plot, cell }: StripLayout, x: number, y: number): StripCell | null {
  if (x < plot.x || y < plot.y || x >= plot.x + plot.width || y >= plot.y + plot.height)
    return null;
  return {
    position: Math.floor((y - plot.y) / cell.height),
    dimension: Math.floor((x - plot.x) / cell.width),
  };
}
