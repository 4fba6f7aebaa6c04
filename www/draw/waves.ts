// Single columns of a matrix as lines.
import { scaleLinear } from "d3-scale";
import type { Rect } from "./layout.js";
import type { Brush, Inks } from "./theme.js";

/** The values of one column, top to bottom. */
export function columnOf(data: Float32Array, columns: number, column: number): Float32Array {
  return Float32Array.from(
    { length: Math.floor(data.length / columns) },
    (_, row) => data[row * columns + column] ?? NaN,
  );
}

/** Where `values` lie in a box, with `reach` at its top and -`reach` at its bottom. */
function wavePoints(
  values: Float32Array,
  width: number,
  height: number,
  reach: number,
): [x: number, y: number][] {
  const across = scaleLinear([0, Math.max(1, values.length - 1)], [0, width]);
  const up = scaleLinear([-reach || -1, reach || 1], [height, 0]);
  return Array.from(values, (value, index) => [across(index), up(value)]);
}

/** An SVG path through `values` in a box. */
export function wavePath(
  values: Float32Array,
  width: number,
  height: number,
  reach: number,
): string {
  const points = wavePoints(values, width, height, reach).map(
    ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`,
  );
  return points.length === 0 ? "" : `M${points.join("L")}`;
}

/** The same line painted, with a hairline at zero. */
export function paintWave(
  brush: Brush,
  place: Rect,
  values: Float32Array,
  reach: number,
  inks: Inks,
): void {
  const { x, y, width, height } = place;
  brush.save();
  brush.lineWidth = 1;
  brush.strokeStyle = inks.line;
  brush.beginPath();
  brush.moveTo(x, y + height / 2);
  brush.lineTo(x + width, y + height / 2);
  brush.stroke();
  brush.strokeStyle = inks.ink;
  brush.lineWidth = 1.5;
  brush.lineJoin = "round";
  brush.beginPath();
  wavePoints(values, width, height, reach).forEach(([right, down], index) =>
    index === 0 ? brush.moveTo(x + right, y + down) : brush.lineTo(x + right, y + down),
  );
  brush.stroke();
  brush.restore();
}

/** A few columns whose waves differ: neighbours at first, then ever further apart. */
export function sampleColumns(columns: number): number[] {
  const chosen = [0, columns / 16, columns / 8, columns / 4, columns / 2].map(Math.floor);
  return [...new Set(chosen)].filter((column) => column < columns);
}
