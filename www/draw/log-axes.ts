// Two logarithmic axes: where a point is, the way through some points, and the powers of ten between them.

export interface LogAxes {
  /** The plot, in CSS pixels. */
  left: number;
  top: number;
  width: number;
  height: number;
  /** The least and the greatest number of each axis, all of them positive. */
  x: readonly [number, number];
  y: readonly [number, number];
}

export type LogPoint = readonly [x: number, y: number];

/** Where a point is drawn; what is below an axis stands on it. */
export function placeOf({ left, top, width, height, x, y }: LogAxes, [px, py]: LogPoint): [number, number] {
  return [left + shareOf(px, x) * width, top + (1 - shareOf(py, y)) * height];
}

/** The way from point to point, as SVG says it. */
export function pathOf(axes: LogAxes, points: readonly LogPoint[]): string {
  return points.map((point, index) => `${index === 0 ? "M" : "L"}${placeOf(axes, point).map((at) => at.toFixed(1)).join(" ")}`).join("");
}

/** The powers of ten of a range, at most so many: every one, every second one … */
export function decades([least, most]: readonly [number, number], atMost: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(least) - 1e-9), Math.floor(Math.log10(most) + 1e-9)];
  const step = Math.max(1, Math.ceil((last - first + 1) / atMost));
  return Array.from({ length: Math.max(0, Math.floor((last - first) / step) + 1) }, (_, index) => 10 ** (first + index * step));
}

/** The whole decades that hold all of some positive numbers. */
export function decadesAround(values: readonly number[]): [number, number] {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return [1, 10];
  const [least, most] = [Math.min(...positive), Math.max(...positive)];
  const low = Math.floor(Math.log10(least));
  return [10 ** low, 10 ** Math.max(low + 1, Math.ceil(Math.log10(most)))];
}

/** Heights of labels, moved apart until none stands on another and as little as that takes from the top. */
export function movedApart(heights: readonly number[], least: number): number[] {
  const order = heights.map((_, index) => index).sort((one, other) => (heights[one] ?? 0) - (heights[other] ?? 0));
  const placed = [...heights];
  let end = -Infinity;
  for (const index of order) {
    const at = Math.max(heights[index] ?? 0, end + least);
    placed[index] = at;
    end = at;
  }
  return placed;
}

function shareOf(value: number, [least, most]: readonly [number, number]): number {
  if (value <= least) return 0;
  return (Math.log(value) - Math.log(least)) / (Math.log(most) - Math.log(least));
}
