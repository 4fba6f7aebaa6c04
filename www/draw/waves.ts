// Single columns of a matrix as lines.
import { scaleLinear } from "d3-scale";

/** The values of one column, top to bottom. */
export function columnOf(data: Float32Array, columns: number, column: number): Float32Array {
  return Float32Array.from({ length: Math.floor(data.length / columns) }, (_, row) => data[row * columns + column] ?? NaN);
}

/** An SVG path through `values` in a box, with `reach` at its top and -`reach` at its bottom. */
export function wavePath(values: Float32Array, width: number, height: number, reach: number): string {
  const across = scaleLinear([0, Math.max(1, values.length - 1)], [0, width]);
  const up = scaleLinear([-reach || -1, reach || 1], [height, 0]);
  const points = Array.from(values, (value, index) => `${across(index).toFixed(1)} ${up(value).toFixed(1)}`);
  return points.length === 0 ? "" : `M${points.join("L")}`;
}

/** A few columns whose waves differ: neighbours at first, then ever further apart. */
export function sampleColumns(columns: number): number[] {
  const chosen = [0, columns / 16, columns / 8, columns / 4, columns / 2].map(Math.floor);
  return [...new Set(chosen)].filter((column) => column < columns);
}
