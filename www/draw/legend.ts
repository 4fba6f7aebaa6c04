import { RAMP_STEPS, rampColours, stepsOf, type ColourScale } from "./colours.js";
import type { LegendPlace } from "./layout.js";
import { formatValue } from "./text.js";
import { hatch, type Pen } from "./theme.js";

const TEXT_SIZE = 11;
const LINE = TEXT_SIZE + 6;
/** The length of the mark of a value. */
const TICK = 3;

/** The values at the legend: the ends of the data, and between them zero or the middle. */
export function legendValues(scale: ColourScale): number[] {
  const { kind, words } = scale;
  const { min, max } = scale.extent;
  const low = kind === "sequential" ? scale.low : min;
  if (low === max) return [low];
  const inner = low < 0 && max > 0 ? 0 : (low + max) / 2;
  // Counts have no halves.
  const isRead = words === undefined || Number.isInteger(inner);
  return isRead ? [low, inner, max] : [low, max];
}

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
  const colours = rampColours(scale.ramp);
  const shades = new Float64Array(strips);
  for (let strip = 0; strip < strips; strip++)
    shades[strip] = low + ((strip + 0.5) / strips) * (high - low);
  const steps = stepsOf(scale, shades);
  for (let strip = 0; strip < strips; strip++) {
    brush.fillStyle = colours[steps[strip] ?? 0] ?? "";
    const from = (strip / strips) * length;
    const size = length / strips + 0.5;
    if (upright) brush.fillRect(x, y + length - from - size, width, size);
    else brush.fillRect(x + from, y, Math.min(size, length - from), height);
  }
  pen.line(inks.line, 1);
  pen.frame(place, 0.5);
  pen.words(TEXT_SIZE, inks.muted);
  const room = (value: number): number => pen.measure(read(value)) + 4;
  const isClear = (at: number, value: number): boolean =>
    upright
      ? Math.min(at, length - at) >= LINE
      : at - room(value) / 2 > room(low) && at + room(value) / 2 < length - room(high);
  for (const value of values) {
    const at = along(value);
    const inner = value !== low && value !== high;
    if (inner && !isClear(at, value)) continue;
    if (upright) {
      const level = Math.min(y + length - 4, Math.max(y + 5, y + length - at));
      const tick = y + Math.min(length - 0.5, Math.max(0.5, length - at));
      pen.segments([x + width, tick, x + width + TICK, tick]);
      brush.fillText(read(value), x + width + 6, level);
    } else {
      const tick = x + Math.min(length - 0.5, Math.max(0.5, at));
      pen.segments([tick, y + height, tick, y + height + TICK]);
      brush.textAlign = inner ? "center" : value === low ? "left" : "right";
      brush.fillText(read(value), x + at, y + height + 11);
    }
  }
  brush.textAlign = "left";
  if (upright) brush.fillText(title, x, y + height + 14);
  else brush.fillText(title, x + width + 10, y + height / 2 + 1);
  brush.restore();
}

export interface Sign {
  kind: "allowed" | "forbidden" | "blocked";
  words: string;
  colour?: string;
}

export const SIGNS_HEIGHT = 28;
export const MASKED_ALPHA = 0.4;
const SIGN = { side: 14, words: 8, next: 20 };

export function paintSigns(pen: Pen, x: number, y: number, signs: readonly Sign[]): void {
  const { brush, inks } = pen;
  const { side } = SIGN;
  brush.save();
  let left = x;
  for (const { kind, words, colour } of signs) {
    const area = { x: left, y, width: side, height: side };
    pen.words(TEXT_SIZE, colour ?? inks.ink);
    if (kind === "allowed") brush.fillRect(left, y, side, side);
    else {
      brush.globalAlpha = kind === "forbidden" ? MASKED_ALPHA : 1;
      hatch(brush, [area], kind === "forbidden" ? inks.muted : inks.accent);
      brush.globalAlpha = 1;
    }
    pen.line(kind === "blocked" ? inks.accent : inks.line, 1);
    pen.frame(area, -0.5);
    brush.fillStyle = inks.muted;
    brush.fillText(words, left + side + SIGN.words, y + side / 2 + 0.5);
    left += side + SIGN.words + pen.measure(words) + SIGN.next;
  }
  brush.restore();
}
