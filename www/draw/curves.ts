// Lines over one quantity: where their axes are, what stands at them, and where every line's name has room.
import { scaleLinear, scaleLog } from "d3-scale";
import type { Rect } from "./layout.js";
import { placeWords, powerWords, tickWords } from "./text.js";

/** One line: its name and its points, from left to right. What is no number is a gap in it. */
export interface CurveLine {
  name: string;
  points: readonly { x: number; y: number }[];
  /** What it stands out by, or stands back; without one it has a hue of its own. */
  tone?: "ink" | "accent" | "quiet";
}

export type CurveScale = "linear" | "log";
type Range = readonly [least: number, most: number];

/** What curves are drawn from. */
export interface CurvesScene {
  lines: readonly CurveLine[];
  titles: { x: string; y: string };
  /** A place that a line in the accent stands at, and what is said of it. */
  marked: { x: number; words: string } | null;
  /** Places that quiet lines stand at; what is said of the first of them is said in the narrowest figure too. */
  marks: readonly { x: number; words: string }[];
  scales: { x?: CurveScale; y?: CurveScale };
  /** Of an axis that is not as long as its numbers ask for. */
  range: { x?: Range; y?: Range };
  /** How numbers read, at the axis too. */
  words: { x?: (value: number) => string; y?: (value: number) => string };
  /** Whether a number holds until the next one, instead of leading to it. */
  stepped: boolean;
}

export interface Axis {
  /** Where a number is, in CSS pixels; what is outside of the axis stands at its end. */
  place: (value: number) => number;
  ticks: readonly { at: number; words: string }[];
}

export interface CurvesLayout {
  width: number;
  height: number;
  plot: Rect;
  x: Axis;
  y: Axis;
  /** The height of each line's name at its end, null for a line that has none; null where names have no room beside the plot. */
  names: readonly (number | null)[] | null;
  /** What is said of each further place: nothing where it would stand on what is said of those before it. */
  markWords: readonly string[];
  /** How many lines above the plot's first one each of them stands. */
  markRows: readonly number[];
}

const GAP = 8;
const BOTTOM = 36;
const TOP = { plain: 10, marked: 20 };
/** How many lines there are for what is said of marks, where one is not enough, and their height. */
const MARK_ROWS = 2;
export const MARK_HEIGHT = 14;
/** How near to the axis that is. */
const AT_AXIS = 12;
const TICK = { high: 44, wide: 26 };
export const NAME_HEIGHT = 15;
/** A plot that would be narrower beside its lines' names goes without them. */
const LEAST_PLOT = 260;
const MOST_TICKS = 6;

/** The least height at which the names of so many lines have room. */
export function heightFor({ lines }: CurvesScene): number {
  return lines.length * NAME_HEIGHT + TOP.marked + BOTTOM;
}

/** `measure` is of the font of the axes. */
export function layoutCurves(
  scene: CurvesScene,
  width: number,
  height: number,
  measure: (text: string) => number,
): CurvesLayout {
  const marked = scene.marks.length > 0 || (scene.marked?.words ?? "") !== "";
  const layout = layoutBelow(marked ? TOP.marked : TOP.plain, scene, width, height, measure);
  // What stands above the plot takes from its height: the narrow figures alone need that.
  return layout.markRows.some((row) => row > 0)
    ? layoutBelow(TOP.marked + (MARK_ROWS - 1) * MARK_HEIGHT, scene, width, height, measure)
    : layout;
}

