// Curves on any brush: the screen's and those of files.
import { headHue } from "./colours.js";
import {
  MARK_HEIGHT,
  numberAt,
  standsAtAxis,
  type CurveLine,
  type CurvesLayout,
  type CurvesScene,
} from "./curves.js";
import { labelFont, type Brush, type Inks } from "./theme.js";

const AXIS_SIZE = 11;
/** Lines differ in their dashes too, for those who do not tell hues apart. */
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

/** How a line looks, so that a legend can say it too. */
export interface LineLook {
  colour: string;
  width: number;
  dash: readonly number[];
}

export function lineLook(lines: readonly CurveLine[], index: number, inks: Inks): LineLook {
  const tone = lines[index]?.tone;
  const dash = DASHES[index % DASHES.length] ?? [];
  if (tone === undefined) {
    // Lines of a tone take no hue away: the others have theirs in every figure that has as many of them.
    const hued = lines.filter((line) => line.tone === undefined);
    const at = lines.slice(0, index).filter((line) => line.tone === undefined).length;
    return { colour: headHue(at, hued.length, inks.ground), width: 2, dash };
  }
  // One that stands out is told by that alone.
  return {
    colour: { ink: inks.ink, accent: inks.accent, quiet: inks.muted }[tone],
    width: WIDTHS[tone],
    dash: tone === "quiet" ? dash : [],
  };
}

/** The font of the axes and of the lines' names. */
export function curvesFont(inks: Inks): { font: string; size: number } {
  return { font: labelFont(inks, "normal", AXIS_SIZE), size: AXIS_SIZE };
}

export function paintCurves(
  brush: Brush,
  layout: CurvesLayout,
  scene: CurvesScene,
  inks: Inks,
): void {
  brush.save();
  brush.direction = "ltr";
  brush.font = curvesFont(inks).font;
  paintAxes(brush, layout, scene, inks);
  scene.marks.forEach(({ x }, index) =>
    paintMark(brush, layout, x, layout.markWords[index] ?? "", inks.muted, layout.markRows[index]),
  );
  if (scene.marked) paintMark(brush, layout, scene.marked.x, scene.marked.words, inks.accent);
  scene.lines.forEach((line, index) =>
    paintLine(brush, layout, line, lineLook(scene.lines, index, inks), scene.stepped),
  );
  paintNames(brush, layout, scene.lines, inks);
  brush.restore();
}

function paintAxes(
  brush: Brush,
  { plot, x, y, height }: CurvesLayout,
  { titles }: CurvesScene,
  inks: Inks,
): void {
  const bottom = plot.y + plot.height;
  brush.lineWidth = 1;
  brush.strokeStyle = inks.line;
  brush.beginPath();
  for (const { at } of y.ticks) {
    const height = Math.round(y.place(at)) + 0.5;
    brush.moveTo(plot.x, height);
    brush.lineTo(plot.x + plot.width, height);
  }
  brush.stroke();
  brush.fillStyle = inks.muted;
  brush.textBaseline = "middle";
  brush.textAlign = "right";
  for (const { at, words } of y.ticks) brush.fillText(words, plot.x - 6, y.place(at));
  brush.textAlign = "center";
  for (const { at, words } of x.ticks) brush.fillText(words, x.place(at), bottom + 12);
  brush.textAlign = "right";
  brush.fillText(titles.x, plot.x + plot.width, height - 6);
}

function paintMark(
  brush: Brush,
  { plot, x }: CurvesLayout,
  place: number,
  words: string,
  colour: string,
  row = 0,
): void {
  const at = x.place(place);
  const top = plot.y - row * MARK_HEIGHT;
  brush.save();
  brush.strokeStyle = colour;
  brush.lineWidth = 1;
  brush.setLineDash([1, 3]);
  brush.beginPath();
  brush.moveTo(at, top);
  brush.lineTo(at, plot.y + plot.height);
  brush.stroke();
  brush.fillStyle = colour;
  brush.textAlign = standsAtAxis(at, plot) ? "left" : "center";
  brush.textBaseline = "middle";
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

/** Each line's name where it ends. */
function paintNames(
  brush: Brush,
  { plot, names }: CurvesLayout,
  lines: readonly CurveLine[],
  inks: Inks,
): void {
  if (!names) return;
  brush.textAlign = "left";
  brush.textBaseline = "middle";
  lines.forEach(({ name }, index) => {
    const height = names[index] ?? null;
    if (height === null) return;
    brush.fillStyle = lineLook(lines, index, inks).colour;
    brush.fillText(name, plot.x + plot.width + 8, height);
  });
}

/** The place that is looked at, with a dot on every line that has a number there. */
export function paintPlace(
  brush: Brush,
  { plot, x, y }: CurvesLayout,
  { lines, stepped }: CurvesScene,
  place: number,
  inks: Inks,
): void {
  const at = x.place(place);
  brush.save();
  brush.strokeStyle = inks.muted;
  brush.lineWidth = 1;
  brush.beginPath();
  brush.moveTo(at, plot.y);
  brush.lineTo(at, plot.y + plot.height);
  brush.stroke();
  lines.forEach((line, index) => {
    const value = numberAt(line, place, stepped);
    if (!Number.isFinite(value)) return;
    brush.beginPath();
    brush.arc(at, y.place(value), DOT, 0, 2 * Math.PI);
    brush.fillStyle = lineLook(lines, index, inks).colour;
    brush.fill();
    brush.strokeStyle = inks.paper;
    brush.lineWidth = 1.5;
    brush.stroke();
  });
  brush.restore();
}
