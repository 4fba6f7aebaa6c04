// Line charts and bars: axes, ticks, marks, and where every line's name has room.
import { scaleLinear, scaleLog } from "d3-scale";
import { headHue } from "./colours.js";
import { barShare, type Rect } from "./layout.js";
import { fitLabel, placeWords, powerWords, tickWords, writeLabel } from "./text.js";
import { labelFont, Pen, type Brush, type Inks, type Print, type TextMeasure } from "./theme.js";

/** A line with its points from left to right; NaN is a gap. */
export interface CurveLine {
  name: string;
  points: readonly { x: number; y: number }[];
  /** By default it has a hue of its own. */
  tone?: "ink" | "accent" | "quiet";
}

export type CurveScale = "linear" | "log";
type Range = readonly [least: number, most: number];

export interface CurvesScene {
  lines: readonly CurveLine[];
  titles: { x: string; y: string };
  /** A place with a line in the accent colour, and its label. */
  marked: { x: number; words: string } | null;
  /** Places with grey lines, and their labels; the first label has room in every figure. */
  marks: readonly { x: number; words: string }[];
  scales: { x?: CurveScale; y?: CurveScale };
  /** The ends of an axis; by default those of the numbers. */
  range: { x?: Range; y?: Range };
  words: { x?: (value: number) => string; y?: (value: number) => string };
  /** Whether a value holds until the next point. */
  stepped: boolean;
}

export interface Axis {
  /** The place of a number in CSS pixels, clamped to the axis. */
  place: (value: number) => number;
  ticks: readonly { at: number; words: string }[];
}

export interface CurvesLayout {
  width: number;
  height: number;
  plot: Rect;
  x: Axis;
  y: Axis;
  /** The y of each line's name, null for a line without numbers; null where names have no room beside the plot. */
  names: readonly (number | null)[] | null;
  /** The labels of `marks`; empty where one would overlap those before it. */
  markWords: readonly string[];
  /** The rows of these labels above the plot. */
  markRows: readonly number[];
}

const GAP = 8;
const BOTTOM = 36;
const TOP = { plain: 10, marked: 20 };
/** The rows of mark labels in a narrow figure, and their height. */
const MARK_ROWS = 2;
const MARK_HEIGHT = 14;
const AT_AXIS = 12;
const TICK = { high: 44, wide: 26 };
const NAME_HEIGHT = 15;
/** A plot narrower than this has no names beside it. */
const LEAST_PLOT = 260;
const MOST_TICKS = 6;

/** The least height with room for all names. */
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
  // Only narrow figures need a second row above the plot.
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
  const rangeFor = (side: "x" | "y"): Range =>
    range[side] ??
    rangeOf(
      points.map((point) => point[side]),
      scales[side],
      side,
    );
  const widest = (texts: readonly string[]): number =>
    Math.ceil(texts.reduce((most, text) => Math.max(most, measure(text)), 0));
  const plotHeight = height - top - BOTTOM;
  const levels = Math.min(MOST_TICKS, Math.floor(plotHeight / TICK.high) + 1);
  const y = axisOf(scales.y, rangeFor("y"), [top + plotHeight, top], levels, words.y);
  const left = widest(y.ticks.map((tick) => tick.words)) + GAP;
  const beside = widest(lines.map(({ name }) => name)) + 2 * GAP;
  const named =
    lines.length > 1 &&
    lines.length * NAME_HEIGHT <= plotHeight &&
    width - left - beside >= LEAST_PLOT;
  const xRange = rangeFor("x");
  const last = measure((words.x ?? placeWords)(xRange[1]));
  const plotWidth = width - left - (named ? beside : Math.ceil(last / 2) + 2);
  const plot = { x: left, y: top, width: plotWidth, height: plotHeight };
  const places = Math.max(2, Math.floor(plotWidth / (Math.max(last, TICK.wide) + 2 * GAP)));
  const xWords = words.x ?? (scales.x === "log" ? placeWords : undefined);
  const x = axisOf(scales.x, xRange, [left, left + plotWidth], places, xWords);
  const names = named ? namesOf(lines, y, top + plotHeight) : null;
  return { width, height, plot, x, y, names, ...marksOf(scene, x, plot, measure) };
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

/** Whether the label of a mark begins at it: centred, it would overlap the numbers of the other axis. */
export function standsAtAxis(at: number, plot: Rect): boolean {
  return at - plot.x < AT_AXIS;
}

/** Places the labels of the marks in turn, each in the lowest row with room. */
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

