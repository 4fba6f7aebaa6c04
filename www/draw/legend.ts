import type { Cell } from "../data/index.js";
import { RAMP_STEPS, rampColour, rampStep, type ColourScale } from "./colours.js";
import type { LegendPlace, MatrixLayout, Rect } from "./layout.js";
import { formatValue } from "./text.js";
import { hatch, type Pen } from "./theme.js";

// The legend and the bars of mass received, both read from the tensor shown.

const TEXT_SIZE = 11;
/** From one number of an upright legend to the next, so that neither stands on the other. */
const LINE = TEXT_SIZE + 6;
const WORDS_GAP = 10;
const MASS_ALPHA = 0.55;

/** The values that the legend names: the ends of the data, and zero between them. */
export function legendValues(scale: ColourScale): number[] {
  const { min, max } = scale.extent;
  const low = scale.kind === "sequential" ? scale.low : min;
  const inner = low < 0 && max > 0 ? [0] : [];
  return low === max ? [low] : [low, ...inner, max];
}

/** Draws the part of the ramp that the data uses, with its values and what they are. */
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
  /** Whether a number stands clear of those at both ends. */
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

/** How much each key receives, summed over all queries. */
export function massReceived(data: Float32Array, columns: number): Float64Array {
  const sums = new Float64Array(columns);
  data.forEach((value, index) => {
    const column = index % columns;
    sums[column] = (sums[column] ?? 0) + value;
  });
  return sums;
}

/** Of how much a row may miss 1 by rounding, where weights add up to 1. */
const ROUNDING = 1e-3;

/** How much each query gives away, summed over the keys that are shown; null where that is 1 of every one. */
export function massGiven(data: Float32Array, rows: number): Float64Array | null {
  const columns = data.length / rows;
  const sums = Float64Array.from({ length: rows }, (_, row) =>
    data.subarray(row * columns, (row + 1) * columns).reduce((sum, value) => sum + value, 0),
  );
  return sums.every((sum) => Math.abs(sum - 1) < ROUNDING) ? null : sums;
}

/** Bars right of the plot, one for each row, the longest one as long as there is room. */
export function paintGiven({ brush, inks }: Pen, layout: MatrixLayout, given: Float64Array): void {
  const { rowMarginals } = layout;
  if (!rowMarginals) return;
  brush.save();
  brush.fillStyle = inks.muted;
  brush.globalAlpha = MASS_ALPHA;
  for (const row of given.keys()) brush.fillRect(...givenBar(layout, rowMarginals, row, given));
  brush.restore();
}

/** Bars that hang below the plot, the longest one as long as there is room. */
export function paintMass(pen: Pen, layout: MatrixLayout, mass: Float64Array, words: string): void {
  const { brush, inks } = pen;
  const area = layout.marginals;
  if (!area) return;
  brush.save();
  brush.fillStyle = inks.muted;
  brush.globalAlpha = MASS_ALPHA;
  for (const column of mass.keys()) brush.fillRect(...massBar(layout, area, column, mass));
  brush.globalAlpha = 1;
  pen.words(TEXT_SIZE, inks.muted);
  if (area.wordsBelow) brush.fillText(words, area.x, area.y + area.height + 10);
  else brush.fillText(words, area.x + area.width + WORDS_GAP, area.y + 7);
  brush.restore();
}

/** The sums that bars show, of columns and of rows. */
export interface Sums {
  mass: Float64Array | null;
  given: Float64Array | null;
}

/** Over bars that are there: those of a pair's row and column, in the colour of what is looked at. */
export function paintBarsOf(
  { query, key }: Cell,
  { brush, inks }: Pen,
  layout: MatrixLayout,
  { mass, given }: Sums,
): void {
  const { marginals, rowMarginals } = layout;
  brush.save();
  brush.fillStyle = inks.accent;
  if (mass && marginals) brush.fillRect(...massBar(layout, marginals, key, mass));
  if (given && rowMarginals) brush.fillRect(...givenBar(layout, rowMarginals, query, given));
  brush.restore();
}

type Bar = [x: number, y: number, width: number, height: number];

function massBar({ cell }: MatrixLayout, area: Rect, column: number, mass: Float64Array): Bar {
  const gap = gapOf(cell);
  const height = Math.max(1, shareOf(mass, column) * area.height);
  return [area.x + column * cell + gap, area.y, cell - 2 * gap, height];
}

function givenBar({ cell }: MatrixLayout, area: Rect, row: number, given: Float64Array): Bar {
  const gap = gapOf(cell);
  return [area.x, area.y + row * cell + gap, shareOf(given, row) * area.width, cell - 2 * gap];
}

function gapOf(cell: number): number {
  return cell >= 8 ? cell * 0.16 : 0;
}

function shareOf(sums: Float64Array, index: number): number {
  return (sums[index] ?? 0) / (mostOf(sums) || 1);
}

const most = new WeakMap<Float64Array, number>();

/** The largest of some sums, which is asked for every bar. */
function mostOf(sums: Float64Array): number {
  const known = most.get(sums);
  if (known !== undefined) return known;
  const found = sums.reduce((largest, value) => Math.max(largest, value), 0);
  most.set(sums, found);
  return found;
}

// What the signs on cells mean, painted in a line under a picture that leaves the page.

export interface Sign {
  kind: "allowed" | "forbidden" | "blocked";
  words: string;
  colour?: string;
}

export const SIGNS_HEIGHT = 28;
const SIDE = 14;
const SIGN_GAP = { words: 8, next: 20 };
const FORBIDDEN_ALPHA = 0.4;

/** Small cells with their meaning, one after the other from `x`; `y` is their top. */
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
