import { scaleLinear, scaleLog } from "d3-scale";
import { headHue } from "./inks.js";
import { rampColour, rampOf } from "./colours.js";
import { barShare, type Rect } from "./layout.js";
import { fitLabel, measurer, writeLabel } from "./text.js";
import { placeWords, powerWords, tickWords } from "./ticks.js";
import type { Measure } from "./text.js";
import { labelFont, Pen, type Inks, type Print } from "./theme.js";

/** A line with its points from left to right; NaN is a gap. */
export interface CurveLine {
  name: string;
  points: readonly { x: number; y: number }[];
  /** The ink of the line; by default, a hue of its own. */
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
  /** The ends of each axis; by default, those of the numbers. */
  range: { x?: Range; y?: Range };
  words: { x?: (value: number) => string; y?: (value: number) => string };
  /** Whether a value holds until the next point. */
  stepped: boolean;
}

interface Axis {
  /** The place of a number in CSS pixels, clamped to the axis. */
  place: (value: number) => number;
  ticks: readonly { at: number; words: string }[];
}

const GAP = 8;
const BOTTOM = 36;
const TOP = { plain: 10, marked: 20 };
/** The rows of mark labels in a narrow figure, and their height. */
const MARK = { rows: 2, height: 14 };
const AT_AXIS = 12;
const TICK = { high: 44, wide: 26, most: 6 };
const NAME_HEIGHT = 15;
/** A plot narrower than this has no names beside it. */
const LEAST_PLOT = 260;
export const AXIS_SIZE = 11;
/** The dash pattern of each line, for readers who cannot distinguish hues. */
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

export function heightFor({ lines }: CurvesScene): number {
  return lines.length * NAME_HEIGHT + TOP.marked + BOTTOM;
}

export const curvesFont = (inks: Inks): string => labelFont(inks, "normal", AXIS_SIZE);

export function lineStyle(lines: readonly CurveLine[], index: number, inks: Inks) {
  const tone = lines[index]?.tone;
  const dash = DASHES[index % DASHES.length] ?? [];
  if (tone !== undefined) {
    const colour = { ink: inks.ink, accent: inks.accent, quiet: inks.muted }[tone];
    return { colour, width: WIDTHS[tone], dash: tone === "quiet" ? dash : [] };
  }
  // Lines with a tone do not use up a hue.
  const hued = (some: readonly CurveLine[]): number =>
    some.filter((line) => line.tone === undefined).length;
  return { colour: headHue(hued(lines.slice(0, index)), hued(lines), inks.ground), width: 2, dash };
}

export class LineChart {
  plot!: Rect;
  x!: Axis;
  y!: Axis;
  /**
   * The y of each line's name, null for a line without numbers; null where names have no room
   * beside the plot.
   */
  names: (number | null)[] | null = null;
  /**
   * For each of `marks` the row of its label above the plot; -1 where it would overlap those before
   * it.
   */
  rows: number[] = [];

  constructor(
    private readonly scene: CurvesScene,
    readonly width: number,
    readonly height: number,
    private readonly measure: Measure,
  ) {
    const marked = scene.marks.length > 0 || (scene.marked?.words ?? "") !== "";
    this.layOut(marked ? TOP.marked : TOP.plain);
    // Only narrow figures need a second row above the plot.
    if (this.rows.some((row) => row > 0)) this.layOut(TOP.marked + (MARK.rows - 1) * MARK.height);
  }