export function placesOf(lines: readonly CurveLine[]): number[] {
  return [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort(
    (one, other) => one - other,
  );
}

/** The number of a line at a place; NaN for none. */
export function numberAt({ points }: CurveLine, x: number, stepped = false): number {
  const found = stepped
    ? points.findLast((point) => point.x <= x)
    : points.find((point) => point.x === x);
  return found?.y ?? NaN;
}

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

/** The range of an axis: a linear y axis includes zero, a logarithmic one has whole decades. */
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
  // The y axis ends at a round number, the x axis at the last point.
  const linear =
    from > to
      ? scaleLinear([...range], [from, to]).nice(count)
      : scaleLinear([...range], [from, to]);
  const at = linear.ticks(count);
  const labels = words ? at.map(words) : tickWords(at);
  return {
    place: linear.clamp(true),
    ticks: at.map((tick, index) => ({ at: tick, words: labels[index] ?? "" })),
  };
}

/** The ticks of a logarithmic axis: 1, 2, 5, 10 …, or powers of ten, or every second of them … */
export function logTicks([least, most]: Range, count: number): number[] {
  const [first, last] = [Math.floor(Math.log10(least) + 1e-9), Math.ceil(Math.log10(most) - 1e-9)];
  const decades = Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
  const within = (value: number): boolean =>
    value >= least * (1 - 1e-9) && value <= most * (1 + 1e-9);
  const powers = decades.filter(within);
  const fine = decades.flatMap((power) => [1, 2, 5].map((digit) => digit * power)).filter(within);
  if (fine.length <= count || powers.length < 2) return fine;
  const step = Math.max(1, Math.ceil(powers.length / Math.max(1, count)));
  return powers.filter((_, index) => index % step === 0);
}

/** The y of labels, moved apart by as little as possible until none overlap or exceed `bottom`. */
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

const AXIS_SIZE = 11;
/** Lines differ in dashes too, for readers who cannot distinguish hues. */
const DASHES: readonly (readonly number[])[] = [
  [],
  [6, 3],
  [2, 3],
  [9, 3, 2, 3],
  [12, 4],
  [4, 2, 1, 2, 1, 2],
  [1, 2],
  [9, 2, 2, 2, 2, 2],
];
const WIDTHS = { ink: 1.75, accent: 2.5, quiet: 1.5 } as const;
const DOT = 3.5;

export interface LineLook {
  colour: string;
  width: number;
  dash: readonly number[];
}

export function lineLook(lines: readonly CurveLine[], index: number, inks: Inks): LineLook {
  const tone = lines[index]?.tone;
  const dash = DASHES[index % DASHES.length] ?? [];
  if (tone === undefined) {
    // Lines with a tone do not use up a hue.
    const hued = lines.filter((line) => line.tone === undefined);
    const at = lines.slice(0, index).filter((line) => line.tone === undefined).length;
    return { colour: headHue(at, hued.length, inks.ground), width: 2, dash };
  }
  return {
    colour: { ink: inks.ink, accent: inks.accent, quiet: inks.muted }[tone],
    width: WIDTHS[tone],
    dash: tone === "quiet" ? dash : [],
  };
}

export function curvesFont(inks: Inks): { font: string; size: number } {
  return { font: labelFont(inks, "normal", AXIS_SIZE), size: AXIS_SIZE };
}

export function paintCurves(pen: Pen, layout: CurvesLayout, scene: CurvesScene): void {
  const { brush, inks } = pen;
  brush.save();
  brush.direction = "ltr";
  brush.font = curvesFont(inks).font;
  paintAxes(pen, layout, scene);
  scene.marks.forEach(({ x }, index) =>
    paintMark(pen, layout, x, layout.markWords[index] ?? "", inks.muted, layout.markRows[index]),
  );
  if (scene.marked) paintMark(pen, layout, scene.marked.x, scene.marked.words, inks.accent);
  scene.lines.forEach((line, index) =>
    paintLine(brush, layout, line, lineLook(scene.lines, index, inks), scene.stepped),
  );
  brush.textAlign = "left";
  brush.textBaseline = "middle";
  layout.names?.forEach((height, index) => {
    if (height === null) return;
    brush.fillStyle = lineLook(scene.lines, index, inks).colour;
    const { x, width } = layout.plot;
    brush.fillText(scene.lines[index]?.name ?? "", x + width + 8, height);
  });
  brush.restore();
}

function paintAxes(pen: Pen, { plot, x, y, height }: CurvesLayout, { titles }: CurvesScene): void {
  const { brush, inks } = pen;
  const right = plot.x + plot.width;
  pen.line(inks.line, 1);
  brush.beginPath();
  for (const { at } of y.ticks) {
    const level = Math.round(y.place(at)) + 0.5;
    pen.segment(plot.x, level, right, level);
  }
  brush.stroke();
  pen.words(AXIS_SIZE, inks.muted, "right");
  for (const { at, words } of y.ticks) brush.fillText(words, plot.x - 6, y.place(at));
  brush.textAlign = "center";
  for (const { at, words } of x.ticks)
    brush.fillText(words, x.place(at), plot.y + plot.height + 12);
  brush.textAlign = "right";
  brush.fillText(titles.x, right, height - 6);
}

