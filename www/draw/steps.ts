// The way through a block as a strip of matrices, one beside the other: where each of them stands and which cell is
// under a point. Rows are tokens throughout, so that a token can be followed across the strip.
import type { Step } from "../data/index.js";
import type { Rect } from "./layout.js";

/** The size of one matrix of the way. */
export interface StepShape {
  step: Step;
  rows: number;
  columns: number;
}

/** One matrix on the strip. */
export interface StepBox extends StepShape {
  plot: Rect;
  /** From its left edge to that of the next: what is written above it has that much room. */
  room: number;
  /** Where the arrow to it begins, at the right edge of the matrix before. */
  from: number;
  /** Sides of a cell, in CSS pixels. */
  cellWidth: number;
  cellHeight: number;
}

export interface StepsLayout {
  boxes: StepBox[];
  /** What the row labels take at the left, where they stay while the strip is scrolled. */
  labels: number;
  width: number;
  height: number;
}

/** One cell of one matrix. */
export interface StepPoint {
  step: Step;
  row: number;
  column: number;
}

/** Name, shape and the numbers of the heads stand above a matrix. */
export const STEP_HEAD = 66;
const FOOT = 10;
/** Room for an arrow. */
export const STEP_GAP = 58;
/** What name, shape and range of a matrix take at least: a narrow one stands as far from the next, and the arrow is longer. */
export const STEP_CAPTION = 176;
const MOST_HEIGHT = 380;
const CELL = { tallest: 20, widest: 10, narrowest: 2 };
/** The width that a matrix of vectors keeps to where its cells can still be told apart. */
const EASY_WIDTH = 320;

const PATTERNS: ReadonlySet<Step> = new Set<Step>(["raw", "scores", "masked", "weights"]);

/** Whether a matrix has a column per key rather than per dimension. */
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

/** Whether the rows of a matrix are those that are looked at. */
export function isOfKeys(step: Step): boolean {
  return step === "key" || step === "key-rotated" || step === "value" || step === "memory";
}

/** How the columns of a banded matrix are shared out. */
export interface Bands {
  /** Bands side by side: fewer than heads where some share their keys and values. */
  count: number;
  /** Heads to a band. */
  shared: number;
}

/** Among `heads` heads, whose queries have `queryColumns` columns in all. */
export function bandsOf(columns: number, queryColumns: number, heads: number): Bands {
  const count = Math.max(1, Math.round((columns * heads) / Math.max(1, queryColumns)));
  return { count, shared: Math.max(1, Math.round(heads / count)) };
}

/** Places the matrices from left to right; all share one height of a row. Where the keys are another text, they get labels of their own. */
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
export function stepCellAt({ boxes }: StepsLayout, x: number, y: number): StepPoint | null {
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

/** Where a run of cells is on the whole strip; null where it is not on it. */
export function stepCellsRect(
  { boxes }: StepsLayout,
  { step, row, column }: StepPoint,
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

/** How far the strip has to be scrolled for a matrix to be in sight. */
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
