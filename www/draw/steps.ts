import type { Step, StepCell } from "../data/index.js";
import { headHue } from "./colours.js";
import type { Rect } from "./layout.js";
import { fitLabel, labelStep, writeLabel } from "./text.js";
import { labelFont, type Pen } from "./theme.js";

// The computation of a block as a strip of matrices side by side. Rows are tokens in all of them, so that a token can be
// followed across the strip.

export interface StepShape {
  step: Step;
  rows: number;
  columns: number;
}

export interface StepBox extends StepShape {
  plot: Rect;
  /** The distance to the next matrix, which its caption may fill. */
  room: number;
  /** The right edge of the matrix before, where the arrow begins. */
  from: number;
  cellWidth: number;
  cellHeight: number;
}

export interface StepsLayout {
  boxes: StepBox[];
  /** The width of the row labels, which do not scroll. */
  labels: number;
  width: number;
  height: number;
}

/** The height of captions and head numbers. */
const STEP_HEAD = 66;
const FOOT = 10;
export const STEP_GAP = 58;
/** The least width of a caption. */
const STEP_CAPTION = 176;
const MOST_HEIGHT = 380;
const CELL = { tallest: 20, widest: 10, narrowest: 2 };
/** The preferred width of a matrix of vectors. */
const EASY_WIDTH = 320;

const PATTERNS: ReadonlySet<Step> = new Set<Step>(["raw", "scores", "masked", "weights"]);

/** Whether the columns of a matrix are keys, not dimensions. */
export function isPattern(step: Step): boolean {
  return PATTERNS.has(step);
}

const BANDED: ReadonlySet<Step> = new Set<Step>([
  "query",
  "key",
  "value",
  "query-rotated",
  "key-rotated",
  "context",
]);

/** Whether the columns of a matrix belong to heads. */
export function isBanded(step: Step): boolean {
  return BANDED.has(step);
}

/** Whether the rows of a matrix are keys. */
export function isOfKeys(step: Step): boolean {
  return step === "key" || step === "key-rotated" || step === "value" || step === "memory";
}

export interface Bands {
  /** The number of bands: fewer than heads where heads share keys and values. */
  count: number;
  /** Heads to a band. */
  shared: number;
}

/** The bands of a matrix for `heads` heads, whose queries have `queryColumns` columns in all. */
export function bandsOf(columns: number, queryColumns: number, heads: number): Bands {
  const count = Math.max(1, Math.round((columns * heads) / Math.max(1, queryColumns)));
  return { count, shared: Math.max(1, Math.round(heads / count)) };
}

/** Places the matrices from left to right with rows of one height. `keysApart` gives keys labels of their own. */
export function layoutSteps(
  shapes: readonly StepShape[],
  labels: number,
  keysApart: boolean,
): StepsLayout {
  const rows = Math.max(1, ...shapes.map((shape) => shape.rows));
  const cellHeight = Math.min(CELL.tallest, MOST_HEIGHT / rows);
  let x = labels + 8;
  let edge = x;
  const boxes = shapes.map((shape) => {
    if (keysApart && isOfKeys(shape.step)) x += labels;
    const cellWidth = isPattern(shape.step)
      ? Math.min(CELL.tallest, MOST_HEIGHT / Math.max(1, shape.columns))
      : Math.min(CELL.widest, Math.max(CELL.narrowest, EASY_WIDTH / Math.max(1, shape.columns)));
    const plot = {
      x,
      y: STEP_HEAD,
      width: cellWidth * shape.columns,
      height: cellHeight * shape.rows,
    };
    const room = Math.max(plot.width + STEP_GAP, STEP_CAPTION);
    const box = { ...shape, plot, room, from: edge, cellWidth, cellHeight };
    edge = x + plot.width;
    x += room;
    return box;
  });
  return {
    boxes,
    labels,
    width: Math.ceil(Math.max(edge + 16, (boxes.at(-1)?.plot.x ?? 0) + STEP_CAPTION)),
    height: Math.ceil(STEP_HEAD + cellHeight * rows + FOOT),
  };
}