  private layOut(top: number): void {
    const { width, height, measure } = this;
    const { lines, scales, words } = this.scene;
    const plotHeight = height - top - BOTTOM;
    const bottom = top + plotHeight;
    const levels = Math.min(TICK.most, Math.floor(plotHeight / TICK.high) + 1);
    this.y = axisOf(scales.y, this.range("y"), [bottom, top], levels, words.y);
    const left = GAP + widest(measure, this.y.ticks, "words");
    const beside = 2 * GAP + widest(measure, lines, "name");
    const hasHeight = lines.length > 1 && lines.length * NAME_HEIGHT <= plotHeight;
    const named = hasHeight && width - left - beside >= LEAST_PLOT;
    const range = this.range("x");
    const last = measure((words.x ?? placeWords)(range[1]));
    const plotWidth = width - left - (named ? beside : Math.ceil(last / 2) + 2);
    const places = Math.max(2, Math.floor(plotWidth / (Math.max(last, TICK.wide) + 2 * GAP)));
    const xWords = words.x ?? (scales.x === "log" ? placeWords : undefined);
    this.plot = { x: left, y: top, width: plotWidth, height: plotHeight };
    this.x = axisOf(scales.x, range, [left, left + plotWidth], places, xWords);
    this.names = named ? this.nameHeights(bottom) : null;
    this.rows = this.markRows();
  }

  private range(side: "x" | "y"): Range {
    const { lines, scales, range } = this.scene;
    const values = lines.flatMap(({ points }) => points.map((point) => point[side]));
    return range[side] ?? rangeOf(values, scales[side], side);
  }

  private nameHeights(bottom: number): (number | null)[] {
    const ends = this.scene.lines.map(({ points }) => points.findLast(({ y }) => isFinite(y)));
    const levels = ends.flatMap((end) => (end ? [this.y.place(end.y)] : []));
    const heights = movedApart(levels, NAME_HEIGHT, bottom);
    return ends.map((end) => (end ? (heights.shift() ?? null) : null));
  }

  /**
   * Whether the label of a mark begins at it: centred, it would overlap the numbers of the other
   * axis.
   */
  isAtAxis(at: number): boolean {
    return at - this.plot.x < AT_AXIS;
  }

  private markRows(): number[] {
    const occupied: Range[][] = Array.from({ length: MARK.rows }, () => []);
    const rowFor = ({ x, words }: { x: number; words: string }): number => {
      if (words === "") return -1;
      const at = this.x.place(x);
      const width = this.measure(words) + GAP;
      const from = this.isAtAxis(at) ? at : at - width / 2;
      const to = from + width;
      const row = occupied.findIndex((others) => !others.some(([a, b]) => from < b && a < to));
      occupied[row]?.push([from, to]);
      return row;
    };
    const { marked, marks } = this.scene;
    if (marked) rowFor(marked);
    return marks.map(rowFor);
  }

  nearestPlace(places: readonly number[], at: number): number | null {
    const distance = (place: number): number => Math.abs(this.x.place(place) - at);
    return places.reduce<number | null>(
      (best, place) => (best === null || distance(place) < distance(best) ? place : best),
      null,
    );
  }

  paint(pen: Pen): void {
    const { scene, plot, names } = this;
    const { brush, inks } = pen;
    const { lines } = scene;
    brush.save();
    this.paintAxes(pen);
    scene.marks.forEach(({ x, words }, index) => {
      const row = this.rows[index] ?? -1;
      this.paintMark(pen, x, row < 0 ? "" : words, inks.muted, Math.max(0, row));
    });
    if (scene.marked) this.paintMark(pen, scene.marked.x, scene.marked.words, inks.accent, 0);
    lines.forEach((line, index) => this.paintLine(pen, line, lineStyle(lines, index, inks)));
    brush.textAlign = "left";
    brush.textBaseline = "middle";
    names?.forEach((height, index) => {
      if (height === null) return;
      brush.fillStyle = lineStyle(lines, index, inks).colour;
      brush.fillText(lines[index]?.name ?? "", plot.x + plot.width + 8, height);
    });
    brush.restore();
  }

  private paintAxes(pen: Pen): void {
    const { plot, x, y, height, scene } = this;
    const { brush, inks } = pen;
    const right = plot.x + plot.width;
    pen.line(inks.line, 1);
    const levels = y.ticks.map(({ at }) => Math.round(y.place(at)) + 0.5);
    pen.segments(...levels.map((level) => [plot.x, level, right, level] as const));
    pen.words(AXIS_SIZE, inks.muted, "right");
    for (const { at, words } of y.ticks) brush.fillText(words, plot.x - 6, y.place(at));
    brush.textAlign = "center";
    for (const { at, words } of x.ticks)
      brush.fillText(words, x.place(at), plot.y + plot.height + 12);
    brush.textAlign = "right";
    brush.fillText(scene.titles.x, right, height - 6);
  }

