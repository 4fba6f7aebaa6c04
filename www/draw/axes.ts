// The labels around a plot, and what the pointer does to them: the labels of its pair in full ink, and a crosshair. The
// labels stay while the pointer moves, so that what follows it has little to paint.
import type { Cell } from "../data/index.js";
import { fitLabel, labelStep, labelled } from "./labels.js";
import { LABEL_GAP, SLANT, cellRect, type MatrixLayout } from "./layout.js";
import { writeLabel } from "./text.js";
import { LABEL_SIZE, labelFont, type Brush, type Inks } from "./theme.js";
import { widthOf } from "./widths.js";

/** What the labels show, pointed at or not. */
export interface AxesScene {
  queries: readonly string[];
  keys: readonly string[];
  /** Room for one label, measured along it. */
  queryRoom: number;
  keyRoom: number;
  corner: { query: string; key: string };
  /** Rows whose label is struck through, because they may look at nothing. */
  fullyMasked: readonly number[];
}

/** The least distance between two labels, in cells' own direction. */
const QUERY_PITCH = 11;
const KEY_PITCH = 14;
const SMALLEST_LABEL = 10.5;
/** Slanted lines of text are nearer to each other than their columns. */
const SLANTED = 0.75;
/** The height of a line of text, in its size. */
const LINE = 1.3;
const CROSSHAIR_ALPHA = 0.45;
/** Two lines around a cell below this size would run together. */
const THIN_CELL = 4;

/** A pair under the pointer, and one that is held. */
export interface AxesMarks {
  focused: Cell | null;
  locked: Cell | null;
}

/** What can take back a label, which paper cannot. */
type Canvas = Brush & Pick<CanvasRenderingContext2D, "clearRect">;

/** The labels that have room. */
export function paintLabels(
  brush: Brush,
  layout: MatrixLayout,
  scene: AxesScene,
  inks: Inks,
): void {
  brush.save();
  brush.direction = "ltr";
  paintCorner(brush, layout, scene, inks);
  for (const row of labelled(layout.rows, queryStep(layout)))
    paintQuery(brush, layout, scene, row, inks, false);
  for (const column of labelled(layout.columns, keyStep(layout)))
    paintKey(brush, layout, scene, column, inks, false);
  brush.restore();
}

/** The frame of the pair that is held. */
export function paintLocked(
  brush: Brush,
  layout: MatrixLayout,
  locked: Cell | null,
  inks: Inks,
): void {
  if (locked) paintFrame(brush, layout, locked, inks.ink);
}

/** Over labels that are there: a pair's own in full ink, in the place of those too near to them, and its crosshair. */
export function paintMarks(
  brush: Canvas,
  layout: MatrixLayout,
  scene: AxesScene,
  { focused, locked }: AxesMarks,
  inks: Inks,
): void {
  paintLocked(brush, layout, locked, inks);
  if (!focused) return;
  brush.save();
  brush.direction = "ltr";
  for (const row of near(focused.query, layout.rows, queryStep(layout)))
    clearQuery(brush, layout, scene, row);
  for (const column of near(focused.key, layout.columns, keyStep(layout)))
    clearKey(brush, layout, scene, column);
  paintQuery(brush, layout, scene, focused.query, inks, true);
  paintKey(brush, layout, scene, focused.key, inks, true);
  brush.restore();
  paintCrosshair(brush, layout, focused, inks);
}

/** Which labels have no room beside that of a row or column: its own plain one, and its neighbours'. */
function near(at: number, count: number, step: number): number[] {
  return labelled(count, step).filter((index) => Math.abs(index - at) < step);
}

const queryStep = ({ cell }: MatrixLayout): number => labelStep(cell, QUERY_PITCH);
const keyStep = ({ cell }: MatrixLayout): number => labelStep(cell, KEY_PITCH);

function paintCorner(brush: Brush, layout: MatrixLayout, scene: AxesScene, inks: Inks): void {
  const { x, y } = layout.plot;
  const text = `${scene.corner.query} ↓   ${scene.corner.key} →`;
  brush.font = labelFont(inks, "normal", 11);
  brush.fillStyle = inks.muted;
  brush.textBaseline = "alphabetic";
  const fits = brush.measureText(text).width <= x - LABEL_GAP;
  brush.textAlign = "right";
  if (fits) brush.fillText(text, x - LABEL_GAP, y - LABEL_GAP);
  else {
    brush.fillText(`${scene.corner.key} →`, x - LABEL_GAP, y - LABEL_GAP - 13);
    brush.fillText(`${scene.corner.query} ↓`, x - LABEL_GAP, y - LABEL_GAP);
  }
}