/** The cell under a point of the whole strip. */
export function stepCellAt({ boxes }: StepsLayout, x: number, y: number): StepCell | null {
  const box = boxes.find(
    ({ plot }) => x >= plot.x && x < plot.x + plot.width && y >= plot.y && y < plot.y + plot.height,
  );
  if (!box) return null;
  const inside = (at: number, size: number, count: number): number =>
    Math.min(count - 1, Math.floor(at / size));
  return {
    step: box.step,
    row: inside(y - box.plot.y, box.cellHeight, box.rows),
    column: inside(x - box.plot.x, box.cellWidth, box.columns),
  };
}

/** The place of a run of cells; null outside the strip. */
export function stepCellsRect(
  { boxes }: StepsLayout,
  { step, row, column }: StepCell,
  rows = 1,
  columns = 1,
): Rect | null {
  const box = boxes.find((candidate) => candidate.step === step);
  if (!box || row >= box.rows || column >= box.columns) return null;
  const { plot, cellWidth, cellHeight } = box;
  return {
    x: plot.x + column * cellWidth,
    y: plot.y + row * cellHeight,
    width: columns * cellWidth,
    height: rows * cellHeight,
  };
}

/** The scroll position that has a matrix, or the column of a wide one, in sight. */
export function scrollToStep(
  { boxes, labels }: StepsLayout,
  step: Step,
  column: number,
  from: number,
  width: number,
): number {
  const box = boxes.find((candidate) => candidate.step === step);
  if (!box) return from;
  const room = width - labels;
  const { x, width: wide } = box.plot;
  const start = x - labels - 12;
  if (wide + 24 > room) {
    const at = x + column * box.cellWidth - labels;
    return at > from + 16 && at < from + room - 16 ? from : Math.max(0, at - room / 2);
  }
  return start >= from && start + wide + 24 <= from + room
    ? from
    : Math.max(0, start - (room - wide) / 2);
}

export interface StepCaption {
  symbol: string;
  words: string;
  range: string;
  /** The text of the arrow that leads to it. */
  operation: string;
}

export interface StepsScene {
  images: ReadonlyMap<Step, CanvasImageSource | null>;
  captions: ReadonlyMap<Step, StepCaption>;
  rows: readonly string[];
  /** The labels of keys that are another text; null for the same text. */
  keys: readonly string[] | null;
  head: number;
  heads: number;
  current: Step | null;
}

/** The cell in focus, and the cells of its terms. */
export interface StepMarks {
  cell: Rect | null;
  sources: readonly Rect[];
}

const TITLE = 17;
const SMALL = 11.5;
const PITCH = 14;
/** The gap between two captions. */
const AFTER = 12;
/** The paleness of the bands of other heads. */
const PALE = 0.62;

/** Paints all but the marks; `from` is the scroll position, `width` the width of the window. */
export function paintSteps(
  pen: Pen,
  layout: StepsLayout,
  scene: StepsScene,
  from: number,
  width: number,
): void {
  const { brush, inks } = pen;
  brush.save();
  brush.translate(-from, 0);
  const queries = layout.boxes.find(({ step }) => step === "query");
  layout.boxes.forEach((box, index) => {
    if (box.plot.x + box.room < from || box.from > from + width) return;
    paintBox(pen, box, scene);
    if (isBanded(box.step)) paintBands(pen, box, queries?.columns ?? box.columns, scene);
    const current = scene.current === box.step;
    pen.line(current ? inks.accent : inks.line, current ? 2 : 1);
    pen.frame(box.plot, 0.5);
    const keys = isOfKeys(box.step) ? scene.keys : null;
    if (keys) paintLabels(pen, box, keys, box.plot.x - 8, layout.labels - 12);
    const operation = scene.captions.get(box.step)?.operation ?? "";
    if (index > 0) paintArrow(pen, box, keys ? layout.labels : 0, operation);
  });
  brush.restore();
  // Row labels stay at the left; keys of another text have labels of their own instead.
  const [first] = layout.boxes;
  const apart = scene.keys && scene.current && isOfKeys(scene.current);
  if (!first) return;
  brush.fillStyle = inks.paper;
  brush.fillRect(0, 0, layout.labels, layout.height);
  paintLabels(pen, first, apart ? [] : scene.rows, layout.labels - 8, layout.labels - 12);
}

