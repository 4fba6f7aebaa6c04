import type { Cell } from "../data/index.js";
import { RAMP_STEPS, rampColour, rampStep, type ColourScale } from "./colours.js";
import type { LegendPlace, MatrixLayout, Rect } from "./layout.js";
import { formatValue } from "./text.js";
import { labelFont, type Brush, type Inks, hatch } from "./theme.js";

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
export function paintLegend(
  brush: Brush,
  place: LegendPlace,
  scale: ColourScale,
  title: string,
  inks: Inks,
): void {
  const { x, y, width, height, upright } = place;
  const values = legendValues(scale);
  const read = scale.words ?? formatValue;
  const low = values[0] ?? 0;
  const high = values.at(-1) ?? 0;
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
  brush.strokeStyle = inks.line;
  brush.lineWidth = 1;
  brush.strokeRect(x - 0.5, y - 0.5, width + 1, height + 1);

  brush.font = labelFont(inks, "normal", TEXT_SIZE);
  brush.fillStyle = inks.muted;
  brush.textBaseline = "middle";
  for (const value of values) {
    const text = read(value);
    const inner = value !== low && value !== high;
    // Near an end, zero would run into that end's number.
    if (upright) {
      if (inner && Math.min(along(value), length - along(value)) < LINE) continue;
      brush.textAlign = "left";
      const at = y + length - along(value);
      brush.fillText(text, x + width + 6, Math.min(y + length - 4, Math.max(y + 5, at)));
    } else {
      if (inner && !hasRoom(brush, along(value), length, [low, value, high].map(read))) continue;
      brush.textAlign = inner ? "center" : value === low ? "left" : "right";
      brush.fillText(text, x + along(value), y + height + 11);
    }
  }
  brush.textAlign = "left";
  if (upright) brush.fillText(title, x, y + height + 14);
  else brush.fillText(title, x + width + 10, y + height / 2 + 1);
  brush.restore();
}

/** Whether a number at `at` stands clear of those at both ends of a lying legend. */
function hasRoom(brush: Brush, at: number, length: number, texts: readonly string[]): boolean {
  const [low, inner, high] = texts.map((text) => brush.measureText(text).width + 4);
  return at - (inner ?? 0) / 2 > (low ?? 0) && at + (inner ?? 0) / 2 < length - (high ?? 0);
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
export function paintGiven(
  brush: Brush,
  layout: MatrixLayout,
  given: Float64Array,
  inks: Inks,
): void {
  if (!layout.rowMarginals) return;
  brush.save();
  brush.fillStyle = inks.muted;
  brush.globalAlpha = MASS_ALPHA;
  const most = mostOf(given);
  for (const [row, value] of given.entries())
    brush.fillRect(...givenBar(layout, layout.rowMarginals, row, value / most));
  brush.restore();
}

/** Bars that hang below the plot, the longest one as long as there is room. */
export function paintMass(
  brush: Brush,
  layout: MatrixLayout,
  mass: Float64Array,
  words: string,
  inks: Inks,
): void {
  const area = layout.marginals;
  if (!area) return;
  brush.save();
  brush.fillStyle = inks.muted;
  brush.globalAlpha = MASS_ALPHA;
  const most = mostOf(mass);
  for (const [column, value] of mass.entries())
    brush.fillRect(...massBar(layout, area, column, value / most));
  brush.globalAlpha = 1;
  brush.font = labelFont(inks, "normal", TEXT_SIZE);
  brush.textAlign = "left";
  brush.textBaseline = "middle";
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
  brush: Brush,
  layout: MatrixLayout,
  { mass, given }: Sums,
  inks: Inks,
): void {
  const { marginals, rowMarginals } = layout;
  brush.save();
  brush.fillStyle = inks.accent;
  if (mass && marginals)
    brush.fillRect(...massBar(layout, marginals, key, (mass[key] ?? 0) / mostOf(mass)));
  if (given && rowMarginals)
    brush.fillRect(...givenBar(layout, rowMarginals, query, (given[query] ?? 0) / mostOf(given)));
  brush.restore();
}

type Bar = [x: number, y: number, width: number, height: number];

function massBar(
  { cell }: MatrixLayout,
  { x, y, height }: Rect,
  column: number,
  share: number,
): Bar {
  const gap = gapOf(cell);
  return [x + column * cell + gap, y, cell - 2 * gap, Math.max(1, share * height)];
}

function givenBar({ cell }: MatrixLayout, { x, y, width }: Rect, row: number, share: number): Bar {
  const gap = gapOf(cell);
  return [x, y + row * cell + gap, share * width, cell - 2 * gap];
}

function gapOf(cell: number): number {
  return cell >= 8 ? cell * 0.16 : 0;
}

/** The largest of some sums, 1 where all are 0. */
function mostOf(sums: Float64Array): number {
  return sums.reduce((largest, value) => Math.max(largest, value), 0) || 1;
}

// What the signs on cells mean, painted in a line under a picture that leaves the page.

export interface Sign {
  kind: "allowed" | "forbidden" | "blocked";
  words: string;
  /** Of an allowed cell. */
  colour?: string;
}

export const SIGNS_HEIGHT = 28;
const SIDE = 14;
const SIGN_GAP = { words: 8, next: 20 };
/** As quiet as on the cells. */
const FORBIDDEN_ALPHA = 0.4;

/** Small cells with their meaning, one after the other from `x`; `y` is their top. */
export function paintSigns(
  brush: Brush,
  x: number,
  y: number,
  signs: readonly Sign[],
  inks: Inks,
): void {
  brush.save();
  brush.font = labelFont(inks, "normal", TEXT_SIZE);
  brush.textAlign = "left";
  brush.textBaseline = "middle";
  brush.lineWidth = 1;
  let left = x;
  for (const { kind, words, colour } of signs) {
    const area = { x: left, y, width: SIDE, height: SIDE };
    if (kind === "allowed") {
      brush.fillStyle = colour ?? inks.ink;
      brush.fillRect(left, y, SIDE, SIDE);
    }
    if (kind === "forbidden") {
      brush.globalAlpha = FORBIDDEN_ALPHA;
      hatch(brush, [area], inks.muted);
      brush.globalAlpha = 1;
    }
    if (kind === "blocked") hatch(brush, [area], inks.accent);
    brush.strokeStyle = kind === "blocked" ? inks.accent : inks.line;
    brush.strokeRect(left + 0.5, y + 0.5, SIDE - 1, SIDE - 1);
    brush.fillStyle = inks.muted;
    brush.fillText(words, left + SIDE + SIGN_GAP.words, y + SIDE / 2 + 0.5);
    left += SIDE + SIGN_GAP.words + brush.measureText(words).width + SIGN_GAP.next;
  }
  brush.restore();
}
