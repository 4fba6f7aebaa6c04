import { RAMP_STEPS, rampColour, rampStep, type ColourScale } from "./colours.js";
import type { LegendPlace } from "./layout.js";
import { formatValue } from "./text.js";
import { hatch, type Pen } from "./theme.js";

// The legends of a colour scale and of cell signs, and the sums of columns and rows.

const TEXT_SIZE = 11;
/** The least distance of two numbers of an upright legend. */
const LINE = TEXT_SIZE + 6;

/** The values at the legend: the ends of the data, and zero between them. */
export function legendValues(scale: ColourScale): number[] {
  const { min, max } = scale.extent;
  const low = scale.kind === "sequential" ? scale.low : min;
  const inner = low < 0 && max > 0 ? [0] : [];
  return low === max ? [low] : [low, ...inner, max];
}

/** Draws the part of the ramp that the data uses, with its values and their title. */
export function paintLegend(pen: Pen, place: LegendPlace, scale: ColourScale, title: string): void {
  const { brush, inks } = pen;
  const { x, y, width, height, upright } = place;
  const values = legendValues(scale);
  const read = scale.words ?? formatValue;
  const [low = 0, high = 0] = [values[0], values.at(-1)];
  const length = upright ? height : width;
  const along = (value: number): number =>
    high > low ? ((value - low) / (high - low)) * length : length;

  brush.save();
  const strips = Math.min(RAMP_STEPS, Math.ceil(length));
  for (let strip = 0; strip < strips; strip++) {
    const value = low + ((strip + 0.5) / strips) * (high - low);
    brush.fillStyle = rampColour(scale.ramp, rampStep(scale, value));
    const from = (strip / strips) * length;
    const size = length / strips + 0.5;
    if (upright) brush.fillRect(x, y + length - from - size, width, size);
    else brush.fillRect(x + from, y, Math.min(size, length - from), height);
  }
  pen.line(inks.line, 1);
  pen.frame(place, 0.5);

  pen.words(TEXT_SIZE, inks.muted);
  /** Whether a number does not overlap those at both ends. */
  const clear = (value: number): boolean => {
    const at = along(value);
    if (upright) return Math.min(at, length - at) >= LINE;
    const [first = 0, own = 0, last = 0] = [low, value, high].map(
      (end) => pen.measure(read(end)) + 4,
    );
    return at - own / 2 > first && at + own / 2 < length - last;
  };
  for (const value of values) {
    const inner = value !== low && value !== high;
    if (inner && !clear(value)) continue;
    if (upright) {
      const at = y + length - along(value);
      brush.fillText(read(value), x + width + 6, Math.min(y + length - 4, Math.max(y + 5, at)));
    } else {
      brush.textAlign = inner ? "center" : value === low ? "left" : "right";
      brush.fillText(read(value), x + along(value), y + height + 11);
    }
  }
  brush.textAlign = "left";
  if (upright) brush.fillText(title, x, y + height + 14);
  else brush.fillText(title, x + width + 10, y + height / 2 + 1);
  brush.restore();
}

/** The weight of each key, summed over all queries. */
export function columnSums(data: Float32Array, columns: number): Float64Array {
  const sums = new Float64Array(columns);
  data.forEach((value, index) => {
    const column = index % columns;
    sums[column] = (sums[column] ?? 0) + value;
  });
  return sums;
}

/** The rounding error that a row sum of 1 may have. */
const ROUNDING = 1e-3;

/** The sum of each row; null where all are 1. */
export function rowSums(data: Float32Array, rows: number): Float64Array | null {
  const columns = data.length / rows;
  const sums = Float64Array.from({ length: rows }, (_, row) =>
    data.subarray(row * columns, (row + 1) * columns).reduce((sum, value) => sum + value, 0),
  );
  return sums.every((sum) => Math.abs(sum - 1) < ROUNDING) ? null : sums;
}

// The legend of cell signs, in a line under a picture in a file.

export interface Sign {
  kind: "allowed" | "forbidden" | "blocked";
  words: string;
  colour?: string;
}

export const SIGNS_HEIGHT = 28;
const SIDE = 14;
const SIGN_GAP = { words: 8, next: 20 };
const FORBIDDEN_ALPHA = 0.4;

/** Paints sample cells with their meaning, from `x` to the right; `y` is their top. */
export function paintSigns(pen: Pen, x: number, y: number, signs: readonly Sign[]): void {
  const { brush, inks } = pen;
  brush.save();
  let left = x;
  for (const { kind, words, colour } of signs) {
    const area = { x: left, y, width: SIDE, height: SIDE };
    pen.words(TEXT_SIZE, colour ?? inks.ink);
    if (kind === "allowed") brush.fillRect(left, y, SIDE, SIDE);
    else {
      brush.globalAlpha = kind === "forbidden" ? FORBIDDEN_ALPHA : 1;
      hatch(brush, [area], kind === "forbidden" ? inks.muted : inks.accent);
      brush.globalAlpha = 1;
    }
    pen.line(kind === "blocked" ? inks.accent : inks.line, 1);
    pen.frame(area, -0.5);
    brush.fillStyle = inks.muted;
    brush.fillText(words, left + SIDE + SIGN_GAP.words, y + SIDE / 2 + 0.5);
    left += SIDE + SIGN_GAP.words + pen.measure(words) + SIGN_GAP.next;
  }
  brush.restore();
}