function paintBox(pen: Pen, box: StepBox, { captions, current, images }: StepsScene): void {
  const { brush, inks } = pen;
  const { plot, step, rows, columns } = box;
  const caption = captions.get(step);
  const symbol = caption?.symbol ?? step;
  pen.words(TITLE, current === step ? inks.accent : inks.ink, "left", "alphabetic", "bold");
  brush.fillText(symbol, plot.x, 20);
  const beside = plot.x + pen.measure(symbol) + 8;
  pen.words(SMALL, inks.muted, "left", "alphabetic");
  const end = plot.x + box.room - AFTER;
  const size = `${rows} × ${columns}   ${caption?.range ?? ""}`;
  brush.fillText(fitLabel(size, end - beside, pen.measure), beside, 20);
  brush.fillText(fitLabel(caption?.words ?? "", end - plot.x, pen.measure), plot.x, 37);
  const image = images.get(step);
  brush.imageSmoothingEnabled = false;
  if (image) brush.drawImage(image, plot.x, plot.y, plot.width, plot.height);
}

/** Paints a band per head, or per group of heads that share it. */
function paintBands(
  pen: Pen,
  { plot, columns }: StepBox,
  queryColumns: number,
  { head, heads }: StepsScene,
): void {
  const { brush, inks } = pen;
  const { count, shared } = bandsOf(columns, queryColumns, heads);
  const wide = plot.width / count;
  for (let band = 0; band < count; band += 1) {
    const x = plot.x + band * wide;
    const first = band * shared;
    const own = head >= first && head < first + shared;
    if (!own) {
      brush.save();
      brush.globalAlpha = PALE;
      brush.fillStyle = inks.paper;
      brush.fillRect(x, plot.y, wide, plot.height);
      brush.restore();
    }
    brush.fillStyle = headHue(own ? head : first, heads, inks.ground);
    brush.fillRect(x + 0.5, plot.y - (own ? 7 : 5), wide - 1, own ? 5 : 3);
    const weight = own ? "bold" : "normal";
    pen.words(SMALL, own ? inks.ink : inks.muted, "center", "alphabetic", weight);
    const label = shared > 1 ? `${first + 1}–${first + shared}` : String(first + 1);
    if (wide >= PITCH || own) brush.fillText(label, x + wide / 2, plot.y - 10);
  }
}

/** Paints the arrow to a matrix with its operation: a word, or a symbol whose index follows an underscore. */
function paintArrow(
  pen: Pen,
  { plot, from: edge }: StepBox,
  labels: number,
  operation: string,
): void {
  const { brush, inks } = pen;
  const y = STEP_HEAD + Math.min(plot.height / 2, 60);
  const [from, to] = [edge + 8, plot.x - labels - 8];
  pen.line(inks.muted, 1.25);
  brush.beginPath();
  pen.segment(from, y, to, y);
  pen.segment(to - 5, y - 4, to, y);
  brush.lineTo(to - 5, y + 4);
  brush.stroke();
  const x = (from + to) / 2;
  const [symbol = "", index = ""] = operation.split("_");
  pen.words(SMALL, inks.muted, "center", "alphabetic");
  const wide = pen.measure(symbol);
  brush.fillText(symbol, index ? x - 4 : x, y - 9);
  if (!index) return;
  brush.font = labelFont(inks, "normal", SMALL - 3);
  brush.fillText(index, x + wide / 2 + 1, y - 6);
}

function paintLabels(
  pen: Pen,
  { cellHeight }: StepBox,
  rows: readonly string[],
  x: number,
  room: number,
): void {
  pen.words(SMALL, pen.inks.muted, "right");
  const every = labelStep(cellHeight, PITCH);
  rows.forEach((label, row) => {
    if (row % every !== 0) return;
    const y = STEP_HEAD + (row + 0.5) * cellHeight;
    writeLabel(pen.brush, fitLabel(label, room, pen.measure), x, y);
  });
}

export function paintStepMarks(
  pen: Pen,
  { labels, height }: StepsLayout,
  { cell, sources }: StepMarks,
  from: number,
  width: number,
): void {
  const { brush, inks } = pen;
  brush.save();
  brush.beginPath();
  brush.rect(labels, 0, width - labels, height);
  brush.clip();
  brush.translate(-from, 0);
  pen.line(inks.ink, 1.5);
  for (const source of sources) pen.frame(source, 1.5);
  pen.line(inks.accent, 2);
  if (cell) pen.frame(cell, 2.5);
  brush.restore();
}