function layoutBelow(
  top: number,
  scene: CurvesScene,
  width: number,
  height: number,
  measure: (text: string) => number,
): CurvesLayout {
  const { lines, scales, range, words } = scene;
  const points = lines.flatMap((line) => line.points);
  const plotHeight = height - top - BOTTOM;
  const y = axisOf(
    scales.y,
    range.y ??
      rangeOf(
        points.map((point) => point.y),
        scales.y,
        "y",
      ),
    [top + plotHeight, top],
    Math.min(MOST_TICKS, Math.floor(plotHeight / TICK.high) + 1),
    words.y,
  );
  const widest = (texts: readonly string[]): number =>
    Math.ceil(texts.reduce((most, text) => Math.max(most, measure(text)), 0));
  const left = widest(y.ticks.map((tick) => tick.words)) + GAP;
  const beside = widest(lines.map(({ name }) => name)) + 2 * GAP;
  const named =
    lines.length > 1 &&
    lines.length * NAME_HEIGHT <= plotHeight &&
    width - left - beside >= LEAST_PLOT;
  const xRange =
    range.x ??
    rangeOf(
      points.map((point) => point.x),
      scales.x,
      "x",
    );
  const last = words.x ? words.x(xRange[1]) : placeWords(xRange[1]);
  const plot = {
    x: left,
    y: top,
    width: width - left - (named ? beside : Math.ceil(measure(last) / 2) + 2),
    height: plotHeight,
  };
  const wide = Math.max(measure(last), TICK.wide) + 2 * GAP;
  const x = axisOf(
    scales.x,
    xRange,
    [plot.x, plot.x + plot.width],
    Math.max(2, Math.floor(plot.width / wide)),
    words.x ?? (scales.x === "log" ? placeWords : undefined),
  );
  return {
    width,
    height,
    plot,
    x,
    y,
    names: named ? namesOf(lines, y, top + plotHeight) : null,
    ...marksOf(scene, x, plot, measure),
  };
}

function namesOf(lines: readonly CurveLine[], y: Axis, bottom: number): (number | null)[] {
  const ends = lines.map(
    ({ points }) => points.findLast((point) => Number.isFinite(point.y)) ?? null,
  );
  const heights = movedApart(
    ends.flatMap((end) => (end ? [y.place(end.y)] : [])),
    NAME_HEIGHT,
    bottom,
  );
  return ends.map((end) => (end ? (heights.shift() ?? null) : null));
}

/** Whether what is said of a mark begins at it: over its middle it would stand on the numbers of the other axis. */
export function standsAtAxis(at: number, plot: Rect): boolean {
  return at - plot.x < AT_AXIS;
}

/** What is said of the marks, each in its turn in the lowest line where it has room beside those that have theirs. */
function marksOf(
  { marked, marks }: CurvesScene,
  x: Axis,
  plot: Rect,
  measure: (text: string) => number,
): Pick<CurvesLayout, "markWords" | "markRows"> {
  const taken: Range[][] = Array.from({ length: MARK_ROWS }, () => []);
  const rowFor = (place: number, words: string): number => {
    if (words === "") return -1;
    const [at, width] = [x.place(place), measure(words) + GAP];
    const from = standsAtAxis(at, plot) ? at : at - width / 2;
    const to = from + width;
    const row = taken.findIndex(
      (others) => !others.some(([start, end]) => from < end && start < to),
    );
    taken[row]?.push([from, to]);
    return row;
  };
  if (marked) rowFor(marked.x, marked.words);
  const rows = marks.map((mark) => rowFor(mark.x, mark.words));
  return {
    markWords: marks.map(({ words }, index) => ((rows[index] ?? -1) < 0 ? "" : words)),
    markRows: rows.map((row) => Math.max(0, row)),
  };
}

