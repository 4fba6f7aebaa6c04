import { scaleLinear } from "d3-scale";
import type { LegendPlace, Rect } from "./layout.js";
import { labelStep } from "./text.js";
import type { Pen } from "./theme.js";

// A positional encoding: positions down, dimensions across.

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

/** Cells are whole device pixels if there is room for one each; otherwise neighbours blend. */
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

/** The cell under a point; null outside the plot. */
export function stripCellAt({ plot, cell }: StripLayout, x: number, y: number): StripCell | null {
  if (x < plot.x || y < plot.y || x >= plot.x + plot.width || y >= plot.y + plot.height)
    return null;
  return {
    position: Math.floor((y - plot.y) / cell.height),
    dimension: Math.floor((x - plot.x) / cell.width),
  };
}

const TEXT_SIZE = 11;
const NUMBER_PITCH = 16;
const WIDE_NUMBER_PITCH = 40;

export function paintStrip(pen: Pen, { plot, cell }: StripLayout, image: CanvasImageSource): void {
  const { brush, inks } = pen;
  const { x, y, width, height } = plot;
  brush.save();
  brush.imageSmoothingEnabled = cell.width < 1;
  brush.drawImage(image, x, y, width, height);
  pen.line(inks.line, 1);
  pen.frame(plot, 0.5);
  pen.words(TEXT_SIZE, inks.muted, "right");
  const rows = Math.round(height / cell.height);
  for (let row = 0; row < rows; row += labelStep(cell.height, NUMBER_PITCH))
    brush.fillText(String(row + 1), x - 8, y + (row + 0.5) * cell.height);
  brush.textAlign = "center";
  const columns = Math.round(width / cell.width);
  for (let column = 0; column < columns; column += labelStep(cell.width, WIDE_NUMBER_PITCH))
    brush.fillText(String(column + 1), x + (column + 0.5) * cell.width, y - 9);
  brush.restore();
}

/** Frames the row and the column of the cell in focus. */
export function paintStripMark(pen: Pen, { plot, cell }: StripLayout, at: StripCell): void {
  const { brush, inks } = pen;
  brush.save();
  pen.line(inks.accent, 1);
  brush.globalAlpha = 0.6;
  brush.strokeRect(plot.x, plot.y + at.position * cell.height, plot.width, cell.height);
  const x = plot.x + at.dimension * cell.width;
  brush.strokeRect(x - 0.5, plot.y, cell.width + 1, plot.height);
  brush.restore();
}

export function columnOf(data: Float32Array, columns: number, column: number): Float32Array {
  return Float32Array.from(
    { length: Math.floor(data.length / columns) },
    (_, row) => data[row * columns + column] ?? NaN,
  );
}

/** The greatest distance from zero. */
export function reachOf(values: Float32Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/** The points of a wave in a box, with its reach at the top. */
function wavePoints(values: Float32Array, width: number, height: number): [number, number][] {
  const reach = reachOf(values);
  const across = scaleLinear([0, Math.max(1, values.length - 1)], [0, width]);
  const up = scaleLinear([-reach || -1, reach || 1], [height, 0]);
  return Array.from(values, (value, index) => [across(index), up(value)]);
}

/** A wave as an SVG path. */
export function wavePath(values: Float32Array, width: number, height: number): string {
  const points = wavePoints(values, width, height).map(
    ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`,
  );
  return points.length === 0 ? "" : `M${points.join("L")}`;
}

/** Paints a wave, with a line at zero. */
export function paintWave(pen: Pen, { x, y, width, height }: Rect, values: Float32Array): void {
  const { brush, inks } = pen;
  brush.save();
  pen.line(inks.line, 1);
  brush.beginPath();
  pen.segment(x, y + height / 2, x + width, y + height / 2);
  brush.stroke();
  pen.line(inks.ink, 1.5);
  brush.lineJoin = "round";
  brush.beginPath();
  wavePoints(values, width, height).forEach(([right, down], index) =>
    index === 0 ? brush.moveTo(x + right, y + down) : brush.lineTo(x + right, y + down),
  );
  brush.stroke();
  brush.restore();
}

/** A few columns with different waves, further and further apart. */
export function sampleColumns(columns: number): number[] {
  const chosen = [0, columns / 16, columns / 8, columns / 4, columns / 2].map(Math.floor);
  return [...new Set(chosen)].filter((column) => column < columns);
}