  private paintMark(pen: Pen, place: number, words: string, colour: string, row: number): void {
    const { brush } = pen;
    const at = this.x.place(place);
    const top = this.plot.y - row * MARK.height;
    brush.save();
    pen.line(colour, 1);
    brush.setLineDash([1, 3]);
    pen.segments([at, top, at, this.plot.y + this.plot.height]);
    pen.words(AXIS_SIZE, colour, this.isAtAxis(at) ? "left" : "center");
    if (words !== "") brush.fillText(words, at, top - 10);
    brush.restore();
  }

  private paintLine(pen: Pen, line: CurveLine, style: ReturnType<typeof lineStyle>): void {
    const { brush } = pen;
    const { colour, width, dash } = style;
    brush.save();
    pen.line(colour, width);
    brush.lineJoin = "round";
    brush.setLineDash([...dash]);
    brush.beginPath();
    let before = NaN;
    for (const point of line.points) {
      const left = this.x.place(point.x);
      const top = this.y.place(point.y);
      const isNumber = Number.isFinite(point.y);
      if (isNumber && Number.isNaN(before)) brush.moveTo(left, top);
      else if (isNumber) {
        if (this.scene.stepped) brush.lineTo(left, before);
        brush.lineTo(left, top);
      }
      before = isNumber ? top : NaN;
    }
    brush.stroke();
    brush.restore();
  }

  paintPlace(pen: Pen, place: number): void {
    const { plot, y } = this;
    const { lines, stepped } = this.scene;
    const { brush, inks } = pen;
    const at = this.x.place(place);
    brush.save();
    pen.line(inks.muted, 1);
    pen.segments([at, plot.y, at, plot.y + plot.height]);
    lines.forEach((line, index) => {
      const value = numberAt(line, place, stepped);
      if (!Number.isFinite(value)) return;
      brush.beginPath();
      brush.arc(at, y.place(value), DOT, 0, 2 * Math.PI);
      brush.fillStyle = lineStyle(lines, index, inks).colour;
      brush.fill();
      pen.line(inks.paper, 1.5);
      brush.stroke();
    });
    brush.restore();
  }
}

export function placesOf(lines: readonly CurveLine[]): number[] {
  const places = new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)));
  return [...places].sort((one, other) => one - other);
}

export function numberAt({ points }: CurveLine, x: number, stepped = false): number {
  const found = stepped
    ? points.findLast((point) => point.x <= x)
    : points.find((point) => point.x === x);
  return found?.y ?? NaN;
}

/** The range of an axis: a linear y axis includes zero, a logarithmic one has whole decades. */
function rangeOf(values: readonly number[], scale: CurveScale | undefined, side: "x" | "y"): Range {
  const log = scale === "log";
  const known = values.filter((value) => Number.isFinite(value) && (!log || value > 0));
  if (known.length === 0) return log ? [1, 10] : [0, 1];
  const least = known.reduce((low, value) => Math.min(low, value));
  const most = known.reduce((high, value) => Math.max(high, value));
  if (side === "x") {
    if (least < most) return [least, most];
    return log ? [least / 2, most * 2] : [least - 1, most + 1];
  }
  if (!log) return [Math.min(0, least), most > Math.min(0, least) ? most : least + 1];
  const low = Math.floor(Math.log10(least) + 1e-9);
  return [10 ** low, 10 ** Math.max(low + 1, Math.ceil(Math.log10(most) - 1e-9))];
}