function paintMark(
  pen: Pen,
  { plot, x }: CurvesLayout,
  place: number,
  words: string,
  colour: string,
  row = 0,
): void {
  const { brush } = pen;
  const at = x.place(place);
  const top = plot.y - row * MARK_HEIGHT;
  brush.save();
  pen.line(colour, 1);
  brush.setLineDash([1, 3]);
  brush.beginPath();
  pen.segment(at, top, at, plot.y + plot.height);
  brush.stroke();
  pen.words(AXIS_SIZE, colour, standsAtAxis(at, plot) ? "left" : "center");
  if (words !== "") brush.fillText(words, at, top - 10);
  brush.restore();
}

function paintLine(
  brush: Brush,
  { x, y }: CurvesLayout,
  { points }: CurveLine,
  { colour, width, dash }: LineLook,
  stepped: boolean,
): void {
  brush.save();
  brush.strokeStyle = colour;
  brush.lineWidth = width;
  brush.lineJoin = "round";
  brush.setLineDash([...dash]);
  brush.beginPath();
  let before: number | null = null;
  for (const point of points) {
    if (!Number.isFinite(point.y)) {
      before = null;
      continue;
    }
    const [left, top] = [x.place(point.x), y.place(point.y)];
    if (before === null) brush.moveTo(left, top);
    else {
      if (stepped) brush.lineTo(left, before);
      brush.lineTo(left, top);
    }
    before = top;
  }
  brush.stroke();
  brush.restore();
}

/** Paints the place in focus, with a dot on every line that has a number there. */
export function paintPlace(
  pen: Pen,
  { plot, x, y }: CurvesLayout,
  { lines, stepped }: CurvesScene,
  place: number,
): void {
  const { brush, inks } = pen;
  const at = x.place(place);
  brush.save();
  pen.line(inks.muted, 1);
  brush.beginPath();
  pen.segment(at, plot.y, at, plot.y + plot.height);
  brush.stroke();
  lines.forEach((line, index) => {
    const value = numberAt(line, place, stepped);
    if (!Number.isFinite(value)) return;
    brush.beginPath();
    brush.arc(at, y.place(value), DOT, 0, 2 * Math.PI);
    brush.fillStyle = lineLook(lines, index, inks).colour;
    brush.fill();
    pen.line(inks.paper, 1.5);
    brush.stroke();
  });
  brush.restore();
}

// Bars for files; on the page they are HTML.

/** One bar with a label before and a number after it; a negative one is left of zero. */
export interface PrintedBar {
  label: string;
  value: number;
  text: string;
  marked?: boolean;
}

const BAR = { text: 12.5, row: 22, thick: 9, track: 320, gap: 12, label: 220 };

/** A bar of the value `max` has the whole length. */
export function printBars(
  bars: readonly PrintedBar[],
  heading: string,
  max: number,
  inks: Inks,
  measure: TextMeasure,
): Print {
  const widthOf = measure(labelFont(inks, "bold", BAR.text), BAR.text);
  const widest = (texts: readonly string[]): number =>
    Math.ceil(texts.reduce((most, text) => Math.max(most, widthOf(text)), 0));
  const least = Math.min(0, ...bars.map(({ value }) => barShare(value, max)));
  const unit = BAR.track / (1 - least);
  const left = Math.min(BAR.label, widest(bars.map(({ label }) => label))) + BAR.gap;
  const zero = left - least * unit;
  const top = heading === "" ? 0 : BAR.row + 4;
  return {
    width: Math.max(
      left + BAR.track + BAR.gap + widest(bars.map(({ text }) => text)),
      widest([heading]),
    ),
    height: top + bars.length * BAR.row,
    paint: (brush) => {
      const pen = new Pen(brush, inks);
      brush.save();
      brush.direction = "ltr";
      pen.words(BAR.text, inks.ink, "left", "middle", "bold");
      if (heading !== "") brush.fillText(heading, 0, BAR.row / 2);
      bars.forEach(({ label, value, text, marked }, index) => {
        const middle = top + (index + 0.5) * BAR.row;
        pen.words(BAR.text, inks.ink, "left", "middle", marked ? "bold" : "normal");
        writeLabel(brush, fitLabel(label, BAR.label, widthOf), 0, middle);
        const length = barShare(value, max) * unit;
        brush.fillStyle = marked ? inks.accent : inks.muted;
        const across = Math.max(1, Math.abs(length));
        brush.fillRect(Math.min(zero, zero + length), middle - BAR.thick / 2, across, BAR.thick);
        brush.fillStyle = inks.muted;
        brush.fillText(text, left + BAR.track + BAR.gap, middle);
      });
      brush.restore();
    },
  };
}