/** Every place that some line has a number at, from left to right. */
export function placesOf(lines: readonly CurveLine[]): number[] {
  return [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort(
    (one, other) => one - other,
  );
}

/** The number of a line at a place; NaN where it has none. A step holds until the next. */
export function numberAt({ points }: CurveLine, x: number, stepped = false): number {
  const found = stepped
    ? points.findLast((point) => point.x <= x)
    : points.find((point) => point.x === x);
  return found?.y ?? NaN;
}

/** The place that is nearest to where the pointer is; null without any. */
export function nearestPlace(
  { x }: CurvesLayout,
  places: readonly number[],
  at: number,
): number | null {
  return places.reduce<number | null>(
    (best, place) =>
      best === null || Math.abs(x.place(place) - at) < Math.abs(x.place(best) - at) ? place : best,
    null,
  );
}

/** All of some numbers: on an axis of heights from zero up where none is negative, by whole decades where it is logarithmic. */
function rangeOf(values: readonly number[], scale: CurveScale | undefined, side: "x" | "y"): Range {
  const known = values.filter((value) => Number.isFinite(value) && (scale !== "log" || value > 0));
  if (known.length === 0) return scale === "log" ? [1, 10] : [0, 1];
  const [least, most] = known.reduce<Range>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
  if (side === "x")
    return least < most
      ? [least, most]
      : scale === "log"
        ? [least / 2, most * 2]
        : [least - 1, most + 1];
  if (scale !== "log") return [Math.min(0, least), most > Math.min(0, least) ? most : least + 1];
  const low = Math.floor(Math.log10(least) + 1e-9);
  return [10 ** low, 10 ** Math.max(low + 1, Math.ceil(Math.log10(most) - 1e-9))];
}

function axisOf(
  scale: CurveScale | undefined,
  range: Range,
  ends: readonly [number, number],
  count: number,
  words: ((value: number) => string) | undefined,
): Axis {
  const [from, to] = ends;
  if (scale === "log") {
    const log = scaleLog([...range], [from, to]).clamp(true);
    const at = logTicks(range, count);
    const plain = at.every((tick) => tick >= 1e-3 && tick < 1e6);
    return {
      place: (value) => log(Math.max(value, range[0])),
      ticks: at.map((tick) => ({
        at: tick,
        words: words ? words(tick) : plain ? placeWords(tick) : powerWords(tick),
      })),
    };
  }
  // Heights end at a number that can be read; what one walks along ends where it ends.
  const linear =
    from > to
      ? scaleLinear([...range], [from, to]).nice(count)
      : scaleLinear([...range], [from, to]);
  const at = linear.ticks(count);
  const said = words ? at.map(words) : tickWords(at);
  return {
    place: linear.clamp(true),
    ticks: at.map((tick, index) => ({ at: tick, words: said[index] ?? "" })),
  };
}

/** As many numbers of a logarithmic axis as fit: 1, 2, 5, 10 …, or powers of ten, or every second of them … */
export function logTicks([least, most]: Range, count: number): number[] {
  const [first, last] = [Math.floor(Math.log10(least) + 1e-9), Math.ceil(Math.log10(most) - 1e-9)];
  const within = (value: number): boolean =>
    value >= least * (1 - 1e-9) && value <= most * (1 + 1e-9);
  const powers = Array.from(
    { length: last - first + 1 },
    (_, index) => 10 ** (first + index),
  ).filter(within);
  const fine = Array.from({ length: last - first + 1 }, (_, index) =>
    [1, 2, 5].map((digit) => digit * 10 ** (first + index)),
  )
    .flat()
    .filter(within);
  if (fine.length <= count || powers.length < 2) return fine;
  const step = Math.max(1, Math.ceil(powers.length / Math.max(1, count)));
  return powers.filter((_, index) => index % step === 0);
}

/** Heights of labels, moved apart until none stands on another, as little as that takes, and none of them below `bottom`. */
export function movedApart(heights: readonly number[], least: number, bottom = Infinity): number[] {
  const order = heights
    .map((_, index) => index)
    .sort((one, other) => (heights[one] ?? 0) - (heights[other] ?? 0));
  const placed = heights.map((height) => (Number.isFinite(height) ? height : 0));
  let end = -Infinity;
  for (const index of order) {
    placed[index] = Math.max(placed[index] ?? 0, end + least);
    end = placed[index];
  }
  let start = bottom;
  for (const index of order.reverse()) {
    placed[index] = Math.min(placed[index] ?? 0, start);
    start = placed[index] - least;
  }
  return placed;
}