/** Labels shrink a little with their cells before some of them are left out. */
function labelSize(cell: number): number {
  return Math.min(LABEL_SIZE, Math.max(SMALLEST_LABEL, cell - 1));
}

/** Sets the look of one label and returns the text that fits its room. */
function inkLabel(
  brush: Brush,
  text: string,
  size: number,
  room: number,
  strong: boolean,
  inks: Inks,
): string {
  const font = labelFont(inks, strong ? "bold" : "normal", size);
  brush.font = font;
  brush.fillStyle = strong ? inks.ink : inks.muted;
  return fitLabel(text, room, (part) => widthOf(brush, font, part));
}

function paintQuery(
  brush: Brush,
  layout: MatrixLayout,
  scene: AxesScene,
  row: number,
  inks: Inks,
  strong: boolean,
): void {
  const { plot, cell } = layout;
  brush.textAlign = "right";
  brush.textBaseline = "middle";
  const text = inkLabel(
    brush,
    scene.queries[row] ?? "",
    labelSize(cell),
    scene.queryRoom,
    strong,
    inks,
  );
  const y = plot.y + (row + 0.5) * cell;
  writeLabel(brush, text, plot.x - LABEL_GAP, y + 0.5);
  if (scene.fullyMasked.includes(row)) {
    const width = brush.measureText(text).width;
    brush.fillRect(plot.x - LABEL_GAP - width, Math.round(y), width, 1);
  }
}

function paintKey(
  brush: Brush,
  layout: MatrixLayout,
  scene: AxesScene,
  column: number,
  inks: Inks,
  strong: boolean,
): void {
  brush.textAlign = "left";
  brush.textBaseline = "middle";
  const text = inkLabel(
    brush,
    scene.keys[column] ?? "",
    labelSize(layout.cell * SLANTED),
    scene.keyRoom,
    strong,
    inks,
  );
  slanted(brush, layout, column, () => writeLabel(brush, text, 0, 0));
}

/** Along the slanted line of a column's label, which begins at the origin. */
function slanted(
  brush: Brush,
  { plot, cell }: MatrixLayout,
  column: number,
  paint: () => void,
): void {
  brush.save();
  brush.translate(plot.x + (column + 0.5) * cell - 1, plot.y - LABEL_GAP + 1);
  brush.rotate(-SLANT);
  paint();
  brush.restore();
}

/** No more than the label's own line: the next one stays whole. */
function clearQuery(brush: Canvas, layout: MatrixLayout, scene: AxesScene, row: number): void {
  const { plot, cell } = layout;
  const height = Math.min(LINE * labelSize(cell), queryStep(layout) * cell);
  brush.clearRect(
    plot.x - LABEL_GAP - scene.queryRoom,
    plot.y + (row + 0.5) * cell - height / 2,
    scene.queryRoom,
    height,
  );
}

function clearKey(brush: Canvas, layout: MatrixLayout, scene: AxesScene, column: number): void {
  const height = Math.min(
    LINE * labelSize(layout.cell * SLANTED),
    keyStep(layout) * layout.cell * Math.sin(SLANT),
  );
  slanted(brush, layout, column, () => brush.clearRect(0, -height / 2, scene.keyRoom, height));
}

function paintCrosshair(brush: Brush, layout: MatrixLayout, cell: Cell, inks: Inks): void {
  const { plot } = layout;
  const { x, y, width, height } = cellRect(layout, cell);
  brush.save();
  brush.strokeStyle = inks.accent;
  brush.lineWidth = 1;
  brush.globalAlpha = CROSSHAIR_ALPHA;
  brush.beginPath();
  const thin = width < THIN_CELL;
  for (const edge of thin ? [x + width / 2] : [x, x + width]) {
    brush.moveTo(edge, plot.y);
    brush.lineTo(edge, plot.y + plot.height);
  }
  for (const edge of thin ? [y + height / 2] : [y, y + height]) {
    brush.moveTo(plot.x, edge);
    brush.lineTo(plot.x + plot.width, edge);
  }
  brush.stroke();
  brush.restore();
  paintFrame(brush, layout, cell, inks.accent);
}

/** A frame that stays visible around cells of a single pixel. */
function paintFrame(brush: Brush, layout: MatrixLayout, cell: Cell, colour: string): void {
  const { x, y, width, height } = cellRect(layout, cell);
  const spare = Math.max(0, 6 - width) / 2;
  brush.strokeStyle = colour;
  brush.lineWidth = 2;
  brush.strokeRect(x - spare, y - spare, width + 2 * spare, height + 2 * spare);
}