function axisOf(
  scale: CurveScale | undefined,
  range: Range,
  ends: Range,
  count: number,
  words: ((value: number) => string) | undefined,
): Axis {
  if (scale === "log") {
    const log = scaleLog(range, ends).clamp(true);
    const at = logTicks(range, count);
    const isPlain = at.every((tick) => tick >= 1e-3 && tick < 1e6);
    const write = words ?? (isPlain ? placeWords : powerWords);
    return {
      place: (value) => log(Math.max(value, range[0])),
      ticks: at.map((tick) => ({ at: tick, words: write(tick) })),
    };
  }
  const linear = scaleLinear(range, ends);
  // The y axis ends at a round number, the x axis at the last point.
  if (ends[0] > ends[1]) linear.nice(count);
  const at = linear.ticks(count);
  const labels = words ? at.map(words) : tickWords(at);
  return {
    place: linear.clamp(true),
    ticks: at.map((tick, index) => ({ at: tick, words: labels[index] ?? "" })),
  };
}

/** The ticks of a logarithmic axis: 1, 2, 5, 10 …, or powers of ten, or every second of them … */
export function logTicks([least, most]: Range, count: number): number[] {
  const first = Math.floor(Math.log10(least) + 1e-9);
  const last = Math.ceil(Math.log10(most) - 1e-9);
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
  const placed = heights.map((height) => (Number.isFinite(height) ? height : 0));
  const order = [...placed.keys()].sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  let end = -Infinity;
  for (const index of order) end = placed[index] = Math.max(placed[index] ?? 0, end + least);
  let start = bottom;
  for (const index of order.reverse())
    start = (placed[index] = Math.min(placed[index] ?? 0, start)) - least;
  return placed;
}

/**
 * One bar: its length is `value` of the longest, to the left of zero where negative; `text` is the
 * number beside it.
 */
export interface BarItem {
  label: string;
  value: number;
  text: string;
  /** Whether the bar is highlighted, such as the right answer. */
  marked?: boolean;
}

const BAR = { text: 12.5, row: 22, thick: 9, track: 320, gap: 12, label: 220 };

export function printBars(
  bars: readonly BarItem[],
  heading: string,
  max: number,
  inks: Inks,
): Print {
  const widthOf = measurer(labelFont(inks, "bold", BAR.text));
  const least = Math.min(0, ...bars.map(({ value }) => barShare(value, max)));
  const unit = BAR.track / (1 - least);
  const left = Math.min(BAR.label, widest(widthOf, bars, "label")) + BAR.gap;
  const zero = left - least * unit;
  const end = left + BAR.track + BAR.gap;
  const top = heading === "" ? 0 : BAR.row + 4;
  return {
    width: Math.max(end + widest(widthOf, bars, "text"), Math.ceil(widthOf(heading))),
    height: top + bars.length * BAR.row,
    paint: (brush) => {
      const pen = new Pen(brush, inks);
      brush.save();
      pen.words(BAR.text, inks.ink, "left", "middle", "bold");
      if (heading !== "") brush.fillText(heading, 0, BAR.row / 2);
      const signs = rampOf("signed", inks.ground);
      if (least < 0)
        pen.fill({ x: zero, y: top, width: 1, height: bars.length * BAR.row }, inks.line);
      bars.forEach(({ label, value, text, marked }, index) => {
        const middle = top + (index + 0.5) * BAR.row;
        pen.words(BAR.text, inks.ink, "left", "middle", marked ? "bold" : "normal");
        writeLabel(brush, fitLabel(label, BAR.label, widthOf), 0, middle);
        const length = barShare(value, max) * unit;
        const hue = least < 0 ? rampColour(signs, length < 0 ? 42 : 213) : inks.muted;
        brush.fillStyle = marked ? inks.accent : hue;
        const across = Math.max(1, Math.abs(length));
        brush.fillRect(Math.min(zero, zero + length), middle - BAR.thick / 2, across, BAR.thick);
        brush.fillStyle = inks.muted;
        brush.fillText(text, end, middle);
      });
      brush.restore();
    },
  };
}

function widest<Name extends string>(
  measure: Measure,
  items: readonly Readonly<Record<Name, string>>[],
  name: Name,
): number {
  return Math.ceil(Math.max(0, ...items.map((item) => measure(item[name]))));
}
